package sphinx

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"homebot/internal/phrases"
	"homebot/internal/speech"
	hometext "homebot/internal/text"
)

const (
	// maxVariants bounds the pronunciations of one phrase: each one makes the
	// search larger, and the rarer ones come last in the dictionaries.
	maxVariants = 8
	// maxWordRunes is the longest Chinese word looked for; of the dictionary's
	// 96 908 words the longer ones are proper names and proverbs.
	maxWordRunes = 6
)

// pronounced is a phrase with the ways to say it.
type pronounced struct {
	speech.Phrase
	ways []phones
}

// near reports whether two phrases can be told apart only by one phone.
func (p pronounced) near(q pronounced) bool {
	for _, a := range p.ways {
		if slices.ContainsFunc(q.ways, a.near) {
			return true
		}
	}
	return false
}

// kin reports whether two phrases may sound alike.
func (p pronounced) kin(q pronounced) bool { return p.Kin != "" && p.Kin == q.Kin }

// Pronounceable reports those of list that the engine would leave out, each
// with the reason. It reads only the dictionaries. Phrases in a language whose
// model is not there are not judged.
func (c Config) Pronounceable(list []speech.Phrase) []speech.LeftOut {
	var leftOut []speech.LeftOut
	for _, lang := range []string{english, mandarin} {
		m, err := c.model(lang)
		if err != nil {
			continue
		}
		mine := inLanguage(list, lang)
		lex, err := readLexicon(m.dict, wantedWords(lang, mine))
		if err != nil {
			continue // the engine itself reports an unreadable model
		}
		_, out := pronounce(lang, mine, lex)
		leftOut = append(leftOut, out...)
	}
	return leftOut
}

func inLanguage(list []speech.Phrase, lang string) []speech.Phrase {
	var mine []speech.Phrase
	for _, p := range list {
		if p.Lang == lang {
			mine = append(mine, p)
		}
	}
	return mine
}

// pronounce finds the ways to say each phrase of list. Left out are phrases with
// an unknown word, and those at most one phone from an earlier one that is not
// their kin. A phrase that is there twice is taken once.
func pronounce(lang string, list []speech.Phrase, lex lexicon) (known []pronounced, leftOut []speech.LeftOut) {
	seen := map[string]bool{}
	for _, p := range list {
		key := strings.Join(spoken(lang, p.Text), " ")
		if seen[key] {
			continue
		}
		ways, unknown := say(lang, p.Text, lex)
		if len(ways) == 0 {
			unknown = cmp.Or(unknown, strings.TrimSpace(p.Text)) // nothing in it is said
			leftOut = append(leftOut, speech.LeaveOut(p, phrases.WordUnknown, unknown))
			continue
		}
		seen[key] = true
		next := pronounced{p, ways}
		alike := slices.IndexFunc(known, func(q pronounced) bool { return !next.kin(q) && next.near(q) })
		if alike >= 0 {
			leftOut = append(leftOut, speech.LeaveOut(p, phrases.SoundsAlike, known[alike].Text))
			continue
		}
		known = append(known, next)
	}
	return known, leftOut
}

// say returns the ways to say text, or the first part that lex does not have.
func say(lang, text string, lex lexicon) (ways []phones, unknown string) {
	words, unknown := split(lang, text, lex)
	if unknown != "" || len(words) == 0 {
		return nil, unknown
	}
	ways = []phones{nil}
	for _, w := range words {
		var longer []phones
		for _, next := range lex.words[w] {
			for _, way := range ways {
				if len(longer) < maxVariants {
					longer = append(longer, slices.Concat(way, next))
				}
			}
		}
		ways = longer
	}
	return ways, ""
}

// split returns the dictionary words of text, or the first part lex lacks.
func split(lang, text string, lex lexicon) (words []string, unknown string) {
	for _, run := range spoken(lang, text) {
		if lang != mandarin {
			if lex.words[run] == nil {
				return nil, run
			}
			words = append(words, run)
			continue
		}
		for rest := []rune(run); len(rest) > 0; {
			n := longest(rest, lex)
			if n == 0 {
				return nil, string(rest[0])
			}
			words = append(words, string(rest[:n]))
			rest = rest[n:]
		}
	}
	return words, ""
}

// longest returns the length of the longest dictionary word that runes begin with.
func longest(runes []rune, lex lexicon) int {
	for n := min(maxWordRunes, len(runes)); n > 0; n-- {
		if lex.words[string(runes[:n])] != nil {
			return n
		}
	}
	return 0
}

// wantedWords returns every word that may occur in list.
func wantedWords(lang string, list []speech.Phrase) map[string]bool {
	wanted := map[string]bool{}
	for _, p := range list {
		for _, run := range spoken(lang, p.Text) {
			if lang != mandarin {
				wanted[run] = true
				continue
			}
			runes := []rune(run)
			for i := range runes {
				for n := 1; n <= maxWordRunes && i+n <= len(runes); n++ {
					wanted[string(runes[i:i+n])] = true
				}
			}
		}
	}
	return wanted
}

// spoken splits text at everything that is not spoken: words in English, runs
// of characters in Mandarin. Width, case and script are folded.
func spoken(lang, text string) []string {
	text = strings.ToLower(norm.NFKC.String(text))
	text = strings.ReplaceAll(text, "’", "'")
	if lang == mandarin {
		text = hometext.ToSimplified(text) // the dictionary is Simplified
	}
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	})
	for i, w := range words {
		words[i] = strings.Trim(w, "'")
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}
