package homecooking

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func TestCutAmount(t *testing.T) {
	for in, want := range map[string]string{
		"300 克": "300 | 克", "1.5 kg": "3/2 | kg", "1/2 茶匙": "1/2 | 茶匙", "1 1/2 cups": "3/2 | cups", "1½ cups": "3/2 | cups",
		"½杯": "1/2 |杯", "2-3 瓣": "2..3 | 瓣", "2～3瓣": "2..3 |瓣", "2 to 3 cloves": "2..3 | cloves", "两到三勺": "2..3 |勺",
		"半斤": "1/2 |斤", "三个": "3 |个", "十二个": "12 |个", "二十克": "20 |克", "一百五十克": "150 |克", "两斤": "2 |斤", "两两": "2 |两", "百": "100 |",
		"适量": "none", "a pinch": "none", "": "none", "3-2 个": "3 |-2 个", "1/0 个": "none",
	} {
		a, rest, ok := CutAmount(in)
		got := "none"
		if ok {
			got = a.Low.RatString()
			if a.High != nil {
				got += ".." + a.High.RatString()
			}
			got += " |" + rest
		}
		if got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// Amounts are never rounded into something wrong: what is written for any amount
// and any number of people reads back as the same, or is marked as rounded and
// is less than 1 % off.
func TestScaledAmountsReadBack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for range 20000 {
		x := big.NewRat(1+rnd.Int64N(5000), []int64{1, 1, 1, 2, 3, 4, 8, 10, 100}[rnd.IntN(9)])
		people, base := 1+rnd.Int64N(30), 1+rnd.Int64N(12)
		f := big.NewRat(people, base)
		metric, lang := rnd.IntN(2) == 0, []string{"zh", "en"}[rnd.IntN(2)]
		a := Amount{Low: x}
		if rnd.IntN(3) == 0 {
			a.High = new(big.Rat).Add(x, big.NewRat(1+rnd.Int64N(50), 4))
		}
		want := a.Times(f)
		s := want.Format(metric, lang)
		number, marked := strings.CutPrefix(s, approx(lang))
		got, rest, ok := CutAmount(number)
		if !ok || rest != "" {
			t.Fatalf("%s × %s = %q cannot be read", x, f, s)
		}
		near(t, s, got.Low, want.Low, marked)
		if want.High != nil && got.High != nil {
			near(t, s, got.High, want.High, marked)
		} else if want.High != nil {
			near(t, s, got.Low, want.High, marked)
		}
	}
}

func near(t *testing.T, s string, got, want *big.Rat, marked bool) {
	t.Helper()
	diff := new(big.Rat).Sub(got, want)
	diff.Abs(diff.Quo(diff, want))
	if !marked && diff.Sign() != 0 || diff.Cmp(big.NewRat(1, 100)) > 0 {
		t.Fatalf("%s was written %q (marked %v)", want.FloatString(6), s, marked)
	}
}

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		n, d   int64
		metric bool
		zh, en string
	}{
		{450, 1, true, "450", "450"}, {75, 2, true, "37.5", "37.5"}, {3, 2, false, "1 1/2", "1 1/2"}, {2, 3, false, "2/3", "2/3"},
		{300, 7, true, "约 42.9", "about 42.9"}, {20000, 7, true, "约 2857", "about 2857"}, {1, 7, false, "约 0.143", "about 0.143"}, {5, 8, false, "5/8", "5/8"},
	} {
		a := Amount{Low: big.NewRat(c.n, c.d)}
		if zh, en := a.Format(c.metric, "zh"), a.Format(c.metric, "en"); zh != c.zh || en != c.en {
			t.Errorf("%d/%d: %q %q", c.n, c.d, zh, en)
		}
	}
}

// Units are converted without the model, exactly where that is possible.
func TestConvert(t *testing.T) {
	for _, c := range []struct{ amount, from, to, of, want string }{
		{"2", "斤", "克", "", "1000"}, {"半", "斤", "两", "", "5"}, {"3", "两", "g", "", "150"}, {"1", "kg", "斤", "", "2"}, {"1.5", "公斤", "g", "", "1500"},
		{"1", "杯", "毫升", "", "240"}, {"1", "cup", "tbsp", "", "16"}, {"1", "勺", "茶匙", "", "3"}, {"2-3", "tbsp", "ml", "", "30-45"}, {"1", "升", "杯", "", "约 4.17"},
		{"1", "lb", "g", "", "约 454"}, {"8", "oz", "g", "", "约 227"}, {"1", "lb", "oz", "", "16"}, {"200", "°C", "°F", "", "392"}, {"350", "°F", "°C", "", "约 177"},
		{"-18", "°C", "°F", "", "约 -0.4"}, {"250", "克", "杯", "面粉", "约 1.97"}, {"1", "cup", "g", "Sugar", "约 202"}, {"2", "cups", "grams", "flour", "约 254"}, {"1-2", "cup", "g", "flour", "约 127-254"}, {"500", "毫升", "克", "水", "约 500"},
		{"1", "杯", "克", "糊涂粉", "!known"}, {"1", "杯", "°C", "", "!measure"}, {"many", "g", "kg", "", "!number"}, {"-3", "g", "kg", "", "!number"},
	} {
		from, ok1 := findUnit(c.from)
		to, ok2 := findUnit(c.to)
		if !ok1 || !ok2 {
			t.Fatalf("%s or %s unknown", c.from, c.to)
		}
		got, err := convertAmount(c.amount, from, to, c.of, "zh")
		if part, bad := strings.CutPrefix(c.want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%v: %q %v", c, got, err)
			}
		} else if want := strings.Replace(c.want, "约 -0.4", "-0.4", 1); err != nil || got != want {
			t.Errorf("%v: got %q %v", c, got, err)
		}
	}
}

// There and back again is the same amount, for every pair of units of one kind.
func TestConvertThereAndBack(t *testing.T) {
	x := big.NewRat(37, 3)
	for _, from := range units {
		for _, to := range units {
			y, exact, err := convert(x, from, to, "水")
			if (from.dim == temperature) != (to.dim == temperature) {
				continue
			}
			if err != nil || exact != (from.dim == to.dim) {
				t.Fatalf("%s → %s: %v %v", from.names[0], to.names[0], exact, err)
			}
			if back, _, _ := convert(y, to, from, "水"); back.Cmp(x) != 0 {
				t.Errorf("%s → %s → %s", from.names[0], to.names[0], back.FloatString(9))
			}
		}
	}
}

// Times are read, and never change with the number of people.
func TestParseTime(t *testing.T) {
	for in, want := range map[string][2]time.Duration{
		"3 分钟": {3 * time.Minute, 3 * time.Minute}, "3-4 min": {3 * time.Minute, 4 * time.Minute}, "1 小时 30 分钟": {90 * time.Minute, 90 * time.Minute},
		"1 h 30 min": {90 * time.Minute, 90 * time.Minute}, "90 秒": {90 * time.Second, 90 * time.Second}, "约 10 分钟": {10 * time.Minute, 10 * time.Minute},
		"半小时": {30 * time.Minute, 30 * time.Minute}, "1 hour and 5 minutes": {65 * time.Minute, 65 * time.Minute}, "两分钟": {2 * time.Minute, 2 * time.Minute},
		"about 2 minutes": {2 * time.Minute, 2 * time.Minute}, "1½ hours": {90 * time.Minute, 90 * time.Minute}, "1.5 小时": {90 * time.Minute, 90 * time.Minute},
		"常温": {}, "3 个": {}, "": {}, "3": {}, "5 months": {}, "minutes": {},
	} {
		low, high, ok := ParseTime(in)
		if low != want[0] || high != want[1] || ok != (want[0] > 0) {
			t.Errorf("%q: %v %v %v", in, low, high, ok)
		}
	}
}

func FuzzParseTime(f *testing.F) {
	f.Add("1 h 30 min")
	f.Add("两到三分钟")
	f.Fuzz(func(t *testing.T, in string) {
		low, high, ok := ParseTime(in)
		if ok && (low <= 0 || high < low) {
			t.Errorf("%q: %v %v", in, low, high)
		}
	})
}
