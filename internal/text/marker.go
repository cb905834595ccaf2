package text

import (
	"strings"
	"unicode/utf8"
)

// Marker is what a reply proposes to come after it (V3).
type Marker int

// Proposals of a reply. MarkerNone means that there was no known marker.
const (
	MarkerNone Marker = iota
	MarkerContinue
	MarkerEnd
)

// markerWords are the words between the brackets, normalized (V3).
var markerWords = map[string]Marker{
	"continue": MarkerContinue,
	"end":      MarkerEnd,
}

// maxMarkerRunes bounds what is held back: brackets that have not closed after
// so many characters (or at a line break) are ordinary text. The longest known
// marker has 8; the rest is room for unknown ones, which are removed.
const maxMarkerRunes = 40

// MarkerParser takes the marker out of a reply while it is written (V3). What
// could still become a marker is held back, so that no part of it is ever
// spoken. The first known marker wins and everything after it is dropped; an
// unknown [[…]] is removed. Brackets may be [ ［ or 【, mixed, two or more; the
// words in any case and width. A known word in brackets that the model forgot
// to close ([[end] or, at the end of the reply, [[end) still counts, and at the
// end a torn one ([[cont) is dropped.
//
// The zero value is ready for one reply. The caller keeps the raw text itself.
type MarkerParser struct {
	held   string // not yet decided
	marker Marker
}

// Write takes the next piece of the reply and returns what may be spoken now.
// Pieces may break anywhere, also inside a character.
func (p *MarkerParser) Write(delta string) string {
	if p.marker != MarkerNone {
		return ""
	}
	p.held += delta
	return p.release(false)
}

// Close ends the reply and returns what was still held back and is no marker.
func (p *MarkerParser) Close() string {
	if p.marker != MarkerNone {
		return ""
	}
	return p.release(true)
}

// Next is the marker found so far; final after Close.
func (p *MarkerParser) Next() Marker { return p.marker }

// release returns all that is decided. It looks only at the held text, so the
// pieces in which that arrived make no difference.
func (p *MarkerParser) release(last bool) string {
	var out strings.Builder
	for p.held != "" {
		at := strings.IndexFunc(p.held, isOpener)
		if at < 0 {
			at = len(p.held)
			if !last {
				at = wholeRunes(p.held)
			}
			out.WriteString(p.held[:at])
			p.held = p.held[at:]
			break
		}
		out.WriteString(p.held[:at])
		p.held = p.held[at:]
		b := bracket(p.held, last)
		if b.verdict == undecided {
			break
		}
		if b.verdict == plain {
			out.WriteString(p.held[:b.size])
		}
		p.held = p.held[b.size:]
		if b.marker != MarkerNone {
			p.marker, p.held = b.marker, ""
		}
	}
	return out.String()
}

// verdict says what brackets turned out to be.
type verdict int

const (
	undecided verdict = iota
	plain             // ordinary text: speak it
	removed           // a marker, known or not
)

// brackets is the judgement about the size bytes at the start of a text.
type brackets struct {
	verdict verdict
	size    int
	marker  Marker
}

// bracket judges s, which starts with an opening bracket; last means that
// nothing follows s.
func bracket(s string, last bool) brackets {
	open, n := openers(s)
	if !last && !utf8.FullRuneInString(s[open:]) {
		return brackets{verdict: undecided}
	}
	if n < 2 {
		return brackets{verdict: plain, size: open}
	}
	rest := s[open:]
	for i, count := 0, 0; i < len(rest); count++ {
		r, size := utf8.DecodeRuneInString(rest[i:])
		if r == utf8.RuneError && !utf8.FullRuneInString(rest[i:]) {
			break
		}
		switch {
		case r == '\n', count >= maxMarkerRunes:
			if m := markerWords[markerWord(rest[:i])]; m != MarkerNone {
				return brackets{verdict: removed, size: open + i, marker: m}
			}
			return brackets{verdict: plain, size: open}
		case isOpener(r):
			if _, again := openers(rest[i:]); again > 1 {
				return brackets{verdict: plain, size: open}
			}
		case isCloser(r):
			if m := markerWords[markerWord(rest[:i])]; m != MarkerNone {
				return brackets{verdict: removed, size: open + i + size, marker: m}
			}
			next, width := utf8.DecodeRuneInString(rest[i+size:])
			if isCloser(next) {
				return brackets{verdict: removed, size: open + i + size + width}
			}
		}
		i += size
	}
	return atEnd(s, open, n, rest, last)
}

// atEnd judges brackets that did not close within s.
func atEnd(s string, open, n int, rest string, last bool) brackets {
	if !last {
		return brackets{verdict: undecided}
	}
	word := markerWord(rest)
	if n < 2 || word == "" {
		return brackets{verdict: plain, size: open}
	}
	if m := markerWords[word]; m != MarkerNone {
		return brackets{verdict: removed, size: len(s), marker: m}
	}
	for w := range markerWords {
		if strings.HasPrefix(w, word) {
			return brackets{verdict: removed, size: len(s)}
		}
	}
	return brackets{verdict: plain, size: open}
}

// openers measures the opening brackets at the start of s.
func openers(s string) (size, n int) {
	for _, r := range s {
		if !isOpener(r) {
			break
		}
		size += utf8.RuneLen(r)
		n++
	}
	return size, n
}

func isOpener(r rune) bool { return r == '[' || r == '［' || r == '【' }
func isCloser(r rune) bool { return r == ']' || r == '］' || r == '】' }

// markerWord is the comparable form of what stands between brackets.
func markerWord(s string) string { return strings.TrimSpace(Normalize(s)) }

// wholeRunes is the length of s without a character that is not yet complete.
func wholeRunes(s string) int {
	for i := 1; i < utf8.UTFMax && i <= len(s); i++ {
		tail := s[len(s)-i:]
		if utf8.RuneStart(tail[0]) {
			if !utf8.FullRuneInString(tail) {
				return len(s) - i
			}
			break
		}
	}
	return len(s)
}

// String is the marker as a reply writes it, "" for MarkerNone.
func (m Marker) String() string {
	switch m {
	case MarkerContinue:
		return "[[continue]]"
	case MarkerEnd:
		return "[[end]]"
	}
	return ""
}
