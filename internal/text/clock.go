package text

import (
	"strconv"
	"time"
)

// ChineseTime is the time of day as one says it: 晚上七点五十五分, 中午十二点,
// 早上八点零五分. No voice has to guess how 19:55 is read.
func ChineseTime(t time.Time) string {
	hour, minute := t.Hour(), t.Minute()
	twelve := (hour+11)%12 + 1
	if hour == 0 {
		twelve = 0
	}
	s := dayPart(chineseParts, hour) + chineseHour(twelve) + "点"
	switch {
	case minute == 0:
		return s
	case minute < 10:
		s += "零"
	}
	return s + ChineseNumber(minute) + "分"
}

// EnglishTime is the time of day as one says it: 7:55 in the evening, 12 noon,
// midnight, 8 in the morning. Voices read h:mm well; a.m. and p.m. they spell.
func EnglishTime(t time.Time) string {
	hour, minute := t.Hour(), t.Minute()
	switch {
	case hour == 0 && minute == 0:
		return "midnight"
	case hour == 12 && minute == 0:
		return "12 noon"
	}
	s := strconv.Itoa((hour+11)%12 + 1)
	if minute > 0 {
		s += ":" + strconv.Itoa(minute/10) + strconv.Itoa(minute%10)
	}
	return s + " " + dayPart(englishParts, hour)
}

// ChineseDate is the date with its weekday: 十月二十二日星期四.
func ChineseDate(t time.Time) string {
	return ChineseNumber(int(t.Month())) + "月" + ChineseNumber(t.Day()) + "日星期" +
		[]string{"日", "一", "二", "三", "四", "五", "六"}[t.Weekday()]
}

// EnglishDate is the date with its weekday: Thursday, October 22nd.
func EnglishDate(t time.Time) string {
	return t.Weekday().String() + ", " + t.Month().String() + " " + ordinal(t.Day())
}

// part is a part of the day, from the hour it starts at.
type part struct {
	from int
	name string
}

var chineseParts = []part{
	{0, "凌晨"}, {5, "早上"}, {9, "上午"}, {12, "中午"}, {13, "下午"}, {18, "晚上"},
}

var englishParts = []part{
	{0, "at night"}, {4, "in the morning"}, {12, "in the afternoon"},
	{18, "in the evening"}, {22, "at night"},
}

func dayPart(parts []part, hour int) string {
	name := ""
	for _, p := range parts {
		if hour >= p.from {
			name = p.name
		}
	}
	return name
}

// chineseHour says 两点, not 二点, and 零点 at midnight.
func chineseHour(h int) string {
	if h == 2 {
		return "两"
	}
	return ChineseNumber(h)
}

var chineseDigits = []rune("零一二三四五六七八九")

// ChineseNumber writes n, 0 to 99, in characters: 五十五, 十二, 零. Other
// numbers come back in digits.
func ChineseNumber(n int) string {
	if n < 0 || n > 99 {
		return strconv.Itoa(n)
	}
	tens, ones := n/10, n%10
	s := ""
	if tens > 1 {
		s = string(chineseDigits[tens])
	}
	if tens > 0 {
		s += "十"
	}
	if ones > 0 || n == 0 {
		s += string(chineseDigits[ones])
	}
	return s
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}
