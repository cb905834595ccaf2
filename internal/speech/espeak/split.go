package espeak

import (
	"strings"
	"unicode"
)

// part is text for one voice.
type part struct {
	lang string // "zh" or "en"
	text string
}

// Part is text for the voice of one language, "zh" or "en".
type Part struct{ Lang, Text string }

// Split cuts a text that mixes both languages into what each voice is to say, in
// order, free of control characters and markup. lang decides for what belongs to
// no script. Other voices use it too.
func Split(text, lang string) []Part {
	var parts []Part
	for _, p := range split(neutralise(text), lang) {
		parts = append(parts, Part{p.lang, p.text})
	}
	return parts
}

// neutralise takes out of a text what espeak-ng would obey instead of speak:
// [[phonemes]], control characters (0x01 begins a command), markup. Full-width
// digits and letters become plain ones, which the Mandarin voice leaves out
// otherwise.
func neutralise(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == unicode.ReplacementChar:
			return ' '
		case strings.ContainsRune("[]<>`{}\\", r), unicode.Is(unicode.C, r):
			return ' '
		case r >= '０' && r <= '９', r >= 'Ａ' && r <= 'Ｚ', r >= 'ａ' && r <= 'ｚ':
			return r - '０' + '0'
		}
		return r
	}, strings.ToValidUTF8(text, " "))
}

// script is what a rune says about the voice it needs.
type script int

const (
	neutral script = iota // spaces, punctuation: goes with what is before it
	number                // goes with the Han next to it
	han
	other // letters of every other script: the English voice
)

func scriptOf(r rune) script {
	switch {
	case unicode.Is(unicode.Han, r) || unicode.Is(unicode.Bopomofo, r) || r == '〇':
		return han
	case unicode.IsDigit(r):
		return number
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return other
	}
	return neutral
}

// token is a run of runes of one script.
type token struct {
	script script
	text   string
}

// split cuts text into parts by script. A number belongs to the Mandarin voice
// when a Han character is next to it, else to what stands before it, else to
// what follows, else to lang. A text without a letter or a number is no part.
func split(text, lang string) []part {
	tokens := tokenise(text)
	if !speakable(tokens) {
		return nil
	}
	var parts []part
	for i, t := range tokens {
		l := voiceOf(tokens, i, lang)
		if n := len(parts); n > 0 && (l == "" || parts[n-1].lang == l) {
			parts[n-1].text += t.text
			continue
		}
		if n := len(parts); n == 1 && parts[0].lang == "" {
			parts[0] = part{l, parts[0].text + t.text}
			continue
		}
		parts = append(parts, part{l, t.text})
	}
	return parts
}

func speakable(tokens []token) bool {
	for _, t := range tokens {
		if t.script != neutral {
			return true
		}
	}
	return false
}

// voiceOf is the language of token i; "" for a neutral one, which has none.
func voiceOf(tokens []token, i int, lang string) string {
	switch tokens[i].script {
	case han:
		return "zh"
	case other:
		return "en"
	case neutral:
		return ""
	}
	if nextTo(tokens, i, -1) == han || nextTo(tokens, i, 1) == han {
		return "zh"
	}
	for _, step := range []int{-1, 1} {
		for j := i + step; j >= 0 && j < len(tokens); j += step {
			switch tokens[j].script {
			case han:
				return "zh"
			case other:
				return "en"
			}
		}
	}
	if lang == "zh" {
		return "zh"
	}
	return "en"
}

// nextTo is the script beside token i, looking through spaces and other numbers
// but not through punctuation.
func nextTo(tokens []token, i, step int) script {
	for j := i + step; j >= 0 && j < len(tokens); j += step {
		t := tokens[j]
		if t.script == number || t.script == neutral && strings.TrimSpace(t.text) == "" {
			continue
		}
		return t.script
	}
	return neutral
}

// tokenise cuts text into runs. Signs inside a number (3.5, 5:30, 1/2, -4) and
// the per cent after it belong to it.
func tokenise(text string) []token {
	var tokens []token
	runes := []rune(text)
	for i, r := range runes {
		s := scriptOf(r)
		before := i > 0 && unicode.IsDigit(runes[i-1])
		after := i+1 < len(runes) && unicode.IsDigit(runes[i+1])
		switch {
		case strings.ContainsRune(".,:/", r) && before && after,
			strings.ContainsRune("%‰°℃", r) && before,
			strings.ContainsRune("-−+", r) && after && (i == 0 || unicode.IsSpace(runes[i-1]) || scriptOf(runes[i-1]) == han):
			s = number
		}
		if n := len(tokens); n > 0 && tokens[n-1].script == s {
			tokens[n-1].text += string(r)
		} else {
			tokens = append(tokens, token{s, string(r)})
		}
	}
	return tokens
}
