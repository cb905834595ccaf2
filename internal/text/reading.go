package text

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"homebot/internal/lazyregexp"
)

// reading replaces what a voice would read wrongly or letter by letter. say gets
// the parts of a match, the whole one first; to keep a match it returns that.
type reading struct {
	match *lazyregexp.Regexp
	say   func(m []string) string
}

// readings are tried in this order: a date before the ranges that are in it, a
// range before the unit behind it.
var readings = map[string][]reading{
	Chinese: {
		{isoDate, chineseISODate},
		{thousands, func(m []string) string { return strings.ReplaceAll(m[0], ",", "") }},
		{lazyregexp.New(`\b([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?\b`), chineseClock},
		{lazyregexp.New(`([点分半秒])\s?[-–—~～]\s?([零一二三四五六七八九十两])`), func(m []string) string { return m[1] + "到" + m[2] }},
		{lazyregexp.New(`\b(\d{1,3}):(\d{1,2})\b`), func(m []string) string { return m[1] + "比" + m[2] }},
		{lazyregexp.New(`(?:(\d+)[ 又])?(\d+)\s*/\s*(\d+)`), chineseFraction},
		{belowZero, func(m []string) string { return m[1] + "零下" + m[2] + m[3] }},
		{rangeSign, rangeTo("到")},
		{percent("到"), func(m []string) string { return "百分之" + m[1] }},
		{money("到"), func(m []string) string { return m[2] + chineseMoney[m[1]] }},
		{quantity(chineseUnits), func(m []string) string { return m[1] + chineseUnits[m[2]] + m[3] }},
		{lazyregexp.New(`(\d[\p{Han}]{1,3})\s?[-–—~～]\s?(\d)`), func(m []string) string { return m[1] + "到" + m[2] }},
		{lazyregexp.New(`(\d)\s?°`), func(m []string) string { return m[1] + "度" }},
		{lazyregexp.New(`(\d[\p{Han}]{0,4})/(\p{Han})`), func(m []string) string { return m[1] + "每" + m[2] }},
		{lazyregexp.New(`(\d[\p{Han}]{0,4})\s*=\s*(\d)`), func(m []string) string { return m[1] + "等于" + m[2] }},
		{lazyregexp.New(`\s*([×÷])\s*(\d)`), func(m []string) string { return map[string]string{"×": "乘", "÷": "除以"}[m[1]] + m[2] }},
	},
	English: {
		{isoDate, englishISODate},
		{lazyregexp.New(`\b(?:(\d+) )?(\d{1,2}/\d{1,2})\b(?: (cup|tsp|tbsp|teaspoon|tablespoon|lb|oz|pound|ounce|liter|inch|hours?|hrs?|h|minutes?|mins?|min)(?:es|s)?\b)?`), englishFraction},
		{belowZero, func(m []string) string { return m[1] + "minus " + m[2] + m[3] }},
		{rangeSign, rangeTo(" to ")},
		{percent(" to "), func(m []string) string { return m[1] + " percent" }},
		{money(" to "), func(m []string) string { return m[2] + " " + englishMoney(m[1], m[2]) }},
		{quantity(englishUnits), func(m []string) string { return m[1] + " " + plural(m[1], m[2]) + m[3] }},
		{lazyregexp.New(`(\d)\s?°`), func(m []string) string { return m[1] + " degrees" }},
		{lazyregexp.New(`\s*([×÷])\s*(\d)`), func(m []string) string { return map[string]string{"×": " times ", "÷": " divided by "}[m[1]] + m[2] }},
	},
}

var (
	isoDate   = lazyregexp.New(`\b(\d{4})([-/.])(\d{1,2})([-/.])(\d{1,2})\b`)
	thousands = lazyregexp.New(`\b\d{1,3}(?:,\d{3})+`)
	belowZero = lazyregexp.New(`(^|[^\dA-Za-z.)])[-−](\d+(?:\.\d+)?)(\s?(?:°C|℃|°F|℉|°|度|degrees))`)
)

// percent finds a number, or a range that was read with word, before %.
func percent(word string) *lazyregexp.Regexp {
	return lazyregexp.New(`(\d+(?:\.\d+)?(?:` + word + `\d+(?:\.\d+)?)?)\s*[%％]`)
}

// money finds a sign before a number or a range.
func money(word string) *lazyregexp.Regexp {
	return lazyregexp.New(`([¥￥$€£])\s*(\d+(?:,\d{3})*(?:\.\d+)?(?:` + word + `\d+(?:\.\d+)?)?)`)
}

var chineseMoney = map[string]string{"¥": "元", "￥": "元", "$": "美元", "€": "欧元", "£": "英镑"}

func englishMoney(sign, amount string) string {
	name := map[string]string{"¥": "yuan", "￥": "yuan", "$": "dollar", "€": "euro", "£": "pound"}[sign]
	if amount == "1" || name == "yuan" {
		return name
	}
	return name + "s"
}

// signs are read by themselves, whether a number stands there or not.
var signs = map[string]*strings.Replacer{
	Chinese: strings.NewReplacer("±", "正负", "≈", "约", "≥", "大于等于", "≤", "小于等于", "→", "，", "⇒", "，", " & ", "和", "&", "和", "№", "第"),
	English: strings.NewReplacer("±", "plus or minus ", "≈", "about ", "≥", "at least ", "≤", "at most ", "→", ",", "⇒", ",", " & ", " and ", "№", "number "),
}

// rangeSign finds 3-5 and 3–5, and longer chains, which are telephone numbers.
var rangeSign = lazyregexp.New(`\d+(?:\.\d+)?(?:\s?[-–—~～]\s?\d+(?:\.\d+)?)+`)

var rangeEnds = lazyregexp.New(`^(\d{1,4}(?:\.\d+)?)\s?[-–—~～]\s?(\d{1,4}(?:\.\d+)?)$`)

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
	"g": "克", "kg": "千克", "KG": "千克", "Kg": "千克", "mg": "毫克", "ml": "毫升", "mL": "毫升", "ML": "毫升", "cc": "毫升",
	"l": "升", "L": "升", "dl": "分升", "cl": "厘升", "m": "米", "km": "公里", "cm": "厘米", "mm": "毫米",
	"km/h": "公里每小时", "m/s": "米每秒", "kcal": "千卡", "cal": "卡", "kJ": "千焦", "W": "瓦", "kW": "千瓦", "V": "伏",
	"°C": "摄氏度", "℃": "摄氏度", "°F": "华氏度", "℉": "华氏度", "C": "摄氏度", "F": "华氏度",
	"min": "分钟", "mins": "分钟", "h": "小时", "hr": "小时", "hrs": "小时", "s": "秒", "sec": "秒",
	"tbsp": "汤匙", "tsp": "茶匙", "cup": "杯", "cups": "杯", "oz": "盎司", "lb": "磅", "lbs": "磅",
}

var englishUnits = map[string]string{
	"g": "gram", "kg": "kilogram", "mg": "milligram", "ml": "milliliter", "mL": "milliliter",
	"l": "liter", "L": "liter", "dl": "deciliter", "m": "meter", "km": "kilometer", "cm": "centimeter", "mm": "millimeter",
	"km/h": "kilometer per hour", "mph": "mile per hour", "m/s": "meter per second", "kcal": "kilocalorie", "kJ": "kilojoule", "W": "watt", "kW": "kilowatt", "V": "volt",
	"°C": "degree Celsius", "℃": "degree Celsius", "°F": "degree Fahrenheit", "℉": "degree Fahrenheit",
	"C": "degree Celsius", "F": "degree Fahrenheit",
	"min": "minute", "mins": "minute", "hr": "hour", "hrs": "hour", "h": "hour", "sec": "second", "secs": "second", "s": "second",
	"tbsp": "tablespoon", "tsp": "teaspoon", "oz": "ounce", "lb": "pound", "lbs": "pound",
}

// quantity finds a number with one of the units, longer ones first. A unit ends
// where no letter follows.
func quantity(units map[string]string) *lazyregexp.Regexp {
	var names []string
	for u := range units {
		names = append(names, regexp.QuoteMeta(u))
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return lazyregexp.New(`(\d+(?:\.\d+)?)\s?(` + strings.Join(names, "|") + `)([^A-Za-z0-9²³]|$)`)
}

// readOut applies the readings of lang to one line.
func readOut(line, lang string) string {
	line = signs[speakable(lang)].Replace(line)
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

// isDate: the parts of isoDate are a date, whose two signs are the same.
func isDate(m []string) (month, day int, ok bool) {
	month, _ = strconv.Atoi(m[3])
	day, _ = strconv.Atoi(m[5])
	return month, day, m[2] == m[4] && month >= 1 && month <= 12 && day >= 1 && day <= 31
}

func chineseISODate(m []string) string {
	if _, _, ok := isDate(m); !ok {
		return m[0]
	}
	return m[1] + "年" + noZero(m[3]) + "月" + noZero(m[5]) + "日"
}

func englishISODate(m []string) string {
	month, day, ok := isDate(m)
	if !ok {
		return m[0]
	}
	return time.Month(month).String() + " " + ordinal(day) + ", " + m[1]
}

func chineseClock(m []string) string {
	hour, _ := strconv.Atoi(m[1])
	minute, _ := strconv.Atoi(m[2])
	s := chineseHour(hour) + "点"
	switch {
	case m[3] != "":
		second, _ := strconv.Atoi(m[3])
		return s + ChineseNumber(minute) + "分" + ChineseNumber(second) + "秒"
	case minute == 0:
		return s
	case minute == 30:
		return s + "半"
	case minute < 10:
		s += "零"
	}
	return s + ChineseNumber(minute) + "分"
}

// chineseFraction reads proper fractions, and mixed numbers; 10/22 may be a date.
func chineseFraction(m []string) string {
	a, _ := strconv.Atoi(m[2])
	b, _ := strconv.Atoi(m[3])
	if a == 0 || a >= b || b > 10 {
		return m[0]
	}
	part := ChineseNumber(b) + "分之" + ChineseNumber(a)
	if m[1] != "" {
		return m[1] + "又" + part
	}
	return part
}

var englishFractions = map[string]string{
	"1/2": "half", "1/3": "a third", "2/3": "two thirds", "1/4": "a quarter", "3/4": "three quarters",
	"1/5": "a fifth", "2/5": "two fifths", "3/5": "three fifths", "4/5": "four fifths", "1/6": "a sixth", "5/6": "five sixths",
	"1/8": "an eighth", "3/8": "three eighths", "5/8": "five eighths", "7/8": "seven eighths", "1/10": "a tenth",
}

// englishFraction reads 1/2 cup as half a cup, 2/3 cup as two thirds of a cup
// and 1 1/2 cups as 1 and a half cups.
func englishFraction(m []string) string {
	whole, part, unit := m[1], englishFractions[m[2]], m[3]
	if part == "" {
		return m[0]
	}
	if full, ok := englishUnits[unit]; ok {
		unit = full
	}
	unit = strings.TrimSuffix(unit, "s")
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
	if strings.ContainsRune("aeiou", rune(noun[0])) || noun == "hour" {
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
