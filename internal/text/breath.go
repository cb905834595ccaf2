package text

import "strings"

// A voice that gives no sound of a text before all of it is computed lets one wait
// for the whole first sentence: 1.4 s for 3.5 s of speech at the 0.39 s of work for
// a second that sherpa-onnx's own table gives for a Pi 4. Breaths bounds that.
const (
	// minBreath is the weight (see maxWeight) that a piece has at least: 4 Han
	// characters or 12 letters, 0.8 s of speech; shorter ones sound chopped.
	minBreath = 4 * hanWeight
	// breathGrowth is how much longer than the piece before it a piece may be: it
	// is computed while that one sounds, in half its length or less.
	breathGrowth = 2
)

// Breaths cuts a sentence where one breathes, after commas and colons, into a
// short first piece and longer ones behind it, so that a slow voice begins soon
// and then is not caught up with. Joined, the pieces are the sentence. One without
// such a place is one piece.
func Breaths(sentence string) []string {
	var out []string
	for limit := 0; ; {
		n := breathEnd(sentence, limit)
		out = append(out, sentence[:n])
		if n == len(sentence) {
			return out
		}
		limit = breathGrowth * weighAll(sentence[:n])
		sentence = sentence[n:]
	}
}

// breathEnd is the length of the first piece of s: up to the last place to breathe
// that is within limit, else up to the first one; all of s where that is short.
func breathEnd(s string, limit int) int {
	whole, weight, end := weighAll(s), 0, 0
	if whole <= limit {
		return len(s)
	}
	l := looker{s: s, last: true}
	for i, r := range s {
		weight += weigh(r)
		if end > 0 && weight > limit {
			break
		}
		breath, _ := l.breathAfter(i, r)
		if breath && !strings.ContainsRune("、—", r) && weight >= minBreath && whole-weight >= minBreath {
			end = i + len(string(r))
		}
	}
	return firstPositive(end, len(s))
}

func weighAll(s string) int {
	sum := 0
	for _, r := range s {
		sum += weigh(r)
	}
	return sum
}
