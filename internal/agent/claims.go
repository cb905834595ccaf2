package agent

import (
	"homebot/internal/lazyregexp"
	"homebot/internal/text"
)

// timerClaims are sentences that claim that a timer was set, changed or
// cancelled, in both languages.
var timerClaims = []*lazyregexp.Regexp{
	lazyregexp.New(`(定时|计时|闹钟|闹铃|提醒)[^。！？，,]{0,10}(设好|定好|设置好|设定好|设上|定上|好了|开始了|已经|已|成功|取消了|暂停了|加了)`),
	lazyregexp.New(`(已经|已|帮你|给你|为你|我)[^。！？，,]{0,8}(设好|设了|设置|设定|定好|定了|取消|暂停|延长|加了|开始)[^。！？，,]{0,12}(定时|计时|闹钟|闹铃|提醒|分钟|小时|秒)`),
	lazyregexp.New(`(开始计时|计时开始|定时开始|开始倒计时)`),
	lazyregexp.New(`(到时候?|到点|后|时)[^。！？，,]{0,4}我?(会|就)?(提醒|叫)(你|您|大家)`),
	lazyregexp.New(`\b(i've|i have|i|i just)\s+(just\s+)?(set|started|cancel+ed|paused|added|extended|resumed|created)\b[^.!?]{0,24}\b(timer|alarm|reminder|minutes?|hours?|seconds?)\b`),
	lazyregexp.New(`\b(i'll|i will|i am going to)\s+(remind|wake|alert|notify|tell|let|call|ring)\b`),
	lazyregexp.New(`\b(starting|counting)\b[^.!?]{0,16}\b(now|down|timer)\b`),
}

// timerStates tell how a timer is; nothing was done to it when that was asked for.
var timerStates = lazyregexp.New(`\b(timer|alarm|reminder)s?\b[^.!?]{0,24}\b(set|started|running|ready|cancel+ed|paused|resumed|added|extended|on)\b`)

// timerDenials say that nothing was done, or ask; they are no claims.
var timerDenials = lazyregexp.New(`没有?(能)?[^。！？，,]{0,3}(设|定|取消|暂停)|还没|没法|不能|无法|吗|要不要|不会|没有.{0,4}(定时|闹钟)|\b(not|no|can't|cannot|couldn't|haven't|didn't|isn't|wasn't|unable|shall|should|do you want|would you like)\b`)

// claimsTimer reports whether a sentence of reply claims that something was done
// with a timer. Where listed, telling how one is claims nothing.
func claimsTimer(reply string, listed bool) bool {
	for _, s := range text.Sentences(reply) {
		s = text.JoinHan(text.Normalize(s))
		if timerDenials.MatchString(s) {
			continue
		}
		if !listed && timerStates.MatchString(s) {
			return true
		}
		for _, c := range timerClaims {
			if c.MatchString(s) {
				return true
			}
		}
	}
	return false
}
