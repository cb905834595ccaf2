package text

import (
	"testing"
	"time"
)

// V10: times and dates as a voice should read them.
func TestTimeAndDate(t *testing.T) {
	for _, c := range []struct{ at, zh, en string }{
		{"2026-10-22 19:55", "晚上七点五十五分", "7:55 in the evening"},
		{"2026-10-22 00:00", "凌晨零点", "midnight"},
		{"2026-10-22 00:10", "凌晨零点十分", "12:10 at night"},
		{"2026-10-22 02:05", "凌晨两点零五分", "2:05 at night"},
		{"2026-10-22 08:00", "早上八点", "8 in the morning"},
		{"2026-10-22 11:30", "上午十一点三十分", "11:30 in the morning"},
		{"2026-10-22 12:00", "中午十二点", "12 noon"},
		{"2026-10-22 12:20", "中午十二点二十分", "12:20 in the afternoon"},
		{"2026-10-22 14:02", "下午两点零二分", "2:02 in the afternoon"},
		{"2026-10-22 23:59", "晚上十一点五十九分", "11:59 at night"},
	} {
		at, err := time.Parse("2006-01-02 15:04", c.at)
		if err != nil {
			t.Fatal(err)
		}
		if zh, en := ChineseTime(at), EnglishTime(at); zh != c.zh || en != c.en {
			t.Errorf("%s: %s, %s, want %s, %s", c.at, zh, en, c.zh, c.en)
		}
	}
	day := time.Date(2026, 10, 22, 0, 0, 0, 0, time.UTC)
	if zh, en := ChineseDate(day), EnglishDate(day); zh != "十月二十二日星期四" || en != "Thursday, October 22nd" {
		t.Errorf("%s, %s", zh, en)
	}
}

func TestOrdinalAndNumber(t *testing.T) {
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 31: "31st"} {
		if got := ordinal(n); got != want {
			t.Errorf("ordinal(%d) = %s", n, got)
		}
	}
	for n, want := range map[int]string{0: "零", 9: "九", 10: "十", 11: "十一", 20: "二十", 99: "九十九", 100: "100", -1: "-1"} {
		if got := ChineseNumber(n); got != want {
			t.Errorf("ChineseNumber(%d) = %s", n, got)
		}
	}
}
