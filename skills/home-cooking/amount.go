package homecooking

import (
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"homebot/internal/lazyregexp"
)

// Amount is how much, exactly: a number, or a range when High is set. Amounts
// are fractions, so that scaling never loses anything.
type Amount struct {
	Low, High *big.Rat // High is nil for a single number
}

// Times is the amount multiplied by f.
func (a Amount) Times(f *big.Rat) Amount {
	b := Amount{Low: new(big.Rat).Mul(a.Low, f)}
	if a.High != nil {
		b.High = new(big.Rat).Mul(a.High, f)
	}
	return b
}

// Plus is the amount with x added.
func (a Amount) Plus(x *big.Rat) Amount {
	b := Amount{Low: new(big.Rat).Add(a.Low, x)}
	if a.High != nil {
		b.High = new(big.Rat).Add(a.High, x)
	}
	return b
}

// vulgar are the fractions with a character of their own.
var vulgar = map[rune]string{
	'½': "1/2", '⅓': "1/3", '⅔': "2/3", '¼': "1/4", '¾': "3/4", '⅕': "1/5", '⅖': "2/5", '⅗': "3/5", '⅘': "4/5",
	'⅙': "1/6", '⅚': "5/6", '⅛': "1/8", '⅜': "3/8", '⅝': "5/8", '⅞': "7/8",
}

var hanDigits = map[rune]int64{'零': 0, '〇': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}

var (
	mixedNumber = lazyregexp.New(`^(\d+)\s+(\d+)/(\d+)`)
	fraction    = lazyregexp.New(`^(\d+)/(\d+)`)
	decimal     = lazyregexp.New(`^\d+(?:\.\d+)?`)
	hanNumber   = lazyregexp.New(`^(?:[一二两三四五六七八九]?百)?(?:零|[一二两三四五六七八九]?十)?[零〇一二两三四五六七八九]?`)
	rangeMark   = lazyregexp.New(`^\s*(?:-|–|—|~|～|到|至|to\b)\s*`)
)

// maxNumber bounds a number in a recipe; beyond it a typing error is likely.
const maxDigits = 9

// cutNumber reads one number at the beginning of s.
func cutNumber(s string) (*big.Rat, string, bool) {
	if m := mixedNumber.FindStringSubmatch(s); m != nil {
		whole, part := rat(m[1]), rat(m[2]+"/"+m[3])
		if whole == nil || part == nil {
			return nil, s, false
		}
		return whole.Add(whole, part), s[len(m[0]):], true
	}
	if m := fraction.FindString(s); m != "" {
		x := rat(m)
		return x, s[len(m):], x != nil
	}
	if m := decimal.FindString(s); m != "" {
		x, rest := rat(m), s[len(m):]
		if x == nil {
			return nil, s, false
		}
		if v, size := utf8.DecodeRuneInString(rest); vulgar[v] != "" && !strings.Contains(m, ".") {
			return x.Add(x, rat(vulgar[v])), rest[size:], true
		}
		return x, rest, true
	}
	r, size := utf8.DecodeRuneInString(s)
	if v := vulgar[r]; v != "" {
		return rat(v), s[size:], true
	}
	if r == '半' {
		return big.NewRat(1, 2), s[size:], true
	}
	return cutHan(s)
}

// rat reads "3", "1.5" or "3/4"; nil when it is none, or absurd.
func rat(s string) *big.Rat {
	if len(s) > 2*maxDigits+1 {
		return nil
	}
	x, ok := new(big.Rat).SetString(s)
	if !ok {
		return nil
	}
	return x
}

// cutHan reads 三, 十二, 二十, 一百五十. A lone unit 两 is no number before it.
func cutHan(s string) (*big.Rat, string, bool) {
	m := hanNumber.FindString(s)
	if m == "" || m == "零" {
		return nil, s, false
	}
	var sum, digit int64
	for _, r := range m {
		switch r {
		case '百':
			sum, digit = sum+100*max(digit, 1), 0
		case '十':
			sum, digit = sum+10*max(digit, 1), 0
		default:
			digit = hanDigits[r]
		}
	}
	return big.NewRat(sum+digit, 1), s[len(m):], true
}

// CutAmount reads an amount at the beginning of s: 300, 1.5, 1/2, 1 1/2, ½, 2-3,
// 半, 三, 两到三. ok is false when there is none.
func CutAmount(s string) (a Amount, rest string, ok bool) {
	low, rest, ok := cutNumber(s)
	if !ok {
		return Amount{}, s, false
	}
	if mark := rangeMark.FindString(rest); mark != "" {
		if high, after, ok := cutNumber(rest[len(mark):]); ok && high.Cmp(low) > 0 {
			return Amount{low, high}, after, true
		}
	}
	return Amount{Low: low}, rest, true
}

// approx says that a number was rounded; the reader must know.
func approx(lang string) string {
	if lang == "zh" {
		return "约 "
	}
	return "about "
}

// Format writes an amount so that it reads well in lang and means the same: exact
// where that is short, else rounded to three digits and marked as such. metric
// amounts are decimal, others in fractions.
func (a Amount) Format(metric bool, lang string) string {
	low, exact := formatNumber(a.Low, metric)
	s := low
	if a.High != nil {
		high, e := formatNumber(a.High, metric)
		if exact = exact && e; !exact {
			low, high = rounded(a.Low), rounded(a.High)
		}
		if s = low + "-" + high; low == high { // both rounded to the same
			s = low
		}
	}
	if exact {
		return s
	}
	return approx(lang) + s
}

// About writes an amount that rests on something measured, such as a density:
// marked, and with no more digits than that can mean.
func (a Amount) About(metric bool, lang string) string {
	short := func(x *big.Rat) string {
		if s, exact := formatNumber(x, metric); exact && (!metric || x.IsInt()) {
			return s
		}
		return rounded(x)
	}
	s := short(a.Low)
	if a.High != nil {
		if high := short(a.High); high != s {
			s += "-" + high
		}
	}
	return approx(lang) + s
}

// kitchenParts are the parts that a measuring spoon or an eye can tell.
var kitchenParts = []int64{2, 3, 4, 8}

func formatNumber(x *big.Rat, metric bool) (s string, exact bool) {
	if x.IsInt() {
		return x.Num().String(), true
	}
	if !metric && x.Denom().IsInt64() && slices.Contains(kitchenParts, x.Denom().Int64()) {
		whole, part := new(big.Int).QuoRem(x.Num(), x.Denom(), new(big.Int))
		s := part.String() + "/" + x.Denom().String()
		if whole.Sign() == 0 {
			return s, true
		}
		return whole.String() + " " + s, true
	}
	for digits := 1; digits <= 2; digits++ {
		s := x.FloatString(digits)
		if y := rat(s); y != nil && y.Cmp(x) == 0 {
			return s, true
		}
	}
	return rounded(x), false
}

// rounded keeps three significant digits: an error of at most half a percent.
func rounded(x *big.Rat) string {
	digits := 2
	for y := new(big.Rat).Set(x); y.Cmp(big.NewRat(10, 1)) >= 0 && digits > 0; digits-- {
		y.Mul(y, big.NewRat(1, 10))
	}
	for y := new(big.Rat).Set(x); y.Sign() > 0 && y.Cmp(big.NewRat(1, 1)) < 0 && digits < 9; digits++ {
		y.Mul(y, big.NewRat(10, 1))
	}
	s := x.FloatString(digits)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
