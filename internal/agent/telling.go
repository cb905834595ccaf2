package agent

import (
	"strings"

	"homebot/internal/lazyregexp"
	"homebot/internal/text"
)

// Who cooks by what the device says is told much: 切好了我会告诉你下一步. That is
// a claim of a timer only where a time is told with it.
var (
	// promises are the verbs of telling, in both languages, with who promises.
	promises = lazyregexp.New(`(到时候?|到点|后|时)[^。！？，,]{0,4}我?(会|就)?(提醒|通知|告诉|叫)(你|您|大家)|` +
		`我(这就|一定|保证|肯定|准时|按时|准点|到点|会|将)[^。！？]{0,14}(叫|喊|提醒|通知|告诉)(你|您|大家|一声)|` +
		`(点钟?|点半|刻|分|分钟|小时|秒钟?|准时|按时|准点|一到|到了|好了)[^。！？，,]{0,4}(叫|喊|提醒|通知|告诉)(醒?(你|您|大家))|` +
		willEN + `((remind|notify|tell|call) you|let you know|remind|(be )?(reminding|notifying|telling) you|be letting you know|make sure you)\b`)
	// willRing are promises to ring.
	willRing = lazyregexp.New(`(会|就)(准时|按时|准点)?响(铃|起来)?[^起]?$`)
	// promisesMore are those whose words are more than that the time has come: how to
	// go on, a name.
	promisesMore = lazyregexp.New(`(告诉|提醒|通知)(你|您|大家)[^。！？，,]{0,8}([上下前后每各]一?步|第.{1,2}步|步骤|接下来|接着|下面|怎|如何|什么|多少|哪|几|做法|用量|别|不要|注意|小心|少放|多放)|步[^。！？，,]{0,6}(告诉|提醒)(你|您)|一步一步|` +
		`\b(remind|notify|tell|call|telling|reminding|let|make sure) you( know)?( again| then| right away)?\s+(\w+ly\s+)?(the|a|an|what|how|which|why|where|who|about|of|one|each|every\w*|all|more|to|that|whether|if|some\w*|your|chef)\b|\b(tell|let|make sure) you( know)? (know )?when to\b`)
	// promisesAlone are those that say nothing else: the time stands in the sentence
	// before.
	promisesAlone = lazyregexp.New(`(提醒|通知)(你|您|大家)的?[。！!]?$|\b(remind you|let you know|notify you)[.!]?$`)
	// onTheDot are words of a time that has come, in both languages; spanLater is a
	// length of time that is waited for.
	onTheDot  = lazyregexp.New(`到点|准时|按时|准点|时间(一|快|就)?到|看(着|好)?时间|到(了)?时间|\btime('s| is|s) up\b|\btime comes\b|\bon (time|the dot)\b|\bwhen it('s| is) time\b|\bthe (timer|alarm)\b`)
	spanLater = lazyregexp.New(`(分钟?|小时|钟头|秒钟?|刻钟|半)(之|以|过)?(后|一到|到了)|\b(in|after) [^.,!?]{0,24}\b(minutes|hours?|seconds|mins|secs)\b`)
	// whenReady are words of a time of which the device knows nothing.
	whenReady = lazyregexp.New(`到时|(煮|蒸|炖|烤|焖|煲|卤|炸|煎|烧|熬|泡|腌|发酵|冷却)(好|熟|透|完|软|烂)了?|熟了|(水|锅|汤|壶)(烧)?开|出锅|` +
		`\b(when|once|as soon as|until|after)\b[^.,!?]{0,24}(\b(is|are|has|have)\b|'s|'re|'ve)[^.,!?]{0,12}\b(done|ready|cooked|finished|over|up|boiling|risen|cooled|soft|crisp)\b`)
	// yourWord is what the user says or does, after which he is told more; the
	// second stands behind the promise.
	yourWord  = lazyregexp.New(`(跟|和|对)我(说|讲)|(告诉|叫|喊|问)我|(说|喊|叫)一?声|\b(tell me|let me know|say|just ask|ask me|call me)\b`)
	onYourOwn = lazyregexp.New(`\b(when|once|as soon as|after|if|whenever)( that)? (you|we)\b[^.,!?]*`)
	// notOClock are 一点 and 两点 that are no time of day.
	notOClock = lazyregexp.New(`(有|这|那|以下|下面)[一两二三四五几]点|(早|晚|快|慢|多|少|大|小)一点`)
)

// claimsToTell reports whether a sentence of reply promises to tell when a time has
// come.
func (t *turn) claimsToTell(s, reply string) bool {
	at := promises.FindStringIndex(s)
	if at == nil {
		return false
	}
	rest := s
	if words := yourWord.FindAllStringIndex(s[:at[0]], -1); words != nil {
		rest = s[words[len(words)-1][1]:]
	} else if promisesAlone.MatchString(s) {
		rest = text.JoinHan(text.Normalize(reply))
	}
	return t.timed(rest, promisesMore.MatchString(s))
}

// claimsToRing reports whether a sentence promises to ring at a time.
func (t *turn) claimsToRing(s string) bool {
	return willRing.MatchString(s) && (strings.Contains(s, "我") || t.timed(s, false))
}

// timed reports whether a time is told in a promise, or the user's words asked for
// one. With more to be told then, only a time that is waited for is meant.
func (t *turn) timed(s string, more bool) bool {
	if t.timers.asked && t.timers.phrase.Sure {
		return true
	}
	s = notOClock.ReplaceAllString(onYourOwn.ReplaceAllString(s, ""), "")
	if onTheDot.MatchString(s) || spanLater.MatchString(s) || len(text.Moments(s, t.Heard)) > 0 {
		return true
	}
	span := len(text.Spans(s)) > 0
	if more {
		return span && strings.Contains(s, "到时")
	}
	return span || t.timers.asked || whenReady.MatchString(s)
}
