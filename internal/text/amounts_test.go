package text

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// V10: signs, money, temperatures below zero, ratios and mixed numbers.
func TestSpokenSigns(t *testing.T) {
	for _, c := range []struct{ lang, in, want string }{
		{"zh", "冷冻到-18°C", "冷冻到零下18摄氏度"},
		{"zh", "180–200°C烤10-15min", "180到200摄氏度烤10到15分钟"},
		{"zh", "加1½杯水", "加1又二分之一杯水"},
		{"zh", "加½杯水", "加二分之一杯水"},
		{"zh", "水和米1:2", "水和米1比2"},
		{"zh", "10:00-11:30", "十点到十一点半"},
		{"zh", "1,000g面粉", "1000克面粉"},
		{"zh", "2×3", "2乘3"},
		{"zh", "10-20%", "百分之10到20"},
		{"zh", "¥99.9/斤，100g/份，1L=1000mL", "99.9元每斤，100克每份，1升等于1000毫升"},
		{"zh", "$5和€3", "5美元和3欧元"},
		{"zh", "60km/h，350kcal", "60公里每小时，350千卡"},
		{"zh", "2 tbsp酱油", "2汤匙酱油"},
		{"zh", "3g-5g盐", "3克到5克盐"},
		{"zh", "2026/10/22", "2026年10月22日"},
		{"zh", "5G网络，维生素C", "5G网络，维生素C"},
		{"zh", "A&amp;B<br>好", "A和B好"},
		{"en", "Freeze at -18 °C", "Freeze at minus 18 degrees Celsius"},
		{"en", "1½ cups", "1 and a half cups"},
		{"en", "1/8 tsp salt", "an eighth of a teaspoon salt"},
		{"en", "$5, €1 and £2.50", "5 dollars, 1 euro and 2.50 pounds"},
		{"en", "60 km/h", "60 kilometers per hour"},
		{"en", "A 2×3 pan", "A 2 times 3 pan"},
		{"en", "2026-10-22", "October 22nd, 2026"},
		{"en", "salt & pepper", "salt and pepper"},
		{"en", "bake at 350F", "bake at 350 degrees Fahrenheit"},
		{"en", "done[^1], see www.x.com", "done, see the link"},
		{"en", "a 3-4 lb bird", "a 3 to 4 pounds bird"},
	} {
		if got := Spoken(c.in, c.lang); got != c.want {
			t.Errorf("Spoken(%q, %s) = %q, want %q", c.in, c.lang, got, c.want)
		}
	}
}

// unitNames is how a person reads units back, written down without looking at
// the tables of the package.
var unitNames = map[string]map[string]string{
	"zh": {"g": "克", "kg": "千克", "ml": "毫升", "L": "升", "cm": "厘米", "°C": "摄氏度", "min": "分钟", "h": "小时", "%": "百分之"},
	"en": {"g": "gram", "kg": "kilogram", "ml": "milliliter", "L": "liter", "cm": "centimeter", "°C": "Celsius", "min": "minute", "h": "hour", "%": "percent"},
}

// V10: no number, unit or negation is lost or changed: what is spoken is read
// back by a parser of its own.
func TestSpokenKeepsAmounts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := regexp.MustCompile(`\d+(?:\.\d+)?`)
	for range 700 {
		lang := []string{"zh", "en"}[r.IntN(2)]
		units := []string{"g", "kg", "ml", "L", "cm", "°C", "min", "h", "%"}
		unit := units[r.IntN(len(units))]
		n := strconv.Itoa(1 + r.IntN(2000))
		if r.IntN(3) == 0 {
			n += "." + strconv.Itoa(1+r.IntN(9))
		}
		in := map[string]string{"zh": "不要放**%s%s**，别忘了。", "en": "Do *not* add %s %s, never mind."}[lang]
		in = fmt.Sprintf(in, n, unit)
		got := Spoken(in, lang)
		if back := number.FindAllString(got, -1); !slices.Equal(back, []string{n}) {
			t.Fatalf("%q → %q: numbers %q, want %s", in, got, back, n)
		}
		if !strings.Contains(got, unitNames[lang][unit]) {
			t.Fatalf("%q → %q: no %s", in, got, unitNames[lang][unit])
		}
		for _, w := range map[string][]string{"zh": {"不要", "别"}, "en": {"not", "never"}}[lang] {
			if !strings.Contains(got, w) {
				t.Fatalf("%q → %q: no %s", in, got, w)
			}
		}
		if heard := Heard(in, lang, Signals{}); strings.Join(number.FindAllString(heard, -1), " ") != n || !strings.Contains(heard, map[string]string{"zh": "不要", "en": "not"}[lang]) {
			t.Fatalf("heard %q as %q", in, heard)
		}
	}
}

// V10: the spoken forms are the same however the stream is cut (field report 58:
// °C and km/h split across pieces).
func TestSpokenForAnyCut(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	replies := []string{
		"烤箱预热到180°C，烤3–5分钟。加1/2杯水，约150ml。2:30开饭！花了¥12.5，火力50%。",
		"Bake at 350°F for 3-5 min. Add 1 1/2 cups of water, e.g. 300 ml. Drive at 60 km/h. Wait 1,000 s.",
		"**好的。**\n- 鸡蛋 2个\n- 番茄 3个\n看[菜谱](http://x.cn/a?b=1)👌。",
	}
	for _, reply := range replies {
		want := spokenAll(Sentences(reply))
		for range 200 {
			var sp Splitter
			var sentences []string
			for rest := reply; rest != ""; {
				n := min(1+r.IntN(6), len(rest))
				sentences = append(sentences, sp.Write(rest[:n])...)
				rest = rest[n:]
			}
			if got := spokenAll(append(sentences, sp.Close()...)); got != want {
				t.Fatalf("cut differently:\n got %s\nwant %s", got, want)
			}
		}
	}
}

func spokenAll(sentences []string) string {
	var b strings.Builder
	for _, s := range sentences {
		b.WriteString(Spoken(s, Lang(s, "zh")) + "|")
	}
	return b.String()
}

// V9: a timer phrase made of any duration is read back as that duration.
func TestTimerPhraseRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 700 {
		h, m, s := r.IntN(24), r.IntN(60), r.IntN(60)
		if r.IntN(2) == 0 {
			h = 0
		}
		if r.IntN(2) == 0 {
			s = 0
		}
		d := time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second
		if d == 0 {
			continue
		}
		for _, phrase := range durationPhrases(r, h, m, s) {
			p, ok := ParseTimer(phrase, timerNow)
			if !ok || p.Action != TimerSet || p.Span != d || !p.At.IsZero() {
				t.Fatalf("%q: got %+v, want %v", phrase, p, d)
			}
		}
	}
}

// durationPhrases says one duration in the ways people do.
func durationPhrases(r *rand.Rand, h, m, s int) []string {
	var zh, en, digits []string
	add := func(n int, zhUnit, enUnit string) {
		if n == 0 {
			return
		}
		c := ChineseNumber(n)
		if n == 2 {
			c = "两"
		}
		zh = append(zh, c+zhUnit)
		name := enUnit
		if n != 1 {
			name += "s"
		}
		en = append(en, englishNumber(n)+" "+name)
		digits = append(digits, strconv.Itoa(n)+" "+name)
	}
	add(h, []string{"小时", "个小时", "个钟头"}[r.IntN(3)], "hour")
	add(m, []string{"分钟", "分"}[r.IntN(2)], "minute")
	add(s, "秒", "second")
	spoken := strings.Join(zh, []string{"", "零"}[r.IntN(2)])
	phrases := []string{
		"定时" + spoken, spoken + "后提醒我关火", "帮我设个" + spoken + "的闹钟",
		"set a timer for " + strings.Join(en, " and "), "remind me in " + strings.Join(digits, " ") + " to turn off the oven",
		strings.Join(digits, ", "),
	}
	if m == 30 && s == 0 && h > 0 {
		phrases = append(phrases, ChineseNumber(h)+"个半小时", en[0]+" and a half")
	}
	return phrases
}

var smallNumbers = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")

func englishNumber(n int) string {
	if n < 20 {
		return smallNumbers[n]
	}
	s := strings.Fields("- - twenty thirty forty fifty")[n/10]
	if n%10 > 0 {
		s += " " + smallNumbers[n%10]
	}
	return s
}

// V9: whatever was heard, reading it neither fails nor makes a length of
// nothing.
func FuzzTimerPhrase(f *testing.F) {
	for _, s := range []string{"一个半小时", "half past seven", "下周一早上七点", "1h30m", "差一刻八点", "再加五分钟", "a couple of", "10月", "三天后", "½ hour", "1/0 h", "12:99", "for", "万万"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, ok := ParseTimer(s, timerNow)
		if !ok {
			return
		}
		if p.Action == TimerSet && (p.Span < 0 || p.Span == 0 && p.At.IsZero() && !p.Named) {
			t.Errorf("%q: set nothing: %+v", s, p)
		}
		if !p.At.IsZero() && !p.At.After(timerNow.AddDate(0, 0, -1)) {
			t.Errorf("%q: in the past: %v", s, p.At)
		}
		if again, _ := ParseTimer(s, timerNow); again != p {
			t.Errorf("%q: %+v, then %+v", s, p, again)
		}
	})
}

func BenchmarkParseTimer(b *testing.B) {
	for b.Loop() {
		ParseTimer("一刻钟后提醒我关火", timerNow)
	}
}
