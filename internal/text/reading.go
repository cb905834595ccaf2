package text

import (
	"regexp"
	"strconv"
	"strings"
)

// reading replaces what a voice would read wrongly or letter by letter. say gets
// the parts of a match, the whole one first; to keep a match it returns that.
type reading struct {
	match *regexp.Regexp
	say   func(m []string) string
}

// readings are tried in this order: a date before the ranges that are in it.
var readings = map[string][]reading{
	Chinese: {
		{regexp.MustCompile(`\b(\d{4})-(\d{1,2})-(\d{1,2})\b`), func(m []string) string {
			return m[1] + "年" + noZero(m[2]) + "月" + noZero(m[3]) + "日"
		}},
		{regexp.MustCompile(`\b([01]?\d|2[0-3]):([0-5]\d)\b`), chineseClock},
		{regexp.MustCompile(`(\d+)\s*/\s*(\d+)`), chineseFraction},
		{rangeSign, rangeTo("到")},
		{regexp.MustCompile(`(\d+(?:\.\d+)?)\s*%`), func(m []string) string { return "百分之" + m[1] }},
		{regexp.MustCompile(`[¥￥]\s*(\d+(?:\.\d+)?)`), func(m []string) string { return m[1] + "元" }},
		{quantity(chineseUnits), func(m []string) string { return m[1] + chineseUnits[m[2]] + m[3] }},
	},
	English: {
		{regexp.MustCompile(`\b(?:(\d+) )?(1/2|1/3|2/3|1/4|3/4)\b(?: (cup|tsp|tbsp|teaspoon|tablespoon|lb|oz)s?\b)?`), englishFraction},
		{rangeSign, rangeTo(" to ")},
		{regexp.MustCompile(`(\d)\s*%`), func(m []string) string { return m[1] + " percent" }},
		{quantity(englishUnits), func(m []string) string { return m[1] + " " + plural(m[1], m[2]) + m[3] }},
	},
}

// rangeSign finds 3-5 and 3–5, and longer chains, which are telephone numbers.
var rangeSign = regexp.MustCompile(`\d+(?:\.\d+)?(?:\s?[-–—~～]\s?\d+(?:\.\d+)?)+`)

var rangeEnds = regexp.MustCompile(`^(\d{1,4}(?:\.\d+)?)\s?[-–—~～]\s?(\d{1,4}(?:\.\d+)?)$`)

// rangeTo reads a range with word between its ends.
func rangeTo(word string) func(m []string) string {
	return func(m []string) string {
		if ends := rangeEnds.FindStringSubmatch(m[0]); ends != nil {
			return ends[1] + word + ends[2]
		}
		return m[0]
	}
}

// chineseUnits and englishUnits are units as recipes write them.
var chineseUnits = map[string]string{
	"g": "克", "kg": "千克", "mg": "毫克", "ml": "毫升", "mL": "毫升", "l": "升", "L": "升",
	"cm": "厘米", "mm": "毫米", "°C": "摄氏度", "℃": "摄氏度", "°F": "华氏度", "℉": "华氏度",
	"min": "分钟", "h": "小时", "s": "秒",
}

var englishUnits = map[string]string{
	"g": "gram", "kg": "kilogram", "mg": "milligram", "ml": "milliliter", "mL": "milliliter",
	"l": "liter", "L": "liter", "cm": "centimeter", "mm": "millimeter",
	"°C": "degree Celsius", "℃": "degree Celsius", "°F": "degree Fahrenheit", "℉": "degree Fahrenheit",
	"min": "minute", "mins": "minute", "hr": "hour", "hrs": "hour", "h": "hour", "sec": "second",
	"tbsp": "tablespoon", "tsp": "teaspoon", "oz": "ounce", "lb": "pound", "lbs": "pound",
}

// quantity finds a number with one of the units. A unit ends where no letter
// follows.
func quantity(units map[string]string) *regexp.Regexp {
	var names []string
	for u := range units {
		names = append(names, regexp.QuoteMeta(u))
	}
	return regexp.MustCompile(`(\d+(?:\.\d+)?)\s?(` + strings.Join(names, "|") + `)([^A-Za-z0-9]|$)`)
}

// readOut applies the readings of lang to one line.
func readOut(line, lang string) string {
	if !strings.ContainsAny(line, "0123456789") {
		return line
	}
	for _, r := range readings[speakable(lang)] {
		line = replaceAll(r, line)
	}
	return line
}

func replaceAll(r reading, line string) string {
	var b strings.Builder
	rest := 0
	for _, at := range r.match.FindAllStringSubmatchIndex(line, -1) {
		m := make([]string, len(at)/2)
		for i := range m {
			if at[2*i] >= 0 {
				m[i] = line[at[2*i]:at[2*i+1]]
			}
		}
		b.WriteString(line[rest:at[0]])
		b.WriteString(r.say(m))
		rest = at[1]
	}
	b.WriteString(line[rest:])
	return b.String()
}

func noZero(n string) string { return strings.TrimLeft(n, "0") }

func chineseClock(m []string) string {
	hour, _ := strconv.Atoi(m[1])
	minute, _ := strconv.Atoi(m[2])
	s := chineseHour(hour) + "点"
	switch {
	case minute == 0:
		return s
	case minute == 30:
		return s + "半"
	case minute < 10:
		s += "零"
	}
	return s + ChineseNumber(minute) + "分"
}

// chineseFraction reads proper fractions; 10/22 may be a date.
func chineseFraction(m []string) string {
	a, _ := strconv.Atoi(m[1])
	b, _ := strconv.Atoi(m[2])
	if a == 0 || a >= b || b > 10 {
		return m[0]
	}
	return ChineseNumber(b) + "分之" + ChineseNumber(a)
}

var englishFractions = map[string]string{
	"1/2": "half", "1/3": "a third", "2/3": "two thirds", "1/4": "a quarter", "3/4": "three quarters",
}

// englishFraction reads 1/2 cup as half a cup, 2/3 cup as two thirds of a cup
// and 1 1/2 cups as 1 and a half cups.
func englishFraction(m []string) string {
	whole, part, unit := m[1], englishFractions[m[2]], m[3]
	if full, ok := englishUnits[unit]; ok {
		unit = full
	}
	switch {
	case whole != "":
		if part == "half" {
			part = "a half"
		}
		if unit != "" {
			unit = " " + unit + "s"
		}
		return whole + " and " + part + unit
	case unit == "":
		return part
	case part == "half":
		return "half " + article(unit) + " " + unit
	}
	return part + " of " + article(unit) + " " + unit
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an"
	}
	return "a"
}

// plural is the unit in full, as it goes with number: degrees Celsius.
func plural(number, unit string) string {
	name := englishUnits[unit]
	if number == "1" {
		return name
	}
	first, rest, _ := strings.Cut(name, " ")
	if rest != "" {
		rest = " " + rest
	}
	return first + "s" + rest
}
