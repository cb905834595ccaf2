package text

import (
	"strconv"
	"strings"
	"time"
)

// SaySpan is a length of time as one says it, to the second: 一小时三十分钟, 90
// seconds are 1 minute 30 seconds. Less than a second is none: 零秒.
func SaySpan(d time.Duration, lang string) string {
	d = d.Round(time.Second)
	parts := []struct {
		n      int
		zh, en string
	}{
		{int(d / day), "天", "day"}, {int(d % day / time.Hour), "小时", "hour"},
		{int(d % time.Hour / time.Minute), "分钟", "minute"}, {int(d % time.Minute / time.Second), "秒", "second"},
	}
	var out []string
	for _, p := range parts {
		if p.n == 0 {
			continue
		}
		if lang == Chinese {
			out = append(out, chineseHour(p.n)+p.zh)
		} else {
			out = append(out, strconv.Itoa(p.n)+" "+pluralOf(p.en, p.n))
		}
	}
	switch {
	case len(out) == 0 && lang == Chinese:
		return "零秒"
	case len(out) == 0:
		return "0 seconds"
	case lang == Chinese:
		return strings.Join(out, "")
	case len(out) > 1:
		return strings.Join(out[:len(out)-1], " ") + " and " + out[len(out)-1]
	}
	return out[0]
}

func pluralOf(noun string, n int) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// SayMoment is a point in time as one says it at now: the time of day, with the
// day when it is not today.
func SayMoment(t, now time.Time, lang string) string {
	t = t.In(now.Location())
	if lang == Chinese {
		return chineseDayOf(t, now) + ChineseTime(t)
	}
	return EnglishTime(t) + englishDayOf(t, now)
}

// daysBetween counts calendar days from now to t.
func daysBetween(t, now time.Time) int {
	noon := func(t time.Time) time.Time {
		y, m, d := t.Date()
		return time.Date(y, m, d, 12, 0, 0, 0, time.UTC)
	}
	return int(noon(t).Sub(noon(now)) / day)
}

func chineseDayOf(t, now time.Time) string {
	switch daysBetween(t, now) {
	case 0:
		return ""
	case 1:
		return "明天"
	case 2:
		return "后天"
	case -1:
		return "昨天"
	}
	return ChineseDate(t)
}

func englishDayOf(t, now time.Time) string {
	switch daysBetween(t, now) {
	case 0:
		return ""
	case 1:
		return " tomorrow"
	case -1:
		return " yesterday"
	}
	return " on " + EnglishDate(t)
}

// Spans reads every length of time that s tells.
func Spans(s string) []time.Duration {
	var all []time.Duration
	t := tokenize(s)
	for i := 0; i < len(t.list); i++ {
		if m := t.momentAt(i); m.to > i { // the five minutes of 三点五分 are none
			i = m.to - 1
		} else if f := t.spanAt(i); f.to > i && f.length > 0 {
			all = append(all, f.length)
			i = f.to - 1
		}
	}
	return all
}

// Moments reads every time of day that s tells, as instants after now.
func Moments(s string, now time.Time) []time.Time {
	t := tokenize(s)
	var all []time.Time
	for i := 0; i < len(t.list); i++ {
		m := t.momentAt(i)
		for ok := m.to > i; ok; {
			all = append(all, m.in(now, false))
			if i, ok = t.nextClock(m.to); ok { // at 7 and 8
				m = t.momentAs(i, true)
			} else {
				i = m.to - 1
			}
		}
	}
	return all
}
