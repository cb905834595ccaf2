package text

import (
	"math"
	"time"
)

// timeUnit is one unit of time and its names, longer ones first.
type timeUnit struct {
	length time.Duration
	names  []string
}

const day = 24 * time.Hour

// timeUnits are ordered from long to short: the parts of a span come so.
var timeUnits = []timeUnit{
	{7 * day, []string{"个星期", "个礼拜", "星期", "礼拜", "周", "weeks", "week"}},
	{day, []string{"天", "days", "day"}},
	{time.Hour, []string{"个小时", "个钟头", "个钟", "小时", "钟头", "hours", "hour", "hrs", "hr", "h"}},
	{15 * time.Minute, []string{"刻钟", "刻"}},
	{time.Minute, []string{"分钟", "分", "minutes", "minute", "mins", "min", "m"}},
	{time.Second, []string{"秒钟", "秒", "seconds", "second", "secs", "sec", "s"}},
}

// found is a length of time and the tokens it was read from.
type found struct {
	length   time.Duration
	from, to int
}

// spanAt reads the length of time at token i; to is i when there is none. It
// reads 一个半小时, 两分半, 一刻钟, 一小时零五分, an hour and a half, 1h30m.
func (t tokens) spanAt(i int) found {
	var sum float64
	last, at := -1, i
	for {
		k := at
		if last >= 0 {
			k = t.skip(at, "零", "又", "and", "加")
		}
		v, unit, j := t.spanPart(k)
		if j == k || unit <= last {
			break
		}
		sum, last, at = sum+v, unit, j
	}
	if last < 0 {
		return found{from: i, to: i}
	}
	if v, j := t.bareRest(at, last); j > at {
		sum, at = sum+v, j
	}
	return found{length: seconds(sum), from: i, to: at}
}

// seconds rounds to whole ones, which is what anybody means.
func seconds(v float64) time.Duration {
	const longest = 366 * 24 * 3600
	if v > longest {
		return 0
	}
	return time.Duration(math.Round(v)) * time.Second
}

// spanPart reads one number with one unit. unit is its place in timeUnits.
func (t tokens) spanPart(i int) (secs float64, unit, to int) {
	if v, u, j := t.halfOf(i); j > i {
		return v, u, j
	}
	v, j := t.amount(i)
	if j == i {
		return 0, 0, i
	}
	half := 0.0
	if k, ok := t.eatAny(j, "个半", "and a half", "and half a", "and half"); ok {
		half, j = 0.5, k
	} else if k, ok := t.eat(j, "and a quarter"); ok {
		half, j = 0.25, k
	}
	u, k := t.unitAt(t.skip(j, "more", "additional", "extra", "full"))
	if k == j || u < 0 {
		return 0, 0, i
	}
	length := timeUnits[u].length.Seconds()
	v += half
	k, extra := t.halfAfter(k)
	return (v + extra) * length, u, k
}

// amount is a number, or the article that stands for one.
func (t tokens) amount(i int) (float64, int) {
	if v, j := t.number(i); j > i {
		return v, j
	}
	if j, ok := t.eatAny(i, "an", "a"); ok {
		if _, k := t.unitAt(j); k > j {
			return 1, j
		}
	}
	return 0, i
}

// unitAt reads a unit; -1 when there is none.
func (t tokens) unitAt(i int) (unit, to int) {
	for u, def := range timeUnits {
		if j, ok := t.eatAny(i, def.names...); ok {
			return u, j
		}
	}
	return -1, i
}

// halfAfter reads 半 behind a unit: 两分半钟, 一小时半, an hour and a half.
func (t tokens) halfAfter(i int) (to int, part float64) {
	if j, ok := t.eat(i, "半"); ok {
		return t.skip(j, "钟"), 0.5
	}
	if j, ok := t.eat(i, "and a half"); ok {
		if _, k := t.unitAt(j); k == j { // not "an hour and a half minute"
			return j, 0.5
		}
	}
	if j, ok := t.eat(i, "and a quarter"); ok {
		return j, 0.25
	}
	return i, 0
}

// fractionsOf are parts of one unit that follows.
var fractionsOf = []struct {
	words []string
	part  float64
}{
	{[]string{"半个", "半", "half an", "half a", "a half", "half"}, 0.5},
	{[]string{"three quarters of an", "three quarters of a", "three quarter"}, 0.75},
	{[]string{"a quarter of an", "quarter of an", "a quarter of a", "quarter of a", "a quarter", "quarter"}, 0.25},
	{[]string{"四分之三个", "四分之三"}, 0.75},
	{[]string{"四分之一个", "四分之一"}, 0.25},
	{[]string{"三分之一个", "三分之一"}, 1.0 / 3},
	{[]string{"二分之一个", "二分之一"}, 0.5},
}

// halfOf reads 半小时, half an hour and quarter of an hour.
func (t tokens) halfOf(i int) (secs float64, unit, to int) {
	for _, f := range fractionsOf {
		for _, w := range f.words {
			j, ok := t.eat(i, w)
			if !ok {
				continue
			}
			if u, k := t.unitAfterHalf(j); k > j {
				return f.part * timeUnits[u].length.Seconds(), u, k
			}
		}
	}
	return 0, 0, i
}

// unitAfterHalf reads a unit, and 钟 alone: 半个钟.
func (t tokens) unitAfterHalf(i int) (unit, to int) {
	if u, j := t.unitAt(i); j > i {
		return u, j
	}
	if j, ok := t.eat(i, "钟"); ok {
		return 2, j
	}
	return -1, i
}

// bareRest reads a number without its unit behind hours or minutes: 一小时二十,
// an hour thirty. Below ten nobody leaves the unit out.
func (t tokens) bareRest(i, unit int) (secs float64, to int) {
	next := map[int]time.Duration{2: time.Minute, 4: time.Second}[unit]
	if next == 0 {
		return 0, i
	}
	v, j := t.number(i)
	if j == i || v < 10 || v > 59 || v != math.Trunc(v) {
		return 0, i
	}
	if _, k := t.unitAt(j); k > j {
		return 0, i
	}
	if _, ok := t.eatAny(j, "个", "点", "号", "月", "年", "克", "度", "块", "只", "人", "/"); ok {
		return 0, i
	}
	return v * next.Seconds(), j
}

// spans finds every length of time, in order.
func (t tokens) spans() []found {
	var all []found
	for i := 0; i < len(t.list); i++ {
		f := t.spanAt(i)
		if f.to > f.from && f.length > 0 {
			all = append(all, f)
			i = f.to - 1
		}
	}
	return all
}

// Span reads the first length of time that s tells, in Chinese or English: 一刻钟,
// 一个半小时, an hour and a half, 1h30m. ok is false when there is none.
func Span(s string) (d time.Duration, ok bool) {
	all := tokenize(s).spans()
	if len(all) == 0 {
		return 0, false
	}
	return all[0].length, true
}
