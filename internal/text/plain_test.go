package text

import "testing"

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"# 番茄炒蛋\n\n\n\n- **三个人**吃\n* 糖要[少放](x/y.md)": "番茄炒蛋\n\n- 三个人吃\n- 糖要少放",
		"> one `two`\n> three":                       "one two\n  three",
		"```\ncode\n```\n---\nend":                   "code\n\nend",
		"1. boil _gently_\n2. 2 * 3 = 6, snake_case": "1. boil gently\n2. 2 * 3 = 6, snake_case",
		"red \x1b[31mwords\x07\r\n":                  "red [31mwords",
		"\ufeffa\u202eb\u2067c\u200bd 👨\u200d🍳":      "abcd 👨\u200d🍳",
		"": "",
	} {
		if got := Plain(in); got != want {
			t.Errorf("Plain(%q)\n got %q\nwant %q", in, got, want)
		}
	}
}

// S3: what a power cut or another encoding made of a text is none.
func TestIsText(t *testing.T) {
	for in, want := range map[string]bool{"做饭": true, "": false, "\x00\x00": false, "a\x00b": false, "\xd6\xd0": false} {
		if got := IsText([]byte(in)); got != want {
			t.Errorf("IsText(%q) = %t", in, got)
		}
	}
}
