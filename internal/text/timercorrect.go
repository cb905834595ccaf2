package text

import "time"

// corrections between two amounts mean the last one.
var corrections = []string{
	"不对", "不是", "错了", "说错", "改成", "改为", "还是", "哦不", "不不", "应该是", "算了",
	"no", "sorry", "actually", "i mean", "make it", "make that", "wait", "rather", "not", "scratch that", "correction", "instead",
}

// corrected looks for the words of a correction, which are no label.
func (r *timerReader) corrected(i, j int) (found bool) {
	for ; i < j; i++ {
		if k, ok := r.eatAny(i, corrections...); ok && k <= j {
			r.mark(i, k)
			found = true
		}
	}
	return found
}

// afterCorrection is the token behind the words of a correction at i, and i where
// there are none. "Not" is none here: ten minutes, not twelve.
func (t tokens) afterCorrection(i int) int {
	for {
		j, ok := t.eatAny(i, corrections...)
		if _, not := t.eat(i, "not"); !ok || not {
			return i
		}
		i = j
	}
}

// correctedLength reads the bare number that takes the place of a length: ten
// minutes, no, twelve.
func (r *timerReader) correctedLength(f found) (found, bool) {
	i := r.afterCorrection(f.to)
	was, unitAt := r.tokens.amount(f.from)
	if i == f.to || unitAt == f.from || was <= 0 {
		return found{}, false
	}
	v, j := r.number(i)
	if j == i || j < len(r.list) && !r.endsNumber(j) {
		return found{}, false
	}
	length := time.Duration(v / was * float64(f.length)).Round(time.Second)
	return found{length: length, from: i, to: j}, length > 0
}

// tookBack marks the bare number before a correction, which is no label: for ten,
// no, twelve minutes.
func (r *timerReader) tookBack(i int) {
	for k := i - 1; k > 0 && k >= i-3; k-- {
		if r.afterCorrection(k) != i {
			continue
		}
		for n := k - 1; n >= 0 && n >= k-3; n-- {
			if _, j := r.number(n); j == k {
				r.mark(n, i)
			}
		}
	}
}

// denied: the amount at i is the one that is not meant: ten minutes, not twelve.
func (r *timerReader) denied(i int) bool {
	_, not := r.eat(i-1, "not")
	return not && len(r.said) > 0
}
