package text

import (
	"strconv"
	"strings"
)

// hanDigits are the digits of spoken Chinese; 俩 and 仨 hold their measure word.
var hanDigits = map[string]float64{
	"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
	"壹": 1, "贰": 2, "叁": 3, "俩": 2, "仨": 3, "幺": 1,
}

var hanPowers = map[string]float64{"十": 10, "百": 100, "千": 1000, "万": 10000}

var englishUnitsOf = map[string]float64{
	"zero": 0, "oh": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
}

var englishTeens = map[string]float64{
	"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
	"seventeen": 17, "eighteen": 18, "nineteen": 19,
}

var englishTens = map[string]float64{
	"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

// number reads the number at token i: digits, Chinese or English words. It
// returns the token after it, and i when there is none.
func (t tokens) number(i int) (float64, int) {
	w := t.word(i)
	if w == "" {
		return 0, i
	}
	if isDigit(rune(w[0])) {
		return t.digits(i)
	}
	if v, j := t.hanNumber(i); j > i {
		return t.hanDecimal(v, j)
	}
	return t.englishNumber(i)
}

// digits reads 12, 1.5, 1/2, 1 1/2 and 3万.
func (t tokens) digits(i int) (float64, int) {
	w := t.word(i)
	if a, b, ok := strings.Cut(w, "/"); ok {
		x, err1 := strconv.ParseFloat(a, 64)
		y, err2 := strconv.ParseFloat(b, 64)
		if err1 != nil || err2 != nil || y == 0 {
			return 0, i
		}
		return x / y, i + 1
	}
	v, err := strconv.ParseFloat(w, 64)
	if err != nil {
		return 0, i
	}
	if strings.Contains(t.word(i+1), "/") {
		if part, j := t.digits(i + 1); j > i+1 && part < 1 {
			return v + part, j
		}
	}
	if p, ok := hanPowers[t.word(i+1)]; ok && p >= 100 {
		return v * p, i + 2
	}
	return t.hanDecimal(v, i+1)
}

// hanNumber reads 十, 十五, 一百二十, 一百零五, 一百二 and 二零二六.
func (t tokens) hanNumber(i int) (float64, int) {
	var total, section, digit, power float64
	from, digits := i, 0
	for ; ; i++ {
		w := t.word(i)
		if d, ok := hanDigits[w]; ok {
			if digits > 0 && power == 0 { // digits read one by one
				d += digit * 10
			}
			digit = d
			digits++
			continue
		}
		p, ok := hanPowers[w]
		if !ok {
			break
		}
		if digit == 0 && digits == 0 && p == 10 {
			digit = 1
		}
		if p == 10000 {
			total, section, digit = (section+digit)*p, 0, 0
		} else {
			section, digit = section+digit*p, 0
		}
		power, digits = p, 0
	}
	if i == from {
		return 0, from
	}
	if power >= 100 && digits == 1 && t.word(i-2) != "零" && power < 10000 { // 一百二
		digit *= power / 10
	}
	return total + section + digit, i
}

// hanDecimal reads 点五 after a number, when a unit that cannot belong to a time
// of day follows: 一点五小时, but not 三点五分.
func (t tokens) hanDecimal(v float64, i int) (float64, int) {
	j, ok := t.eat(i, "点")
	if !ok {
		return v, i
	}
	part, scale := 0.0, 0.1
	k := j
	for ; ; k++ {
		d, ok := hanDigits[t.word(k)]
		if !ok {
			if n, err := strconv.Atoi(t.word(k)); err == nil && k == j && n < 10 {
				d, ok = float64(n), true
			}
		}
		if !ok {
			break
		}
		part, scale = part+d*scale, scale/10
	}
	if k == j {
		return v, i
	}
	if _, ok := t.eatAny(k, "分钟", "个小时", "小时", "个钟头", "钟头", "个钟", "秒", "克", "千克", "公斤", "升", "毫升", "斤", "倍"); !ok {
		return v, i
	}
	return v + part, k
}

// englishNumber reads five, twenty five, a hundred and twenty, and a couple of.
func (t tokens) englishNumber(i int) (float64, int) {
	if j, ok := t.eatAny(i, "a couple of", "couple of", "a couple"); ok {
		return 2, j
	}
	v, j := t.englishBelowHundred(i)
	if j == i {
		if k, ok := t.eat(i, "a hundred"); ok {
			return t.englishRest(100, k)
		}
		return 0, i
	}
	if k, ok := t.eat(j, "hundred"); ok {
		return t.englishRest(v*100, k)
	}
	return v, j
}

// englishRest reads and twenty after a hundred.
func (t tokens) englishRest(v float64, i int) (float64, int) {
	k := t.skip(i, "and")
	if rest, j := t.englishBelowHundred(k); j > k {
		return v + rest, j
	}
	return v, i
}

func (t tokens) englishBelowHundred(i int) (float64, int) {
	w := t.word(i)
	if v, ok := englishTens[w]; ok {
		if one, ok := englishUnitsOf[t.word(i+1)]; ok && one > 0 {
			return v + one, i + 2
		}
		return v, i + 1
	}
	if v, ok := englishTeens[w]; ok {
		return v, i + 1
	}
	if v, ok := englishUnitsOf[w]; ok {
		return v, i + 1
	}
	return 0, i
}

// Number reads s when it is one number and nothing else: 12, 1.5, 1/2, 一百二,
// twenty five.
func Number(s string) (float64, bool) {
	t := tokenize(s)
	v, j := t.number(0)
	return v, j > 0 && j == len(t.list)
}
