package modes

import (
	"slices"
	"strings"
	"unicode"

	"homebot/internal/text"
)

// gateNames finds the modes by the words of their names.
type gateNames map[string][]gateName

type gateName struct {
	words []string
	ids   []string // more than one only if the registry let it through
}

func (n gateNames) add(words []string, id string) {
	if len(words) == 0 {
		return
	}
	for i, known := range n[words[0]] {
		if slices.Equal(known.words, words) {
			n[words[0]][i].ids = append(known.ids, id)
			return
		}
	}
	n[words[0]] = append(n[words[0]], gateName{words: words, ids: []string{id}})
}

// at returns the modes of the longest name at i and its length in tokens.
func (n gateNames) at(tokens []gateToken, i int) (ids []string, length int) {
	if i >= len(tokens) {
		return nil, 0
	}
	for _, name := range n[tokens[i].word] {
		if len(name.words) > length && len(name.words) <= len(tokens)-i &&
			matchesWords(name.words, func(k int) string { return tokens[i+k].word }) {
			ids, length = name.ids, len(name.words)
		}
	}
	return ids, length
}

// gateToken is one word: a Han character, or a whole word of other letters and
// digits without its apostrophes (don't is dont). cut means that punctuation
// stands before it.
type gateToken struct {
	word string
	cut  bool
}

// gateCuts are the marks that end the reach of a negator (R13). Quotes, signs
// and emoji are not seen at all.
const gateCuts = ".,!?;:。、·—–-~"

// gateTokens reads normalized text.
func gateTokens(s string) []gateToken {
	var tokens []gateToken
	var word strings.Builder
	cut := false
	end := func() {
		if word.Len() > 0 {
			tokens = append(tokens, gateToken{word: word.String(), cut: cut})
			word.Reset()
			cut = false
		}
	}
	for i, r := range s {
		switch {
		case text.IsHan(r):
			end()
			word.WriteRune(r)
			end()
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			word.WriteRune(r)
		case r == '\'', unicode.Is(unicode.Cf, r):
			// inside or around a word: not there
		case r == '-' && word.Len() > 0 && startsWithLetter(s[i+1:]):
			end() // re-open: no pause
		default:
			end()
			cut = cut || strings.ContainsRune(gateCuts, r)
		}
	}
	end()
	return tokens
}

func startsWithLetter(s string) bool {
	for _, r := range s {
		return unicode.IsLetter(r)
	}
	return false
}

// gateItem is one piece of a sentence: a name, a verb, words that were taken
// out, or another word.
type gateItem struct {
	word   string   // of a verb or what was taken out: its words, joined by blanks
	ids    []string // of a name: its modes
	action string   // of a verb
	taken  bool
	cut    bool
}

func (it gateItem) isVerb() bool { return it.action != "" }
func (it gateItem) isName() bool { return it.ids != nil }

// isPlain reports whether the item is an ordinary word, which a phrase of the
// tables may match.
func (it gateItem) isPlain() bool { return !it.isVerb() && !it.isName() && !it.taken }

// gateSentence is what was said, in items.
type gateSentence struct {
	items []gateItem
	words *gateLexicon
}

// read cuts raw into items. A name is looked for first and the longest one
// wins, so neither a shorter name inside it nor a verb that is part of it counts.
func (g *Gate) read(raw string) gateSentence {
	tokens := g.joinSplit(gateTokens(text.Normalize(raw)))
	s := gateSentence{words: g.words}
	cut := false
	for i := 0; i < len(tokens); {
		cut = cut || tokens[i].cut
		if g.articleAt(tokens, i) {
			i++
			continue
		}
		item, n := g.itemAt(tokens, i)
		item.cut, cut = cut, false
		s.items = append(s.items, item)
		i += n
	}
	return s
}

// joinSplit puts the two parts of a verb that a name or "it" has split side by
// side: turn study mode on → turn on study mode.
func (g *Gate) joinSplit(tokens []gateToken) []gateToken {
	for i, t := range tokens {
		for _, verb := range g.words.split {
			if t.word != verb[0] {
				continue
			}
			end := g.objectEnd(tokens, i+1)
			if end > i+1 && end < len(tokens) && tokens[end].word == verb[1] && !tokens[end].cut {
				particle := tokens[end]
				tokens = slices.Insert(slices.Delete(slices.Clone(tokens), end, end+1), i+1, particle)
			}
		}
	}
	return tokens
}

// objectEnd is the place after the name, or the it, that starts at i.
func (g *Gate) objectEnd(tokens []gateToken, i int) int {
	for g.articleAt(tokens, i) {
		i++
	}
	if i < len(tokens) && tokens[i].word == "it" {
		return i + 1
	}
	_, n := g.names.at(tokens, i)
	return i + n
}

// articleAt reports whether an article stands at i before a name (R7).
func (g *Gate) articleAt(tokens []gateToken, i int) bool {
	if _, n := g.names.at(tokens, i); n > 0 {
		return false
	}
	start := i
	for i < len(tokens) && g.words.articles.has(tokens[i].word) {
		i++
	}
	_, n := g.names.at(tokens, i)
	return i > start && n > 0
}

// itemAt reads the item that starts at i and tells how many tokens it has.
func (g *Gate) itemAt(tokens []gateToken, i int) (gateItem, int) {
	if ids, n := g.names.at(tokens, i); n > 0 {
		return gateItem{ids: ids}, n
	}
	word := func(k int) string { return tokens[i+k].word }
	rest := len(tokens) - i
	if n := g.words.takenOut.longest(rest, word); n > 0 && g.takes(tokens, i, n) {
		return gateItem{word: joinTokens(tokens[i : i+n]), taken: true}, n
	}
	for _, action := range []string{gateEnter, gateExit} {
		n := g.words.verbs[action].longest(rest, word)
		if n > 0 && !g.isNoun(tokens, i) {
			return gateItem{word: joinTokens(tokens[i : i+n]), action: action}, n
		}
	}
	return gateItem{word: tokens[i].word}, 1
}

// takes reports whether the n tokens at i are really what is taken out (R13):
// nothing between them, and 要不 is no "or else" in 只要不.
func (g *Gate) takes(tokens []gateToken, i, n int) bool {
	if slices.ContainsFunc(tokens[i+1:i+n], func(t gateToken) bool { return t.cut }) {
		return false
	}
	return joinTokens(tokens[i:i+n]) != gateOrElse || i == 0 || tokens[i].cut ||
		!g.words.notBefore.has(tokens[i-1].word)
}

// gateOrElse is 要不, the only idiom that two other words can make by chance.
const gateOrElse = "要 不"

// isNoun reports whether the verb at i is one only by its spelling: the end.
func (g *Gate) isNoun(tokens []gateToken, i int) bool {
	return i > 0 && !tokens[i].cut && g.words.articles.has(tokens[i-1].word)
}

func joinTokens(tokens []gateToken) string {
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = t.word
	}
	return strings.Join(words, " ")
}

// word is the k-th item as an ordinary word; "" is no word of any phrase.
func (s gateSentence) word(k int) string {
	if k < 0 || k >= len(s.items) || !s.items[k].isPlain() {
		return ""
	}
	return s.items[k].word
}

// phraseAt returns how many items the longest phrase of the set at i has.
func (s gateSentence) phraseAt(set gateSet, i int) int {
	return set.longest(len(s.items)-i, func(k int) string { return s.word(i + k) })
}

// endsClause reports whether nothing of the same clause comes at i.
func (s gateSentence) endsClause(i int) bool {
	return i >= len(s.items) || s.items[i].cut
}

// joined reports whether no punctuation stands between the items from start
// to end.
func (s gateSentence) joined(start, end int) bool {
	for k := start + 1; k <= end && k < len(s.items); k++ {
		if s.items[k].cut {
			return false
		}
	}
	return true
}

// gapWords are what one may step over on the way back from a verb.
type gapWords struct {
	words gateSet
	names bool // names too
	cuts  bool // and punctuation
}

// back steps from before item i over the gap, as far as it goes, and reports
// whether it meets a place before which reached holds.
func (s gateSentence) back(i int, gap gapWords, reached func(j int) bool) bool {
	seen := make([]bool, i+1)
	for todo := []int{i}; len(todo) > 0; {
		j := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if j == 0 || seen[j] {
			continue
		}
		seen[j] = true
		if !gap.cuts && j < len(s.items) && s.items[j].cut {
			continue
		}
		if reached(j) {
			return true
		}
		if gap.names && s.items[j-1].isName() {
			todo = append(todo, j-1)
		}
		for _, start := range s.phrasesBefore(gap.words, j) {
			if gap.cuts || s.joined(start, j-1) {
				todo = append(todo, start)
			}
		}
	}
	return false
}

// phrasesBefore returns where the phrases of the set that end before j start.
func (s gateSentence) phrasesBefore(set gateSet, j int) []int {
	var starts []int
	for _, p := range set.last[s.word(j-1)] {
		start := j - len(p)
		if start >= 0 && matchesWords(p, func(k int) string { return s.word(start + k) }) {
			starts = append(starts, start)
		}
	}
	return starts
}

// follows reports whether a phrase of the set, without punctuation in it, ends
// before item i, with only the gap between.
func (s gateSentence) follows(i int, set gateSet, gap gapWords) bool {
	return s.back(i, gap, func(j int) bool {
		return slices.ContainsFunc(s.phrasesBefore(set, j), func(start int) bool {
			return s.joined(start, j-1)
		})
	})
}
