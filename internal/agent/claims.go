package agent

import (
	"strings"

	"homebot/internal/lazyregexp"
	"homebot/internal/text"
)

// timerClaims are sentences that claim that a timer was set, changed or
// cancelled, or that it will ring, in both languages. What is only told at a time
// is judged by claimsToTell.
var timerClaims = []*lazyregexp.Regexp{
	lazyregexp.New(`(定时|计时|闹钟|闹铃)[^。！？，,]{0,10}(设好|定好|设置好|设定好|设上|定上|好了|开始了|已经|已|成功|取消了|暂停了|加了)`),
	lazyregexp.New(`提醒[^。！？，,你您]{0,10}(设好|定好|设置好|设定好|设上|定上|好了|已经|已|成功|取消了|暂停了)`),
	lazyregexp.New(`(已经|已|帮你|给你|为你|我)[^。！？，,]{0,8}(设好|设了|设置|设定|定好|定了|取消|暂停|延长|加了|开始)[^。！？，,]{0,12}(定时|计时|闹钟|闹铃|提醒)`),
	lazyregexp.New(`(已经|已|帮你|给你|为你|我)[^。！？，,]{0,8}(设好|设了|设置|设定|定好|定了|取消|暂停|延长了|加了)[^。！？，,]{0,12}(分钟|小时|秒)|(帮你|给你|为你)[^。！？，,]{0,4}延长[^。！？，,]{0,6}(分钟|小时|秒)`),
	lazyregexp.New(`(开始计时|计时开始|定时开始|开始倒计时)`),
	lazyregexp.New(`我(这就|一定|保证|肯定|准时|按时|准点|到点|会|将)[^。！？]{0,14}(叫|喊|吵|催)(醒|一声|(你|您|大家)(一声|[起醒关来去吃翻收出捞的啦哦哈了]|[。！!,，~]|$))`),
	lazyregexp.New(`(会|就|准时|按时|准点|到点|点钟?|点半|刻|分)[^。！？]{0,6}把?(你|您|大家)(叫|喊|吵|弄)(醒|起)`),
	lazyregexp.New(`(分钟|小时|秒钟?)[^。！？]{0,4}(开始走|走起来|开始数|倒数|计上)|^(好的?|行|嗯|没问题)?[,，]?[零一二两三四五六七八九十百半个\d]+(分钟|小时|秒钟?)[,，]?(现在)?开始了?[。！!]?$`),
	lazyregexp.New(`\b(i've|i have|i|i just)\s+(just\s+)?(set|started|cancel+ed|paused|added|extended|resumed|created)\b[^.!?]{0,24}\b(timer|alarm|reminder|countdown)\b`),
	lazyregexp.New(`\b(i've|i have|i|i just)\s+(just\s+)?(set|cancel+ed|added|extended)\b[^.!?]{0,24}\b(minutes?|hours?|seconds?)\b`),
	lazyregexp.New(willEN + `(wake|alert|ring|ping|buzz|beep|nudge|chime|poke|rouse|(get|have)\s+you\s+up([.,!?]|$|\s+(at|by|in|on|early|tomorrow)\b)|make sure you('re| are| get)? (wake|awake|up))\b`),
	lazyregexp.New(willEN + `(be\s+)?(pinging|waking|alerting|buzzing|ringing|nudging)\b`),
	lazyregexp.New(willEN + `(give you an? (shout|ping|nudge|buzz|call|ring|beep|chime|heads[ -]?up|yell|holler|reminder|signal|sign|tap|bell|alert|notification|wake-?up)|shout|holler|yell|speak up|sing out)\b[^.!?]{0,30}\b(when|at|in|once|as soon as|after|by|wake|awake|up)\b`),
	lazyregexp.New(`\bcounting( it)? down\b|\bcounting from now\b|\bstarting (a|an|the|your|my|our) [^.!?]{0,16}\b(timer|countdown|clock)\b|\bstarting( right)? now[,:]? [^.,!?]{0,12}\b(minutes?|hours?|seconds?)\b`),
	lazyregexp.New(`\b(minutes?|hours?|seconds?|half)\b[^.!?]{0,10}\b(on the clock|and counting|starting now|ticking)\b`),
	lazyregexp.New(`\b(clock|countdown|count)( is|'s| has)?( now)?( been)? (ticking|running|started|begun|on|going)\b`),
	lazyregexp.New(`\b(expect|you'll (get|hear|have)) (a |an |my |the )?(ping|buzz|alert|nudge|chime|beep|wake-?up|ring)\b`),
}

// willEN is a promise in English.
const willEN = `\b(i'll|i will|i shall|i'm going to|i am going to|i'm gonna)\s+(\w+ly\s+|be sure to\s+|make sure to\s+)?`

// timerAsks are words that ask to be told at a time without naming a timer. With a
// time beside them they are an order.
var timerAsks = lazyregexp.New(`睡过头|睡过了|(叫|喊|闹|吵|催|提醒|通知|提示)(一下|醒)?(我|我们|大家|咱们)|(叫|喊)(一声|起床)|响一下|响铃|(别|不要)让我(们)?(忘|错过|迟到|睡)|` +
	`\b(ping|buzz|nudge|beep|wake|alert|notify|page|poke|rouse|remind) (me|us)\b|\b(beep|shout|yell|holler|chime)( at (me|us))? (when|in|at|once|after)\b|` +
	`\b(tell|call|let) (me|us)( know)? (when|in|at|once|after)\b|\bgive (me|us) an? (shout|ping|nudge|buzz|call|beep|heads[ -]?up|yell|reminder)\b|` +
	`\b(get|have) (me|us) up\b|\boversleep|\bmake sure (i|we)('m| am|'re| are)? ?(\w+ )?(up|awake|wake)\b|\b(don't|do not) let (me|us) (sleep|forget|miss)\b`)

// timerStates tell how a timer is; nothing was done to it when that was asked for.
var timerStates = lazyregexp.New(`\b(timer|alarm|reminder)s?\b[^.!?]{0,24}\b(set|started|running|ready|cancel+ed|paused|resumed|added|extended|(is|are|now|been) on)\b|\b(timer|alarm)('s| is) (now )?on\b`)

// timerDenials say that nothing was done, or ask; they are no claims.
var timerDenials = lazyregexp.New(`没有?(能)?[^。！？，,]{0,3}(设|定|取消|暂停)|还没|没法|不能|无法|吗|要不要|不会|没有.{0,4}(定时|闹钟)|\b(not|no|can't|cannot|couldn't|haven't|didn't|isn't|wasn't|unable|shall|should|do you want|would you like)\b`)

// timerOffered are sentences that offer a timer or tell how to ask for one,
// timerAwaited those by which one will have been set or have ended, or the user is
// to count. Both claim nothing unless they say that one is set (timerDone).
var (
	timerOffered = lazyregexp.New(`可以(再|先|也)?(帮|给|为)?(你|您)?[^。！？，,]{0,4}(设|定|计时|延长|提醒|叫)|(要|想|需要|愿意|方便)[^。！？，,]{0,8}的话|\bi (can|could) (\w+ )?(set|start|remind|tell|let|ping|wake|alert)\b|\bif you (want|wish|like|need|prefer)\b`)
	timerAwaited = lazyregexp.New(`(跟我说|告诉我|说一声|说["“「『])[^。！？]{0,16}我(就|会|再|来)|^[^我]*(等[^我。！？，,]{0,8}(定时|计时|闹钟|闹铃)|(水|锅|汽|汤|油)[^我。！？]{0,8}计时)|\b(when|once|until|after|if) (the|your|that) (\w+ )?(timer|alarm|countdown)\b`)
	timerDone    = lazyregexp.New(`已|(设|定)(好|上)了|\b(i've|i have|(is|are|been) set)\b`)
)

// An oven has a timer, too, and is not meant where it is not said who set it.
var (
	otherMachines = lazyregexp.New(`烤箱|微波炉|电饭|电锅|高压锅|压力锅|空气炸锅|洗碗机|水壶|手机|\b(ovens?|microwave|cooker|kettle|fryer|dishwasher|phone)\b`)
	deviceDidIt   = lazyregexp.New(`我|已|帮(你|您)|给(你|您)|为(你|您)|了[。！!]?$|\b(i|i've|i'll|i'm)\b`)
)

// othersTimer reports whether a sentence speaks of a timer that is none of the
// device's, or not set yet.
func othersTimer(s string) bool {
	return timerAwaited.MatchString(s) && !timerDone.MatchString(s) || otherMachines.MatchString(s) && !deviceDidIt.MatchString(s)
}

// asksToBeTold reports whether words ask to be told at a time (timerAsks).
func asksToBeTold(words string) bool {
	return timerAsks.MatchString(text.JoinHan(text.Normalize(words)))
}

// timerWords name a timer or what it does; timerOffers say that one can be set.
var (
	timerWords  = lazyregexp.New(`定时|计时|闹钟|闹铃|提醒|叫(你|您|醒)|设|\b(timers?|alarms?|reminders?|remind|wake|set)\b`)
	timerOffers = lazyregexp.New(`(可以|会)(帮你|给你)?(设|定时)|\bi can (\w+ )?set\b`)
	notOffers   = strings.NewReplacer("不可以", "", "不会", "")
)

// deniesTimer reports whether a sentence of reply says that no timer was set or
// changed, and none that one could be.
func deniesTimer(reply string) bool {
	denied := false
	for _, s := range text.Sentences(reply) {
		s = text.JoinHan(text.Normalize(s))
		no := timerDenials.MatchString(s)
		if timerOffers.MatchString(notOffers.Replace(s)) {
			return false
		}
		denied = denied || no && timerWords.MatchString(s)
	}
	return denied
}

// claimsTimer reports whether a sentence of reply claims that something was done
// with a timer. Where listed, telling how one is claims nothing.
func (t *turn) claimsTimer(reply string, listed bool) bool {
	if t.tells() && !t.timers.asked {
		reply = besideTale(reply)
	}
	for _, s := range text.Sentences(reply) {
		s = text.JoinHan(text.Normalize(s))
		switch {
		case timerDenials.MatchString(s), timerOffered.MatchString(s) && !timerDone.MatchString(s):
		case t.claimsToTell(s, reply):
			return true
		case othersTimer(s):
		case !listed && timerStates.MatchString(s), matchesAny(timerClaims, s), t.claimsToRing(s):
			return true
		}
	}
	return false
}
