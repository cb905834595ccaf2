package text

import "testing"

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"# 番茄炒蛋\n\n\n\n- **三个人**吃\n* 糖要[少放](x/y.md)": "番茄炒蛋\n\n- 三个人吃\n- 糖要少放",
		"> one `two`\n> three":                       "one two\n  three",
		"```\ncode\n```\n---\nend":                   "code\n\nend",
		"1. boil _gently_\n2. 2 * 3 = 6, snake_case": "1. boil gently\n2. 2 * 3 = 6, snake_case",
		"red \x1b[31mwords\x07\r\n":                  "red [31mwords",
		"":                                           "",
	} {
		if got := Plain(in); got != want {
			t.Errorf("Plain(%q)\n got %q\nwant %q", in, got, want)
		}
	}
}
