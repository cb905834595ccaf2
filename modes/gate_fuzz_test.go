package modes

import (
	"strings"
	"testing"
	"unicode"

	"homebot/internal/text"
)

// R7: no text makes the gate panic, and a judgement does not change with white
// space between Han, width, case, Traditional for Simplified, or trailing
// punctuation.
func FuzzGate(f *testing.F) {
	for _, r := range naturalSentences {
		f.Add(r.text, r.action == "exit")
	}
	for _, s := range []string{"", "打開 做飯 模式 。", "ｏｐｅｎ　ｃｏｏｋｉｎｇ　ｍｏｄｅ", "don’t", "要不", "\xff打开做饭模式", "turn turn cooking mode on off"} {
		f.Add(s, false)
	}
	g := NewGate(testModes())
	f.Fuzz(func(t *testing.T, s string, exit bool) {
		judge := g.Enter
		if exit {
			judge = g.Exit
		}
		want := judge(s, "cooking")
		for name, same := range variants(s) {
			if got := judge(same, "cooking"); got != want {
				t.Errorf("%q: %+v; %s %q: %+v", s, want, name, same, got)
			}
		}
	})
}

// variants are texts that must be judged like s.
func variants(s string) map[string]string {
	v := map[string]string{
		"with marks at its end":  s + "。",
		"with blanks at its end": s + " \n",
		"in Simplified":          text.ToSimplified(strings.ToValidUTF8(s, "\uFFFD")),
		"spaced":                 spaced(s),
	}
	if isASCII(s) {
		v["in capitals"] = strings.ToUpper(s)
		v["in full width"] = strings.Map(widen, s)
	}
	v["traditional"] = strings.NewReplacer(
		"开", "開", "饭", "飯", "进", "進", "关", "關", "闭", "閉", "结", "結", "启", "啟", "动", "動", "换", "換",
		"离", "離", "习", "習", "别", "別", "没", "沒", "许", "許", "准", "準",
	).Replace(s)
	return v
}

// spaced puts a blank between Han characters that nothing separates.
func spaced(s string) string {
	var b strings.Builder
	var prev rune
	for _, r := range s {
		if text.IsHan(r) && text.IsHan(prev) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		prev = r
	}
	return b.String()
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

// widen is the full-width form of an ASCII character.
func widen(r rune) rune {
	switch {
	case r == ' ':
		return '　'
	case r > ' ' && r < 0x7F:
		return r + 0xFEE0
	}
	return r
}
