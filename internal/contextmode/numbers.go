package contextmode

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// amount is a number in a text: its value in thousandths and its unit in one
// canonical word, "" when none follows.
type amount struct {
	milli int64
	unit  string
	at    int // byte offset, for messages
}

// amounts yields the numbers of s: 17, 1.5, 1/2, 八, 二十五, 一百五十, 两, 半, eight,
// a half, 7:30, 七点半. A Chinese or English number word counts only with a unit
// behind it (一下, 一起 and "one of them" are no amounts); digits always count.
// Times are in minutes of a half day, so that 19:30 is 7:30.
func amounts(s string) iter.Seq[amount] {
	return func(yield func(amount) bool) {
		for i := 0; i < len(s); {
			n, next, ok := readAmount(s, i)
			if ok && !yield(n) {
				return
			}
			i = next
		}
	}
}

const unitTime = "time"

// readAmount reads one number at i, or passes over one rune or word.
func readAmount(s string, i int) (n amount, next int, ok bool) {
	value, end, digits := readNumber(s, i)
	if end == i {
		return n, skip(s, i), false
	}
	n = amount{milli: value, at: i}
	if after, ok := readClock(s, end, &n); ok {
		return n, after, true
	}
	unit, end := readUnit(s, end)
	n.unit = unit
	if unit == unitTime { // 8 pm, eight o'clock
		n.milli = n.milli / 1000 * 60 % 720 * 1000
		return n, end, true
	}
	if strings.HasPrefix(s[end:], "半") && unit != "" && unit != "half" { // 一个半, 八分半
		n.milli += 500
		end += len("半")
		if more, after := readUnit(s, end); more != "" { // 一个半小时
			n.unit, end = more, after
		}
	}
	return n, end, digits || unit != "" && !(n.milli == 1000 && vague[n.unit])
}

// vague units behind 一 and "one" count nothing: 一个, 一位, one piece.
var vague = map[string]bool{"piece": true, "person": true, "step": true, "times": true, "portion": true}

// readClock reads what makes a time of the hour before it.
func readClock(s string, i int, n *amount) (next int, ok bool) {
	hour := n.milli / 1000
	if hour > 24 || n.milli%1000 != 0 {
		return i, false
	}
	rest := s[i:]
	minute, end := int64(0), i
	switch {
	case strings.HasPrefix(rest, ":"), strings.HasPrefix(rest, "："):
		_, size := utf8.DecodeRuneInString(rest)
		value, after, digits := readNumber(s, i+size)
		if !digits || after-i-size != 2 {
			return i, false
		}
		minute, end = value/1000, after
	case strings.HasPrefix(rest, "点钟"):
		end = i + len("点钟")
	case strings.HasPrefix(rest, "点半"):
		minute, end = 30, i+len("点半")
	case strings.HasPrefix(rest, "点"):
		end = i + len("点")
		if value, after, _ := readNumber(s, end); after > end && value < 60_000 && value%1000 == 0 {
			minute, end = value/1000, after
			end += len(s[end:]) - len(strings.TrimPrefix(s[end:], "分"))
		} else if hour == 1 && s[n.at] >= utf8.RuneSelf {
			return i, false // 一点: a little
		}
	default:
		return i, false
	}
	if minute > 59 {
		return i, false
	}
	n.milli, n.unit = (hour*60+minute)%720*1000, unitTime
	return end, true
}

// readNumber reads digits or number words at i. end == i: there is none.
func readNumber(s string, i int) (milli int64, end int, digits bool) {
	if i >= len(s) {
		return 0, i, false
	}
	switch c := s[i]; {
	case c >= '0' && c <= '9':
		milli, end = readDigits(s, i)
		return milli, end, true
	case c < utf8.RuneSelf:
		if isLetter(c) && (i == 0 || !isLetter(s[i-1])) {
			milli, end = readEnglishNumber(s, i)
			return milli, end, false
		}
		return 0, i, false
	}
	milli, end = readHan(s, i)
	return milli, end, false
}

// maxNumber bounds what is read; more digits are no amount in a dialogue.
const maxNumber = 1_000_000_000_000

func readDigits(s string, i int) (milli int64, end int) {
	value, end := readInt(s, i)
	milli = value * 1000
	if end+1 < len(s) && s[end] == '.' && isDigit(s[end+1]) {
		scale := int64(100)
		for end++; end < len(s) && isDigit(s[end]); end++ {
			milli += int64(s[end]-'0') * scale
			scale /= 10
		}
		return milli, end
	}
	if end+1 < len(s) && s[end] == '/' && isDigit(s[end+1]) {
		if below, after := readInt(s, end+1); below > 0 {
			return value * 1000 / below, after
		}
	}
	return milli, end
}

func readInt(s string, i int) (value int64, end int) {
	for end = i; end < len(s) && isDigit(s[end]); end++ {
		value = min(value*10+int64(s[end]-'0'), maxNumber)
	}
	return value, end
}

// readHan reads a Chinese number: 八, 十七, 二十五, 一百五十, 三千, 两, 半, 零点五 is not
// spoken that way here.
func readHan(s string, i int) (milli int64, end int) {
	if strings.HasPrefix(s[i:], "半") {
		return 500, i + len("半")
	}
	total, digit, any := int64(0), int64(-1), false
	for end = i; end < len(s); {
		r, size := utf8.DecodeRuneInString(s[end:])
		value, power := hanDigit(r)
		if value < 0 && power == 0 || any && r == '两' { // 二两: the unit
			break
		}
		switch {
		case power > 0 && digit < 0:
			total += power
		case power > 0:
			total, digit = total+digit*power, -1
		case digit > 0:
			digit = min(digit*10+value, maxNumber) // 二五零 is read out by digits
		default:
			digit = value
		}
		any = true
		end += size
	}
	if !any {
		return 0, i
	}
	return (total + max(digit, 0)) * 1000, end
}

// hanDigit is the value of a numeral, or its power of ten.
func hanDigit(r rune) (value, power int64) {
	switch r {
	case '零', '〇':
		return 0, 0
	case '一':
		return 1, 0
	case '二', '两', '俩':
		return 2, 0
	case '三', '仨':
		return 3, 0
	case '四':
		return 4, 0
	case '五':
		return 5, 0
	case '六':
		return 6, 0
	case '七':
		return 7, 0
	case '八':
		return 8, 0
	case '九':
		return 9, 0
	case '十':
		return -1, 10
	case '百':
		return -1, 100
	case '千':
		return -1, 1000
	case '万':
		return -1, 10000
	}
	return -1, 0
}

var englishNumbers = map[string]int64{
	"half": 500, "one": 1000, "two": 2000, "three": 3000, "four": 4000, "five": 5000, "six": 6000, "seven": 7000,
	"eight": 8000, "nine": 9000, "ten": 10000, "eleven": 11000, "twelve": 12000, "thirteen": 13000, "fourteen": 14000,
	"fifteen": 15000, "sixteen": 16000, "seventeen": 17000, "eighteen": 18000, "nineteen": 19000, "twenty": 20000,
	"thirty": 30000, "forty": 40000, "fifty": 50000, "sixty": 60000, "seventy": 70000, "eighty": 80000, "ninety": 90000,
	"hundred": 100000,
}

// readEnglishNumber reads a number word, and a second one that belongs to it:
// twenty five, thirty-two, two hundred.
func readEnglishNumber(s string, i int) (milli int64, end int) {
	word, end := letters(s, i)
	milli, ok := numberWord(word)
	if !ok {
		return 0, i
	}
	for end+1 < len(s) && (s[end] == ' ' || s[end] == '-') {
		next, after := letters(s, end+1)
		more, ok := numberWord(next)
		switch {
		case ok && more == 100_000 && milli < 100_000:
			milli, end = milli/10*1000, after
		case ok && milli >= 20_000 && milli%10_000 == 0 && more < 10_000 && more > 500:
			milli, end = milli+more, after
		case ok && milli >= 100_000 && more < 100_000:
			milli, end = milli+more, after
		default:
			return milli, end
		}
	}
	return milli, end
}

func numberWord(word string) (int64, bool) {
	if len(word) < 3 || len(word) > 9 {
		return 0, false
	}
	if n, ok := englishNumbers[word]; ok {
		return n, true
	}
	n, ok := englishNumbers[strings.ToLower(word)]
	return n, ok
}

// letters returns the ASCII word at i.
func letters(s string, i int) (word string, end int) {
	for end = i; end < len(s) && isLetter(s[end]); end++ {
	}
	return s[i:end], end
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// skip passes over the rune or the English word at i.
func skip(s string, i int) int {
	if isLetter(s[i]) {
		_, end := letters(s, i)
		return end
	}
	if s[i] < utf8.RuneSelf {
		return i + 1
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	return i + size
}

// hanUnits are Chinese measures, longest first where one begins another, with
// the canonical unit.
var hanUnits = []struct{ word, unit string }{
	{"分钟", "minute"}, {"小时", "hour"}, {"钟头", "hour"}, {"秒钟", "second"}, {"毫升", "ml"}, {"千克", "kg"}, {"公斤", "kg"},
	{"摄氏度", "degree"}, {"汤匙", "spoon"}, {"茶匙", "teaspoon"}, {"调羹", "spoon"}, {"大勺", "spoon"}, {"小勺", "teaspoon"}, {"厘米", "cm"}, {"毫米", "mm"},
	{"个人", "person"}, {"口人", "person"}, {"人份", "person"}, {"个小时", "hour"}, {"个钟头", "hour"},
	{"分", "minute"}, {"秒", "second"}, {"克", "gram"}, {"斤", "jin"}, {"两", "liang"}, {"升", "liter"}, {"勺", "spoon"}, {"匙", "spoon"},
	{"杯", "cup"}, {"碗", "bowl"}, {"度", "degree"}, {"人", "person"}, {"位", "person"}, {"块", "piece"}, {"片", "slice"}, {"根", "stick"},
	{"只", "piece"}, {"条", "piece"}, {"颗", "piece"}, {"粒", "piece"}, {"瓣", "clove"}, {"把", "handful"}, {"包", "bag"}, {"盒", "box"}, {"瓶", "bottle"},
	{"岁", "year"}, {"天", "day"}, {"步", "step"}, {"成", "tenth"}, {"倍", "times"}, {"份", "portion"}, {"元", "yuan"}, {"个", "piece"}, {"遍", "times"}, {"次", "times"}, {"寸", "inch"},
}

var englishUnits = map[string]string{
	"minute": "minute", "minutes": "minute", "min": "minute", "mins": "minute", "second": "second", "seconds": "second", "sec": "second",
	"hour": "hour", "hours": "hour", "gram": "gram", "grams": "gram", "g": "gram", "kg": "kg", "kilogram": "kg", "kilograms": "kg", "kilo": "kg", "kilos": "kg",
	"ml": "ml", "milliliters": "ml", "l": "liter", "liter": "liter", "liters": "liter", "litre": "liter", "litres": "liter", "cm": "cm", "mm": "mm",
	"tablespoon": "spoon", "tablespoons": "spoon", "spoon": "spoon", "spoons": "spoon", "tbsp": "spoon", "teaspoon": "teaspoon", "teaspoons": "teaspoon", "tsp": "teaspoon",
	"cup": "cup", "cups": "cup", "bowl": "bowl", "bowls": "bowl", "degree": "degree", "degrees": "degree", "person": "person", "people": "person",
	"servings": "person", "serving": "person", "guests": "person", "piece": "piece", "pieces": "piece", "slice": "slice", "slices": "slice",
	"clove": "clove", "cloves": "clove", "egg": "piece", "eggs": "piece", "days": "day", "day": "day", "years": "year", "step": "step", "steps": "step",
	"percent": "percent", "ounces": "ounce", "ounce": "ounce", "oz": "ounce", "pounds": "pound", "pound": "pound", "lb": "pound", "lbs": "pound", "times": "times",
	"pm": unitTime, "am": unitTime,
}

// readUnit reads the measure at i, a space before it allowed.
func readUnit(s string, i int) (unit string, end int) {
	j := i
	for j < len(s) && (s[j] == ' ' || s[j] == '-') && j-i < 2 {
		j++
	}
	if j >= len(s) {
		return "", i
	}
	switch {
	case s[j] == '%':
		return "percent", j + 1
	case isLetter(s[j]):
		return readEnglishUnit(s, i, j)
	case strings.HasPrefix(s[j:], "℃"), strings.HasPrefix(s[j:], "°"):
		_, size := utf8.DecodeRuneInString(s[j:])
		return "degree", j + size
	}
	for _, u := range hanUnits {
		if strings.HasPrefix(s[j:], u.word) {
			if u.word == "个" { // 个小时, 个人: the word behind it is the unit
				if more, after := readUnit(s, j+len(u.word)); more != "" {
					return more, after
				}
			}
			return u.unit, j + len(u.word)
		}
	}
	return "", i
}

// readEnglishUnit reads the word at j; "half an hour" and "half a cup" too.
func readEnglishUnit(s string, i, j int) (unit string, end int) {
	word, end := letters(s, j)
	if word == "a" || word == "an" || word == "of" {
		if end < len(s) && s[end] == ' ' {
			if unit, after := readEnglishUnit(s, i, end+1); unit != "" && len(word) < 3 {
				return unit, after
			}
		}
		return "", i
	}
	if rest := s[end:]; word == "o" && (strings.HasPrefix(rest, "'clock") || strings.HasPrefix(rest, "’clock")) {
		return unitTime, end
	}
	if len(word) > 12 {
		return "", i
	}
	if u := englishUnits[word]; u != "" {
		return u, end
	}
	if u := englishUnits[strings.ToLower(word)]; u != "" {
		return u, end
	}
	return "", i
}
