package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Splitter cuts a reply into sentences while it is written (V5). It ends a
// sentence after 。！？；… . ! ? and at a line break; never inside a number
// (3.5, 1,000), after an abbreviation (Mr., e.g.) or within an ellipsis; quotes
// and brackets that close after the mark belong to the sentence. A sentence of
// more than maxWeight is cut where one breathes: at its last comma, else at
// white space, else where it is.
//
// A sentence carries the white space before it: joined, the sentences are the
// input byte for byte, but for white space at its very end. None is empty or
// only white space. The zero value is ready for one reply.
type Splitter struct {
	held string
}

// maxWeight bounds a sentence, a Han character counting hanWeight and any other
// 1: 60 characters of Chinese or 180 letters, about 12 s of speech. More would
// keep the listener waiting for the voice.
const (
	maxWeight = 180
	hanWeight = 3
)

// Write takes the next piece of the reply and returns the sentences that are
// complete. Whether a mark ends a sentence is often known only from what
// follows it, so a sentence may come one piece late.
func (s *Splitter) Write(delta string) []string {
	s.held += delta
	return s.take(false)
}

// Close ends the reply and returns what is left of it.
func (s *Splitter) Close() []string {
	out := s.take(true)
	if strings.TrimSpace(s.held) != "" {
		out = append(out, s.held)
	}
	s.held = ""
	return out
}

// Sentences cuts a complete text.
func Sentences(s string) []string {
	var sp Splitter
	return append(sp.Write(s), sp.Close()...)
}

func (s *Splitter) take(last bool) []string {
	var out []string
	for {
		n := sentenceEnd(s.held, last)
		if n == 0 {
			return out
		}
		out = append(out, s.held[:n])
		s.held = s.held[n:]
	}
}

// sentenceEnd returns the length of the first sentence of s, or 0 if it is not
// complete; last means that nothing follows s. Deciding from the start of the
// sentence each time is what makes the result independent of the pieces.
func sentenceEnd(s string, last bool) int {
	start := len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
	l := looker{s: s, start: start, last: last}
	weight, breath, space := 0, 0, 0
	for i := start; i < len(s); {
		r, size, ok := l.at(i)
		if !ok {
			return 0
		}
		end, decided := l.endAt(i, r)
		if !decided {
			return 0
		}
		if end > 0 {
			return end
		}
		b, decided := l.breathAfter(i, r)
		if !decided {
			return 0
		}
		i += size
		if weight += weigh(r); weight > maxWeight {
			return firstPositive(breath, space, i-size)
		}
		if b {
			breath = i
		}
		if unicode.IsSpace(r) {
			space = i - size
		}
	}
	return 0
}

func weigh(r rune) int {
	if IsHan(r) {
		return hanWeight
	}
	return 1
}

func firstPositive(ns ...int) int {
	for _, n := range ns {
		if n > 0 {
			return n
		}
	}
	return 0
}

// looker looks around in the text of a sentence. What it cannot see yet is not
// decided.
type looker struct {
	s     string
	start int // first character that is not white space
	last  bool
}

// at returns the character at i; 0 at the end of the last piece; ok is false
// when it has not arrived yet.
func (l looker) at(i int) (r rune, size int, ok bool) {
	if i >= len(l.s) {
		return 0, 0, l.last
	}
	r, size = utf8.DecodeRuneInString(l.s[i:])
	if r == utf8.RuneError && !l.last && !utf8.FullRuneInString(l.s[i:]) {
		return 0, 0, false
	}
	return r, size, true
}

// endAt returns where the sentence ends if the character r at i ends it, else 0.
func (l looker) endAt(i int, r rune) (end int, decided bool) {
	if r == '\n' {
		return i, true
	}
	if !isEndMark(r) || l.afterMark(i) {
		return 0, true
	}
	j, decided := l.skip(i, isEndMark)
	if !decided {
		return 0, false
	}
	marks := l.s[i:j]
	end, decided = l.closing(j)
	if !decided {
		return 0, false
	}
	ends, decided := l.ends(i, marks, end)
	if !decided || !ends {
		return 0, decided
	}
	return end, true
}

// afterMark reports whether the character at i continues a run of marks, which
// was judged as a whole.
func (l looker) afterMark(i int) bool {
	r, _ := utf8.DecodeLastRuneInString(l.s[l.start:i])
	return isEndMark(r)
}

// skip returns the first place from i on whose character is not in the set.
func (l looker) skip(i int, in func(rune) bool) (int, bool) {
	for {
		r, size, ok := l.at(i)
		if !ok {
			return 0, false
		}
		if size == 0 || !in(r) {
			return i, true
		}
		i += size
	}
}

// closing returns the place after the quotes and brackets that close at i.
func (l looker) closing(i int) (int, bool) {
	for {
		r, size, ok := l.at(i)
		if !ok {
			return 0, false
		}
		if size == 0 || !strings.ContainsRune(closers, r) && !l.isOpen(i, r) {
			return i, true
		}
		i += size
	}
}

// isOpen reports whether r is a sign with two faces and the one before i is
// still open, so that r at i closes it.
func (l looker) isOpen(i int, r rune) bool {
	for _, t := range twoFaced {
		if t.sign == r {
			return strings.Count(l.s[l.start:i], string(r))%t.pair != 0
		}
	}
	return false
}

// twoFaced are the signs that both open and close, and how many of them make a
// closed pair: Markdown's bold has four.
var twoFaced = []struct {
	sign rune
	pair int
}{{'"', 2}, {'`', 2}, {'*', 4}, {'_', 4}}

const (
	closers  = "”’」』）)］]》〉】'"
	endMarks = "。！？；….!?｡"
)

func isEndMark(r rune) bool { return strings.ContainsRune(endMarks, r) }

// ends reports whether marks at i end a sentence, given that what follows them
// and their closing quotes starts at next.
func (l looker) ends(i int, marks string, next int) (ends, decided bool) {
	if strings.ContainsAny(marks, "。！？；｡") || marks == "……" {
		return true, true
	}
	after, size, ok := l.at(next)
	if !ok {
		return false, false
	}
	switch {
	case size == 0 || after == '\n' || IsHan(after) && !l.numbered(i, marks):
		return true, true
	case !unicode.IsSpace(after):
		return isWideMark(after) && !strings.ContainsRune("，、：）", after), true
	}
	j, ok := l.skip(next, func(r rune) bool { return r != '\n' && unicode.IsSpace(r) })
	if !ok {
		return false, false
	}
	follows, _, ok := l.at(j)
	if !ok {
		return false, false
	}
	return l.endsBefore(i, marks, follows), true
}

// endsBefore judges ASCII marks and single ellipses that white space and then
// the character follows stand after.
func (l looker) endsBefore(i int, marks string, follows rune) bool {
	if follows == 0 || follows == '\n' {
		return true
	}
	if marks != "." {
		return !unicode.IsLower(follows)
	}
	word := l.wordBefore(i)
	switch kind := abbreviations[strings.ToLower(word)]; {
	case l.numbered(i, marks), kind == neverEnds, l.isInitial(i, word) && unicode.IsUpper(follows):
		return false
	case kind == beforeNumber:
		return !unicode.IsDigit(follows)
	case kind == mayEnd:
		return unicode.IsUpper(follows) || IsHan(follows)
	}
	return true
}

// numbered reports whether the mark at i belongs to the number of a list item:
// "1. Chop".
func (l looker) numbered(i int, marks string) bool {
	word := l.s[l.start:i]
	return marks == "." && word != "" && strings.Trim(word, "0123456789") == ""
}

// wordBefore is the run of letters, digits and full stops that ends at i.
func (l looker) wordBefore(i int) string {
	cut := strings.LastIndexFunc(l.s[l.start:i], func(r rune) bool {
		return r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) || IsHan(r)
	})
	if cut < 0 {
		return l.s[l.start:i]
	}
	_, size := utf8.DecodeRuneInString(l.s[l.start+cut:])
	return l.s[l.start+cut+size : i]
}

// isInitial reports whether word, which ends at i, is the initial of a name:
// "J." but neither "I." nor "°C.".
func (l looker) isInitial(i int, word string) bool {
	return len(word) == 1 && word[0] >= 'A' && word[0] <= 'Z' && word != "I" &&
		!strings.HasSuffix(l.s[l.start:i-1], "°")
}

// breathAfter reports whether one can breathe after the character r at i.
func (l looker) breathAfter(i int, r rune) (breath, decided bool) {
	if strings.ContainsRune("，、：—", r) {
		return true, true
	}
	if !strings.ContainsRune(",;:", r) {
		return false, true
	}
	next, _, ok := l.at(i + 1)
	return unicode.IsSpace(next) || IsHan(next), ok
}

// abbreviation says how a full stop after a word is to be read.
type abbreviation int

const (
	neverEnds    abbreviation = iota + 1 // always followed by more: Mr.
	mayEnd                               // ends the sentence before a capital: 8 a.m.
	beforeNumber                         // an abbreviation only before a number: No. 5
)

// abbreviations are English ones that replies about time, people and food use
// (ours; the specification names none).
var abbreviations = map[string]abbreviation{
	"mr": neverEnds, "mrs": neverEnds, "ms": neverEnds, "dr": neverEnds,
	"prof": neverEnds, "st": neverEnds, "mt": neverEnds, "vs": neverEnds,
	"e.g": neverEnds, "eg": neverEnds, "i.e": neverEnds, "ie": neverEnds,
	"cf": neverEnds, "approx": neverEnds, "ca": neverEnds, "incl": neverEnds,
	"a.m": mayEnd, "p.m": mayEnd, "etc": mayEnd, "oz": mayEnd, "lb": mayEnd,
	"lbs": mayEnd, "tbsp": mayEnd, "tsp": mayEnd, "hr": mayEnd, "hrs": mayEnd,
	"min": mayEnd, "mins": mayEnd, "sec": mayEnd, "secs": mayEnd, "ft": mayEnd,
	"pt": mayEnd, "qt": mayEnd, "gal": mayEnd, "jr": mayEnd, "sr": mayEnd,
	"inc": mayEnd, "co": mayEnd, "u.s": mayEnd, "u.k": mayEnd,
	"no": beforeNumber, "nos": beforeNumber, "fig": beforeNumber, "p": beforeNumber,
}
