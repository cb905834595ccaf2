package text

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"homebot/internal/lazyregexp"
)

// Signals are what a recogniser says about its own words. Zero fields are
// unknown.
type Signals struct {
	NoSpeech float64       // probability that nothing was said, 0 to 1
	LogProb  float64       // mean log probability of the words, negative
	Audio    time.Duration // how much sound the words were read from
	Wake     []string      // the wake phrases; nil means the default ones
}

// Limits of belief (V10). The first two are those whisper itself uses; nobody
// says ten syllables or thirty letters in a second.
const (
	noSpeechLikely  = 0.6
	logProbPoor     = -1.0
	maxHanSecond    = 10
	maxLetterSecond = 30
)

// Heard is a transcript as it can be matched and understood (V10): Simplified,
// without white space between Han, fillers and what is left of the wake phrase.
// What recognisers make up from silence gives "". Nothing else is taken away: no
// number, unit or negation. The gate and the record get the words as they came.
func Heard(s, lang string, signals Signals) string {
	s = readable(s)
	if madeUp(s, signals) {
		return ""
	}
	s = withoutMadeUp(s)
	for {
		before := s
		s = withoutWake(s, signals.Wake)
		s = withoutFillers(s)
		s = strings.TrimFunc(s, isEdge)
		if s == before {
			break
		}
	}
	s = joinLetters(JoinHan(s))
	if onlyFiller(s) || s != "" && madeUp(s, signals) {
		return ""
	}
	return s
}

// readable folds full-width letters, keeps Chinese punctuation and makes the
// script Simplified. White space becomes single spaces; between Han it stays for
// the moment, because recognisers mark words by it.
func readable(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		if r >= 0xFF01 && r <= 0xFF5E && (isDigit(r-0xFEE0) || unicode.IsLetter(r-0xFEE0)) {
			return r - 0xFEE0
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(apostrophes.Replace(s)), " ")
	return ToSimplified(s)
}

// isEdge is what may go at both ends: marks and white space that say nothing. A
// question mark says something, and so do signs that belong to a number.
func isEdge(r rune) bool {
	if strings.ContainsRune("?？%°℃℉¥￥$€£-−+'\"”’)]）】", r) {
		return false
	}
	return unicode.IsSpace(r) || unicode.IsPunct(r) || r == '♪' || r == '♫'
}

var bracketed = lazyregexp.New(`^\s*(?:[\[(（【*♪♫][^\])）】*♪♫]*[\])）】*♪♫]\s*)+[.。]?$`)

// madeUp reports whether all of s was made up from silence.
func madeUp(s string, g Signals) bool {
	flat := flatten(s)
	switch {
	case flat == "", bracketed.MatchString(s):
		return true
	case isPhantom(flat):
		return true
	case g.NoSpeech > noSpeechLikely && g.LogProb < logProbPoor:
		return true
	case (g.NoSpeech > noSpeechLikely || g.LogProb < logProbPoor) && slices.Contains(weakPhantoms, flat):
		return true
	}
	return tooFast(s, g.Audio)
}

// flatten is the form in which phantoms are listed: letters and digits alone.
func flatten(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, Normalize(s))
}

func tooFast(s string, audio time.Duration) bool {
	if audio <= 0 {
		return false
	}
	han, letters := 0, 0
	for _, r := range s {
		if IsHan(r) {
			han++
		} else if unicode.IsLetter(r) {
			letters++
		}
	}
	secs := audio.Seconds()
	return han > 5 && float64(han) > maxHanSecond*secs || letters > 15 && float64(letters) > maxLetterSecond*secs
}

func isPhantom(flat string) bool {
	for _, p := range phantoms {
		if p.MatchString(flat) {
			return true
		}
	}
	return false
}

// withoutMadeUp drops sentences that were made up behind or before real ones.
func withoutMadeUp(s string) string {
	var kept []string
	for _, part := range Sentences(s) {
		if flat := flatten(part); flat == "" || !isPhantom(flat) {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "")
}

var defaultWake = []string{"你好小厨", "hey home bot"} // V1

// withoutWake takes the wake phrase, or what the recogniser left of it, off the
// beginning.
func withoutWake(s string, wake []string) string {
	if wake == nil {
		wake = defaultWake
	}
	for _, w := range slices.Concat(wake, wakeResidue) {
		if rest, ok := cutWords(s, w); ok {
			return rest
		}
	}
	return s
}

// cutWords takes words off the beginning of s, whatever white space, case and
// punctuation stand between and after them. Latin words are whole, and Chinese
// ones of two characters must be followed by a pause: 小厨房 is no wake phrase.
func cutWords(s, words string) (rest string, ok bool) {
	want := []rune(flatten(words))
	i := 0
	for at, r := range s {
		if i == len(want) {
			return afterWords(s[at:], want)
		}
		if unicode.IsSpace(r) || unicode.IsPunct(r) {
			continue
		}
		if len([]rune(flatten(string(r)))) != 1 || []rune(flatten(string(r)))[0] != want[i] {
			return s, false
		}
		i++
	}
	if i == len(want) && i > 0 {
		return "", true
	}
	return s, false
}

func afterWords(rest string, want []rune) (string, bool) {
	next, _ := utf8.DecodeRuneInString(rest)
	last := want[len(want)-1]
	glued := !unicode.IsSpace(next) && !unicode.IsPunct(next)
	if glued && (!IsHan(last) && !IsHan(next) || IsHan(last) && len(want) <= 2) {
		return rest, false
	}
	return strings.TrimLeftFunc(rest, isEdge), true
}

// withoutFillers takes fillers out: at the beginning, and elsewhere where white
// space or marks stand on both sides.
func withoutFillers(s string) string {
	words := splitKeeping(s)
	var b strings.Builder
	real := false // a real word was kept
	dropped := true
	for i, w := range words {
		switch {
		case isFiller(w, real, dropped) && followed(words[i+1:]):
			dropped = true
			continue
		case strings.TrimFunc(w, isPause) == "":
			if !real {
				continue
			}
		default:
			real, dropped = true, false
		}
		b.WriteString(w)
	}
	return leadingFiller(b.String())
}

// followed: something that is no filler comes later. A filler alone may be an
// answer.
func followed(words []string) bool {
	for _, w := range words {
		if strings.TrimFunc(w, isPause) != "" && !slices.Contains(strictFillers, strings.ToLower(w)) {
			return true
		}
	}
	return false
}

func isPause(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune(",，、.。…!！;；—-~～", r)
}

// splitKeeping cuts s into words and the pauses between them.
func splitKeeping(s string) []string {
	var out []string
	from := 0
	runes := []rune(s)
	for i := 1; i <= len(runes); i++ {
		if i == len(runes) || isPause(runes[i]) != isPause(runes[i-1]) {
			out = append(out, string(runes[from:i]))
			from = i
		}
	}
	return out
}

func isFiller(w string, real, dropped bool) bool {
	w = strings.ToLower(w)
	if slices.Contains(strictFillers, w) {
		return true
	}
	return !real && dropped && slices.Contains(openings, w)
}

// leadingFiller takes 嗯 and its kin off words they are glued to.
func leadingFiller(s string) string {
	for _, f := range gluedFillers {
		rest, ok := strings.CutPrefix(s, f)
		if !ok || strings.TrimFunc(rest, isEdge) == "" {
			continue
		}
		for _, o := range openings {
			if after, ok := strings.CutPrefix(rest, o); ok && IsHan([]rune(o)[0]) && strings.TrimFunc(after, isEdge) != "" {
				return after
			}
		}
		return rest
	}
	return s
}

// onlyFiller: nothing but a noise. 嗯 and hmm may be a yes and stay.
func onlyFiller(s string) bool {
	return slices.Contains(noises, strings.ToLower(strings.TrimFunc(s, isEdge)))
}

// joinLetters puts letters spelt one by one together: O K is OK.
func joinLetters(s string) string {
	words := strings.Fields(s)
	var b strings.Builder
	for i, w := range words {
		if i > 0 && !(spelt(words[i-1]) && spelt(w)) {
			b.WriteByte(' ')
		}
		b.WriteString(w)
	}
	return b.String()
}

// spelt: one capital letter, or one with Han behind it, but not I and A, which
// are words.
func spelt(w string) bool {
	r, size := utf8.DecodeRuneInString(w)
	if !unicode.IsUpper(r) || IsHan(r) || w == "I" || w == "A" {
		return false
	}
	next, _ := utf8.DecodeRuneInString(w[size:])
	return size == len(w) || IsHan(next) || len(w) <= 4 && strings.ToUpper(w) == w
}
