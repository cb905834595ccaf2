package agent

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"homebot/internal/lazyregexp"
	"homebot/internal/text"
)

// claim of a sentence about the run mode.
type modeClaim int

const (
	claimsNothing modeClaim = iota
	claimsOn                // a mode was entered, or is on
	claimsOff               // a mode was left, or is off
)

// onClaims are clauses that claim that a mode was entered or is on, offClaims
// that it was left or is off, in both languages.
var (
	onClaims = []*lazyregexp.Regexp{
		lazyregexp.New(`(已经|已|帮你|帮您|给你|给您|为你|为您|这就|马上|正在|成功|现在)[^。！？]{0,8}(打开|开启|进入|启动|启用|切换|切到|开始|激活)`),
		lazyregexp.New(`(打开|开启|启动|启用|激活|进入|切换|切换到|切到|开)(了|啦|好了|好啦|成功|完成|完毕|中|着)`),
		lazyregexp.New(`(打开|开启|启动|启用|激活|进入|切换到|切到|换到|换成)[^。！？]{0,12}(了|啦)$`),
		lazyregexp.New(`^(好的?|行)?(打开|开启|启动|启用|进入|切换到)[^。！？]{0,10}模式$`),
		lazyregexp.New(`(欢迎来到|欢迎进入|现在是|现在在|处于|进到|来到)[^。！？]{0,10}模式`),
		lazyregexp.New(`\b(is|are|has been|was|now|already)\s+(now |already |currently |still )?(on|open|opened|active|activated|enabled|entered|started|running)\b`),
		lazyregexp.New(`'s\s+(now |already )?(on|open|opened|active|activated|enabled|started|running)\b`),
		lazyregexp.New(`\b(opened|entered|activated|enabled|launched|started|switched to|turned on|turned it on)\b`),
		lazyregexp.New(`\b(opening|entering|activating|enabling|launching|starting|switching to|turning on|welcome to)\b`),
		lazyregexp.New(`\b(you are|you're|we are|we're)\s+(now )?in\b`),
		lazyregexp.New(`\bmode\s+(on|open|activated|enabled)\b`),
	}
	offClaims = []*lazyregexp.Regexp{
		lazyregexp.New(`(已经|已|帮你|帮您|给你|给您|为你|为您|这就|马上|正在|成功|现在)[^。！？]{0,8}(关闭|关掉|关上|退出|结束|停止|离开|归档|停用)`),
		lazyregexp.New(`(关闭|关掉|关|退出|结束|停止|离开|归档|停用)(了|啦|好了|好啦|成功|完成|完毕|中)`),
		lazyregexp.New(`(关闭|关掉|退出|结束|停止|离开)[^。！？]{0,12}(了|啦)$`),
		lazyregexp.New(`^(好的?|行)?(关闭|退出|结束|离开)[^。！？]{0,10}模式$`),
		lazyregexp.New(`(回到|恢复|返回|切回)[^。！？]{0,6}(普通|正常|日常|平常)`),
		lazyregexp.New(`\b(is|are|has been|was|now|already)\s+(now |already |currently )?(off|closed|ended|inactive|deactivated|disabled|over|finished|stopped|archived)\b`),
		lazyregexp.New(`'s\s+(now |already )?(off|closed|ended|inactive|deactivated|disabled|over|finished|stopped)\b`),
		lazyregexp.New(`\b(closed|exited|left|ended|deactivated|disabled|quit|turned off|turned it off|stopped)\b`),
		lazyregexp.New(`\b(closing|exiting|leaving|ending|deactivating|disabling|quitting|turning off|stopping)\b`),
		lazyregexp.New(`\bmode\s+(off|closed|deactivated|disabled)\b`),
	}
	// modeDenials say that nothing was done, ask, or tell what would be; they are
	// no claims.
	modeDenials = lazyregexp.New(`没|未|不|别|无法|吗|要么|如果|要是|才能|就可以|就能|是否|之前|上次|昨天|刚才|再说|可以说|请说|\b(not|no|can't|cannot|couldn't|haven't|didn't|isn't|wasn't|aren't|won't|unable|shall|should|do you want|would you like|if|when|before|last time|yesterday|say|until)\b`)
	// aboutMode marks a sentence about run modes; a short one needs no mark where
	// the user's words named a mode.
	aboutMode = lazyregexp.New(`模式|\bmode\b`)
)

// shortClaim is the length in runes of a sentence like "好的，已经打开啦！".
const shortClaim = 14

// readModeClaim is what one sentence claims about the run mode.
func readModeClaim(sentence string) modeClaim {
	plain := text.JoinHan(text.Normalize(sentence))
	if !aboutMode.MatchString(plain) && utf8.RuneCountInString(plain) > shortClaim {
		return claimsNothing
	}
	for _, c := range ownClauses(sentence) {
		switch {
		case strings.Contains(sentence, "？") || strings.Contains(sentence, "?") || modeDenials.MatchString(c) || othersDeed(c):
		case matchesAny(offClaims, c):
			return claimsOff
		case matchesAny(onClaims, c):
			return claimsOn
		}
	}
	return claimsNothing
}

// clauses are the parts of a sentence in the form in which claims are looked for.
func clauses(sentence string) []string {
	all := strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune("，,、；;：:。！!？?～~", r) })
	for i, c := range all {
		all[i] = strings.TrimSpace(text.JoinHan(text.Normalize(c)))
	}
	return all
}

func matchesAny(all []*lazyregexp.Regexp, s string) bool {
	for _, e := range all {
		if e.MatchString(s) {
			return true
		}
	}
	return false
}

// mayClaimSwitch: the words name a mode, or a switch was proposed without that.
// What is said then waits until it can be checked.
func (t *turn) mayClaimSwitch() bool {
	return t.switching.Attempted() || len(t.result.Switches) > 0
}

// checkMode is what is true instead of reply, when that claims a switch of mode
// that the words and the tool did not make; "" when it claims nothing false (V9,
// R8). Where no switch was in the air only a sentence that names a mode is
// judged: an oven has modes, too.
func (t *turn) checkMode(reply string) string {
	if t.tells() && !t.mayClaimSwitch() {
		reply = besideTale(reply)
	}
	for _, s := range t.result.Switches {
		if s.Accepted {
			return ""
		}
	}
	for _, s := range text.Sentences(reply) {
		if !t.mayClaimSwitch() && t.switching.Named(s) == "" {
			continue
		}
		if c := readModeClaim(s); c != claimsNothing && !t.switching.Holds(c == claimsOn, s) {
			if t.refusal != "" {
				return t.refusal
			}
			return t.switching.Truth(cmp.Or(t.proposed, t.switching.Named(s)))
		}
	}
	return ""
}

// checkModeSaid is checkMode for what was spoken before it could be checked.
func (t *turn) checkModeSaid() string {
	if t.mayClaimSwitch() {
		return ""
	}
	return t.checkMode(t.said.String())
}
