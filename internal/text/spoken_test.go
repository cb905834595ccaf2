package text

import (
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
