package text

import (
	"math"
	"time"
)

// partOfDay narrows down which of two hours is meant.
type partOfDay int

const (
	anyPart partOfDay = iota
	dawn
	morning
	noonish
	afternoon
	evening
	night
)

// moment is a point in time as somebody said it.
type moment struct {
	from, to int // tokens

	part    partOfDay
	days    int // from today, if dated
	dated   bool
	weekday time.Weekday
	week    int // 0 none, 1 the coming one, 2 that of next week
	month   time.Month
	date    int // of the month; 0 none

	hour, minute int
	exact        bool // of 24 hours
	trails       bool // its date or part of the day stands behind the hour
}

// momentAt reads a point in time at token i; to is i when there is none.
func (t tokens) momentAt(i int) moment { return t.momentAs(i, false) }

// momentAs is momentAt; bare allows an hour without a mark.
func (t tokens) momentAs(i int, bare bool) moment {
	none := moment{from: i, to: i}
	m := moment{from: i}
	at, marked := t.around(&m, i)
	leads := m.anchored()
	j, ok := t.clock(&m, at, bare || marked || leads)
	if !ok {
		return none
	}
	for {
		k, _ := t.around(&m, j)
		if k == j {
			break
		}
		if _, ok := t.eatAny(k-1, "at", "on", "by"); ok {
			break
		}
		j = k
	}
	m.to, m.trails = j, !leads && m.anchored()
	return m
}

func (m *moment) anchored() bool { return m.part != anyPart || m.onDate() }

func (m *moment) onDate() bool { return m.dated || m.week > 0 || m.date > 0 }

// around reads dates and parts of the day from token i on; marked means that a
// preposition of time was among them.
func (t tokens) around(m *moment, i int) (to int, marked bool) {
	for {
		j := t.dateAt(m, i)
		if j == i {
			j = t.partAt(m, i)
		}
		if j == i {
			if k, ok := t.eatAny(i, "at", "by", "around", "until", "till"); ok {
				j, marked = k, true
			} else if k, ok := t.eatAny(i, "on", "的", "for"); ok && (t.dateAt(&moment{}, k) > k || t.partAt(&moment{}, k) > k) {
				j = k
			}
		}
		if j == i {
			return i, marked
		}
		i = j
	}
}

func (t tokens) partAt(m *moment, i int) int {
	for _, p := range partWords {
		j, ok := t.eat(i, p.words)
		if !ok {
			continue
		}
		m.part = p.part
		if p.dated {
			m.days, m.dated = p.days, true
		}
		return j
	}
	return i
}

func (t tokens) dateAt(m *moment, i int) int {
	for _, d := range dayWords {
		if j, ok := t.eat(i, d.words); ok {
			m.days, m.dated = d.days, true
			return j
		}
	}
	if j := t.daysLater(m, i); j > i {
		return j
	}
	if j := t.weekdayAt(m, i); j > i {
		return j
	}
	return t.calendarAt(m, i)
}

// daysLater reads 三天后 before a time of day.
func (t tokens) daysLater(m *moment, i int) int {
	v, j := t.number(i)
	if j == i || v != math.Trunc(v) || v > 366 {
		return i
	}
	j, ok := t.eat(j, "天")
	if !ok {
		return i
	}
	j, ok = t.eatAny(j, "之后", "以后", "后")
	if !ok {
		return i
	}
	if probe := (moment{}); t.partAt(&probe, j) == j {
		if _, ok := t.clock(&probe, j, true); !ok {
			return i
		}
	}
	m.days, m.dated = int(v), true
	return j
}

func (t tokens) weekdayAt(m *moment, i int) int {
	week, j := 1, i
	if k, ok := t.eatAny(i, "下个", "下", "next"); ok {
		week, j = 2, k
	} else {
		j = t.skip(i, "这个", "这", "本", "this", "coming")
	}
	if k, ok := t.eatAny(j, "星期", "礼拜", "周"); ok {
		d, known := weekdayWords[t.word(k)]
		if !known {
			return i
		}
		if _, isUnit := t.eatAny(k+1, "个", "后"); isUnit {
			return i
		}
		m.weekday, m.week = d, week
		return k + 1
	}
	if d, known := weekdayWords[t.word(j)]; known && len(t.word(j)) > 3 {
		m.weekday, m.week = d, week
		return j + 1
	}
	return i
}

// calendarAt reads 十月二十五号, 二十五号 and october 25th.
func (t tokens) calendarAt(m *moment, i int) int {
	if month, ok := monthWords[t.word(i)]; ok {
		if v, j := t.number(i + 1); j > i+1 && v >= 1 && v <= 31 {
			m.month, m.date = month, int(v)
			return t.skip(j, "st", "nd", "rd", "th")
		}
	}
	v, j := t.number(i)
	if j == i || v != math.Trunc(v) || v < 1 || v > 31 {
		return i
	}
	if k, ok := t.eat(j, "月"); ok && v <= 12 {
		d, l := t.number(k)
		if l == k || d < 1 || d > 31 {
			return i
		}
		m.month, m.date = time.Month(int(v)), int(d)
		return t.skip(l, "号", "日")
	}
	if k, ok := t.eat(j, "号"); ok {
		m.month, m.date = 0, int(v)
		return k
	}
	return i
}

// clock reads the time of day itself; bare allows a number without a mark.
func (t tokens) clock(m *moment, i int, bare bool) (int, bool) {
	if j, ok := t.writtenClock(m, i); ok {
		return j, true
	}
	if j, ok := t.chineseClock(m, i); ok {
		return j, true
	}
	return t.englishClock(m, i, bare)
}

// writtenClock reads 7:30, 19:55 and 07:30.
func (t tokens) writtenClock(m *moment, i int) (int, bool) {
	w := t.word(i)
	at, err := time.Parse("15:4", w)
	if err != nil || len(w) < 4 {
		return i, false
	}
	m.hour, m.minute = at.Hour(), at.Minute()
	m.exact = m.hour > 12 || m.hour == 0 || w[0] == '0'
	return t.skip(i+1, "分"), true
}

// chineseClock reads 七点半, 八点零五分, 差五分八点 and 十五点三十.
func (t tokens) chineseClock(m *moment, i int) (int, bool) {
	before, i0 := 0, i
	if j, ok := t.eat(i, "差"); ok {
		if before, i0 = t.minutesOf(j); i0 == j {
			return i, false
		}
	}
	h, j := t.number(i0)
	if j == i0 || h != math.Trunc(h) || h < 0 || h > 24 {
		if m.part == noonish && before == 0 && t.saysAlone(i) {
			m.hour, m.minute, m.exact = 12, 0, true
			return i, true
		}
		return i, false
	}
	k, ok := t.eatAny(j, "点钟", "点", "时")
	if !ok {
		return i, false
	}
	m.hour, m.minute = int(h), 0
	m.exact = h > 12 || h == 0
	j = t.chineseMinute(m, k)
	if h == 1 && j == k && !m.anchored() && t.span(k-1, k) == "点" && !t.saysAlone(k) {
		return i, false // 大一点 is no time of day
	}
	if _, span := t.eat(j-1, "分钟"); span && j > k {
		return i, false // 三点五分钟 is a length
	}
	m.subtract(before)
	return j, true
}

// saysAlone: 中午 by itself is noon when a wish to be told follows.
func (t tokens) saysAlone(i int) bool {
	_, ok := t.eatAny(i, "叫", "提醒", "喊", "通知", "的闹钟", "闹钟")
	return ok
}

// minutesOf reads 五分, 一刻, 五.
func (t tokens) minutesOf(i int) (int, int) {
	v, j := t.number(i)
	if j == i || v > 59 {
		return 0, i
	}
	if k, ok := t.eat(j, "刻"); ok && v <= 3 {
		return int(v) * 15, t.skip(k, "钟")
	}
	return int(v), t.skip(j, "分钟", "分")
}

// chineseMinute reads what follows 点.
func (t tokens) chineseMinute(m *moment, i int) int {
	if j, ok := t.eat(i, "整"); ok {
		return j
	}
	if j, ok := t.eat(i, "半"); ok {
		m.minute = 30
		return j
	}
	if j, ok := t.eat(i, "差"); ok {
		if v, k := t.minutesOf(j); k > j {
			m.subtract(v)
			return k
		}
		return i
	}
	k := t.skip(i, "过", "零")
	v, j := t.number(k)
	if j == k || v != math.Trunc(v) || v > 59 {
		return i
	}
	if l, ok := t.eat(j, "刻"); ok && v <= 3 {
		m.minute = int(v) * 15
		return t.skip(l, "钟")
	}
	if _, ok := t.eatAny(j, "个", "小时", "号", "月", "点"); ok { // 七点、八点
		return i
	}
	m.minute = int(v)
	return t.skip(j, "分")
}

func (m *moment) subtract(minutes int) {
	if minutes == 0 {
		return
	}
	total := m.hour*60 + m.minute - minutes
	if total < 0 {
		total += 24 * 60
	}
	if m.hour <= 12 && !m.exact && total < 60 {
		total += 12 * 60
	}
	m.hour, m.minute = total/60, total%60
}

// englishClock reads half past seven, ten to eight, 7 o'clock, 7 pm, seven
// thirty, and a bare hour where a time must follow.
func (t tokens) englishClock(m *moment, i int, bare bool) (int, bool) {
	if j, ok := t.eatAny(i, "noon", "midday"); ok {
		m.hour, m.minute, m.exact = 12, 0, true
		return j, true
	}
	if j, ok := t.eat(i, "midnight"); ok {
		m.hour, m.minute, m.exact = 24, 0, true
		return j, true
	}
	if j, ok := t.pastOrTo(m, i); ok {
		return j, true
	}
	h, j := t.number(i)
	if j == i || h != math.Trunc(h) || h < 0 || h > 24 || HasHan(t.word(i)) {
		return i, false
	}
	if _, k := t.unitAt(t.skip(j, "more")); k > j {
		return i, false
	}
	m.hour, m.minute, m.exact = int(h), 0, h > 12 || h == 0
	if k, ok := t.eat(j, "o'clock"); ok {
		return k, true
	}
	k := t.englishMinute(m, j)
	if !bare && t.partAt(&moment{}, k) == k && t.dateAt(&moment{}, k) == k {
		return i, false
	}
	return t.skip(k, "o'clock"), true
}

func (t tokens) englishMinute(m *moment, i int) int {
	if j, ok := t.eat(i, "oh"); ok {
		if v, k := t.number(j); k > j && v < 10 {
			m.minute = int(v)
			return k
		}
	}
	v, j := t.number(i)
	if j == i || v < 10 || v > 59 || v != math.Trunc(v) {
		return i
	}
	if _, k := t.unitAt(j); k > j {
		return i
	}
	m.minute = int(v)
	return j
}

func (t tokens) pastOrTo(m *moment, i int) (int, bool) {
	minutes, j := 0, i
	if k, ok := t.eat(i, "half"); ok {
		minutes, j = 30, k
	} else if k, ok := t.eatAny(i, "a quarter", "quarter"); ok {
		minutes, j = 15, k
	} else if v, k := t.number(i); k > i && v < 60 && v == math.Trunc(v) {
		minutes, j = int(v), t.skip(k, "minutes", "minute")
	} else {
		return i, false
	}
	k, past := t.eatAny(j, "past", "after")
	if !past {
		var to bool
		if k, to = t.eatAny(j, "to", "before", "till"); !to {
			return i, false
		}
	}
	h, l := t.number(k)
	if l == k || h < 1 || h > 12 || h != math.Trunc(h) {
		return i, false
	}
	if _, u := t.unitAt(l); u > l {
		return i, false
	}
	m.hour, m.minute = int(h), minutes
	if !past {
		m.minute = 0
		m.subtract(minutes)
	}
	return t.skip(l, "o'clock"), true
}
