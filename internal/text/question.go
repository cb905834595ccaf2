package text

import (
	"strings"
	"unicode"
)

// EndsWithQuestion reports whether the last sentence of reply asks something:
// it ends with ? or ？, or in Chinese with 吗 and no mark. The device uses it
// when a reply had no marker (V3), together with IsCourtesy.
func EndsWithQuestion(reply string) bool {
	last := LastSentence(reply)
	asks := strings.TrimRightFunc(last, func(r rune) bool {
		return r != '?' && r != '？' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return strings.HasSuffix(asks, "?") || strings.HasSuffix(asks, "？") ||
		strings.HasSuffix(ToSimplified(asks), "吗")
}

// LastSentence is the last sentence of s that says something, trimmed; "" if
// there is none. The caller gives it to IsCourtesy.
func LastSentence(s string) string {
	all := Sentences(s)
	for i := len(all) - 1; i >= 0; i-- {
		if strings.ContainsFunc(all[i], func(r rune) bool {
			return unicode.IsLetter(r) || unicode.IsDigit(r)
		}) {
			return strings.TrimSpace(all[i])
		}
	}
	return ""
}

// courtesies are questions that are asked to be polite and do not wait for an
// answer (V3 names 还需要…吗, 还有别的吗, anything else; the rest are their kin).
// Each is a list of pieces that occur in this order, in normalized text without
// white space between Han.
var courtesies = map[string][][]string{
	Chinese: {
		{"还需要", "吗"},
		{"还需要", "什么"},
		{"还有别的"},
		{"还有其他"},
		{"还有其它"},
		{"还有什么", "帮"},
		{"还有什么", "需要"},
		{"还有什么", "要"},
		{"还有什么", "吩咐"},
		{"还要别的"},
		{"还要其他"},
		{"别的", "帮你", "吗"},
		{"需要我", "帮", "吗"},
		{"有什么", "可以帮"},
		{"有什么", "能帮"},
	},
	English: {
		{"anything else"},
		{"something else i can"},
		{"anything i can"},
		{"anything more"},
		{"what else can i"},
		{"how else can i"},
		{"can i help", "with"},
		{"can i help you"},
		{"can i assist"},
		{"how can i help"},
		{"need help with"},
		{"need any help"},
		{"need anything"},
		{"need more help"},
	},
}

// IsCourtesy reports whether sentence is a polite question that needs no answer
// (V3): 还需要…吗, 还有别的吗, anything else.
func IsCourtesy(sentence string) bool {
	s := JoinHan(Normalize(sentence))
	for _, pieces := range courtesies[Lang(s, English)] {
		if inOrder(s, pieces) {
			return true
		}
	}
	return false
}

func inOrder(s string, pieces []string) bool {
	for _, p := range pieces {
		_, rest, found := strings.Cut(s, p)
		if !found {
			return false
		}
		s = rest
	}
	return true
}
