package text

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// V10: what is written is made speakable: no Markdown, emoji or addresses.
func TestSpoken(t *testing.T) {
	for _, c := range []struct{ lang, in, want string }{
		{"zh", "**番茄炒蛋**", "番茄炒蛋"},
		{"zh", "- 鸡蛋 2个\n- 番茄 3个", "鸡蛋2个，番茄3个"},
		{"zh", "好的👌马上开始😊", "好的马上开始"},
		{"zh", "看[菜谱](http://x.cn/a?b=1)", "看菜谱"},
		{"zh", "`油温`六成热", "油温六成热"},
		{"zh", "# 步骤\n1. 切菜。\n2. 炒蛋。", "步骤，切菜。炒蛋。"},
		{"zh", "| 料 | 量 |\n|---|---|\n| 蛋 | 两个 |", "料，量，蛋，两个"},
		{"zh", "见 https://x.cn/a 。", "见链接。"},
		{"zh", "[[1]]", "[[1]]"},
		{"en", "**Tomato** and *egg*", "Tomato and egg"},
		{"en", "1. Chop onions\n2. Fry", "Chop onions. Fry."},
		{"en", "See https://example.com/recipe", "See the link"},
		{"en", "## Steps:\n\n* Chop _finely_\n* ~~Fry~~ Boil", "Steps: Chop finely. Fry Boil."},
		{"en", "```sh\nls\n```", "ls"},
		{"en", "2 * 3 * 4 = 24", "2 * 3 * 4 = 24"},
		{"en", "snake_case_name", "snake_case_name"},
		{"en", "- [x] done\n- [ ] open", "done. open."},
		{"en", "👨‍👩‍👧 1️⃣", "1"},
		{"en", "---", ""},
		{"en", " \n\t", ""},
		{"", "**a**\nb", "a. b."},
	} {
		if got := Spoken(c.in, c.lang); got != c.want {
			t.Errorf("Spoken(%q, %s) = %q, want %q", c.in, c.lang, got, c.want)
		}
	}
}

// V10: units, fractions, times and dates are written out.
func TestSpokenReadings(t *testing.T) {
	for _, c := range []struct{ lang, in, want string }{
		{"zh", "盐 3g，水约150 ml。", "盐3克，水约150毫升。"},
		{"zh", "烤箱预热到180°C", "烤箱预热到180摄氏度"},
		{"zh", "烤箱预热到180 ℃", "烤箱预热到180摄氏度"},
		{"zh", "加1/2杯水", "加二分之一杯水"},
		{"zh", "煮3–5分钟", "煮3到5分钟"},
		{"zh", "2:30开饭，12:05吃完", "两点半开饭，十二点零五分吃完"},
		{"zh", "50%的火力", "百分之50的火力"},
		{"zh", "¥12.5", "12.5元"},
		{"zh", "2026-10-02", "2026年10月2日"},
		{"zh", "电话010-8888-7777", "电话010-8888-7777"},
		{"zh", "10/22", "10/22"},
		{"zh", "5G网络", "5G网络"},
		{"en", "Add 1/2 cup of water", "Add half a cup of water"},
		{"en", "Bake for 1/2 h", "Bake for half an hour"},
		{"en", "Bake for 1/2 hour.", "Bake for half an hour."},
		{"en", "Bake for 1 1/2 hours, rest 3/4 h", "Bake for 1 and a half hours, rest three quarters of an hour"},
		{"en", "Wait 1/2 min", "Wait half a minute"},
		{"zh", "烤1/2小时", "烤二分之一小时"},
		{"en", "Add 1 1/2 cups and 2/3 cup", "Add 1 and a half cups and two thirds of a cup"},
		{"en", "Bake at 350°F for 3-5 min.", "Bake at 350 degrees Fahrenheit for 3 to 5 minutes."},
		{"en", "250 g flour, 1 tsp salt", "250 grams flour, 1 teaspoon salt"},
		{"en", "10% more", "10 percent more"},
		{"en", "Call 555-1234-99", "Call 555-1234-99"},
		{"en", "a 5th go", "a 5th go"},
	} {
		if got := Spoken(c.in, c.lang); got != c.want {
			t.Errorf("Spoken(%q, %s) = %q, want %q", c.in, c.lang, got, c.want)
		}
	}
}

// V10: the user's own cases.
func TestSpokenSharedCases(t *testing.T) {
	for _, col := range sharedCases(t, "spoken.tsv") {
		got := Spoken(strings.ReplaceAll(col[1], `\n`, "\n"), col[0])
		if !slices.Contains(strings.Split(col[2], "||"), got) {
			t.Errorf("Spoken(%q, %s) = %q, want one of %q", col[1], col[0], got, col[2])
		}
	}
}

// sharedCases are the rows of a file of shared cases, without its heading.
func sharedCases(t *testing.T, name string) [][]string {
	t.Helper()
	dir := os.Getenv("HOMEBOT_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(dir, "cases", name))
	if err != nil {
		t.Skip("no shared cases here: ", err)
	}
	var rows [][]string
	for line := range strings.Lines(string(data)) {
		rows = append(rows, strings.Split(strings.TrimRight(line, "\n"), "\t"))
	}
	return rows[1:]
}

// V10: sentence by sentence gives the same words as the whole.
func TestSpokenOfSentences(t *testing.T) {
	reply := "**好的。**\n- 鸡蛋 两个\n- 番茄 三个\n然后，[看这里](http://x.cn)。"
	var got []string
	for _, s := range Sentences(reply) {
		got = append(got, Spoken(s, "zh"))
	}
	if joined := strings.Join(got, "|"); joined != "好的。|鸡蛋两个|番茄三个|然后，看这里。" {
		t.Errorf("got %s", joined)
	}
}

func FuzzSpoken(f *testing.F) {
	for _, s := range []string{"**a** _b_", "| a |", "[x](y)", "```", "1. a\n2. b", "\xff", "![i](u)"} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, s string, zh bool) {
		lang := English
		if zh {
			lang = Chinese
		}
		got := Spoken(s, lang)
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Errorf("Spoken(%q) = %q is not UTF-8", s, got)
		}
		if strings.ContainsAny(got, "\n`") || got != strings.TrimSpace(got) {
			t.Errorf("Spoken(%q) = %q", s, got)
		}
	})
}

func BenchmarkSpoken(b *testing.B) {
	for b.Loop() {
		Spoken("- **鸡蛋** 两个，看[菜谱](http://x.cn/a?b=1)", "zh")
	}
}
