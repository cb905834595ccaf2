package sherpa

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mozillazg/go-pinyin"
	"golang.org/x/text/unicode/norm"

	"homebot/internal/phrases"
	"homebot/internal/speech"
	"homebot/internal/text"
)

// space begins a word in byte pairs.
const space = "▁"

// initials of pinyin syllables as the keyword models split them: y and w count.
// Longer ones first.
var initials = []string{"zh", "ch", "sh", "b", "p", "m", "f", "d", "t", "n", "l", "g", "k", "h", "j", "q", "x", "r", "z", "c", "s", "y", "w"}

// spell turns a phrase into tokens. unknown is the first part that the model
// cannot spell.
func (v vocabulary) spell(p speech.Phrase) (spelt []string, unknown string) {
	for _, word := range words(p.Text) {
		var next []string
		switch {
		case text.HasHan(word):
			next, unknown = v.han(word)
		case p.Lang == phrases.Chinese:
			if next, unknown = v.syllables(word); unknown != "" { // not pinyin: a foreign word in the phrase
				next, unknown = v.english(word)
			}
		default:
			next, unknown = v.english(word)
		}
		if unknown != "" {
			return nil, unknown
		}
		spelt = append(spelt, next...)
	}
	return spelt, ""
}

// words cuts at everything that is not said; Han and letters are cut too.
func words(s string) []string {
	s = text.ToSimplified(norm.NFKC.String(s))
	s = strings.ReplaceAll(s, "’", "'")
	var all []string
	var last rune
	for _, r := range s {
		said := unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == '\''
		switch {
		case !said:
		case last == 0 || text.IsHan(r) != text.IsHan(last):
			all = append(all, string(r))
		default:
			all[len(all)-1] += string(r)
		}
		last = 0
		if said {
			last = r
		}
	}
	for i, w := range all {
		all[i] = strings.Trim(w, "'")
	}
	return slices.DeleteFunc(all, func(w string) bool { return w == "" })
}

// han spells Han characters: as they are, if the model knows characters, else by
// their sound.
func (v vocabulary) han(word string) (spelt []string, unknown string) {
	args := pinyin.NewArgs()
	args.Style = pinyin.Tone
	for _, r := range word {
		if _, ok := v.tokens[string(r)]; ok {
			spelt = append(spelt, string(r))
			continue
		}
		sounds := pinyin.SinglePinyin(r, args)
		if len(sounds) == 0 {
			return nil, string(r)
		}
		next, unknown := v.syllable(sounds[0])
		if unknown != "" {
			return nil, string(r)
		}
		spelt = append(spelt, next...)
	}
	return spelt, ""
}

// syllable splits one pinyin syllable into its initial and its final with the
// tone mark.
func (v vocabulary) syllable(sound string) (spelt []string, unknown string) {
	for _, initial := range initials {
		final, ok := strings.CutPrefix(sound, initial)
		if ok && v.has(initial) && v.has(final) {
			return []string{initial, final}, ""
		}
	}
	if v.has(sound) { // no initial, or one the model does not split off
		return []string{sound}, ""
	}
	return nil, sound
}

// syllables reads a word of a Mandarin phrase written in pinyin with tone marks:
// the way to say which of several sounds a character has.
func (v vocabulary) syllables(word string) (spelt []string, unknown string) {
	word = strings.ToLower(word)
	next, unknown := v.syllable(word)
	if unknown == "" {
		return next, ""
	}
	runes := []rune(word)
	for n := len(runes) - 1; n > 0; n-- {
		first, bad := v.syllable(string(runes[:n]))
		if bad != "" {
			continue
		}
		if rest, bad := v.syllables(string(runes[n:])); bad == "" {
			return append(first, rest...), ""
		}
	}
	return nil, word
}

func (v vocabulary) has(token string) bool {
	_, ok := v.tokens[token]
	return ok
}

// english spells a word in phones, if the model has a dictionary, else in byte
// pairs.
func (v vocabulary) english(word string) (spelt []string, unknown string) {
	if v.phones == nil {
		return v.pairs(word)
	}
	for _, phone := range v.phones[strings.ToUpper(word)] {
		if !v.has(phone) {
			return nil, word
		}
		spelt = append(spelt, phone)
	}
	if len(spelt) == 0 {
		return nil, word
	}
	return spelt, ""
}

// pairs joins letters to the model's pieces: again and again the neighbours whose
// piece comes first in the model's list, as the model's own tokeniser does. The
// case is the one the model has.
func (v vocabulary) pairs(word string) (spelt []string, unknown string) {
	for _, w := range []string{strings.ToUpper(word), strings.ToLower(word)} {
		parts := strings.Split(space+w, "")
		for {
			best, at := -1, -1
			for i := 0; i+1 < len(parts); i++ {
				if id, ok := v.tokens[parts[i]+parts[i+1]]; ok && (at < 0 || id < best) {
					best, at = id, i
				}
			}
			if at < 0 {
				break
			}
			parts[at] += parts[at+1]
			parts = slices.Delete(parts, at+1, at+2)
		}
		if !slices.ContainsFunc(parts, func(p string) bool { return !v.has(p) }) {
			return parts, ""
		}
	}
	return nil, word
}

// keywordLines spells the phrases for the library: tokens, boost, threshold, and
// the phrase's number as the label that comes back. known are those spelt, by
// that number. A phrase that is there twice is taken once.
func (v vocabulary) keywordLines(list []speech.Phrase) (lines string, known []speech.Phrase, leftOut []speech.LeftOut) {
	var b strings.Builder
	seen := map[string]bool{}
	for _, p := range list {
		spelt, unknown := v.spell(p)
		if len(spelt) == 0 {
			unknown = cmp.Or(unknown, strings.TrimSpace(p.Text)) // nothing in it is said
			leftOut = append(leftOut, speech.LeaveOut(p, phrases.WordUnknown, unknown))
			continue
		}
		key := strings.Join(spelt, " ")
		if seen[key] {
			continue
		}
		seen[key] = true
		boost, threshold := p.Boost, p.Threshold
		if boost == 0 {
			boost = defaultBoost
		}
		if threshold == 0 {
			threshold = defaultThreshold
		}
		fmt.Fprintf(&b, "%s :%.2f #%.2f @%d\n", key, boost, threshold, len(known))
		known = append(known, p)
	}
	return b.String(), known, leftOut
}

// wantedWords are the English words of list, as readVocabulary wants them.
func wantedWords(list []speech.Phrase) map[string]bool {
	wanted := map[string]bool{}
	for _, p := range list {
		for _, w := range words(p.Text) {
			wanted[strings.ToUpper(w)] = true
		}
	}
	return wanted
}

// hotwordLines are the phrases that a streaming recogniser should lean towards:
// those in Han whose characters it knows, those in English only where it has the
// scores of its byte pairs.
func hotwordLines(list []speech.Phrase, known tokens, english bool) string {
	var b strings.Builder
	for _, p := range list {
		w := words(p.Text)
		if len(w) > 0 && !slices.ContainsFunc(w, func(s string) bool { return !hot(s, known, english) }) {
			fmt.Fprintln(&b, strings.ToUpper(strings.Join(w, " ")))
		}
	}
	return b.String()
}

func hot(word string, known tokens, english bool) bool {
	if !text.HasHan(word) {
		return english
	}
	return !strings.ContainsFunc(word, func(r rune) bool { _, ok := known[string(r)]; return !ok })
}
