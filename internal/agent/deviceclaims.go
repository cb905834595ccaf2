package agent

import (
	"strings"

	"homebot/internal/event"
	"homebot/internal/lazyregexp"
	"homebot/internal/phrases"
	"homebot/internal/text"
	"homebot/voice"
)

// No tool turns the microphone on or off and none ends a sound: the device does
// that before a model is asked. So a model that says it did has done nothing.

// muteClaims claim that the microphone was turned off, unmuteClaims that it was
// turned on, in both languages.
var (
	muteClaims = lazyregexp.New(`(已经|已|帮你|帮您|给你|给您|为你|为您|我|这就|马上)[^。！？，,]{0,8}(静音|闭麦|(关|关掉|关闭|关上|停用)(了)?[^。！？，,]{0,4}(麦克风|话筒|麦|收音|录音))|` +
		`(麦克风|话筒|收音)[^。！？，,]{0,6}(关了|关掉|关闭|关上|关好|静音|停用)|(静音|闭麦)(模式)?(了|啦|好了|成功|完毕|中|已?(开启|打开|启用))|(现在|进入|处于|开启了?|打开了?)[^。！？，,]{0,4}(静音|闭麦)|(我|已|已经|这就)[^。！？，,]{0,4}(不再|不会再|停止)(听|收听|监听|录音)|我[^。！？，,]{0,2}不听了|` +
		`\b(i've|i have|i|i just|i'm|i am|it's|that's|we're)( now| just)? (muted|muting|on mute|mute myself|turned off (the|my) mic(rophone)?|turned (the|my) mic(rophone)? off)\b|\bmic(rophone)?( is| has been| was|'s)?( now)? (muted|off|disabled|turned off|closed)\b|^(okay |ok |done |sure |got it )*(muted|muting)\b|` +
		`\bi('ll| will| am going to)( now| just)? (mute|stop listening)\b|\bi('m| am|'ve| have) (now )?(no longer|stopped) listening\b`)
	unmuteClaims = lazyregexp.New(`(已经|已|帮你|帮您|给你|给您|为你|为您|我)[^。！？，,]{0,6}(取消|解除|关闭|关掉|退出)[^。！？，,]{0,4}(静音|闭麦)|(静音|闭麦)[^。！？，,]{0,4}(取消|解除)(了|啦|好)|(麦克风|话筒)[^。！？，,]{0,6}(打开|开启|开)(了|啦|好)|` +
		`\b(unmuted|unmuting)\b|\bmic(rophone)?( is| has been| was|'s)?( now| back)* (on|turned on|enabled|open)\b|\bi (can hear|am listening to) you again\b`)
	muteDenials = lazyregexp.New(`没|不能|不会[^再]|无法|没法|吗|要不要|请|可以|如果|要是|先把|不知道|怎么|如何|想|之后|以后|时候|才|直到|\b(can't|cannot|couldn't|didn't|isn't|wasn't|unable|shall|should|if|would you like|do you want|you can|press|say|when|until|unless|after|before|only|how)\b`)
)

// louderClaims claim a change of the loudness so that nothing else can be meant,
// whatever the words were about: 声音变小了 may be the soup's, 电影的音量变大了 is
// the film's.
var louderClaims = lazyregexp.New(`(已经|已|帮你|帮您|给你|给您|为你|为您|我)[^。！？，,]{0,6}(音量|我的声音)[^。！？，,]{0,6}(调|设|变|开|升|降|加|减|提|放)|(已经|已|帮你|帮您|给你|给您|为你|为您|我)[^。！？，,]{0,4}(调|设|升|降|加|减|提|放)[^。！？，,]{0,4}(音量|声音)(了|啦|$)|` +
	`音量[^。！？，,]{0,4}(调|设|升|降|提高|降低|加|减)[^。！？，,]{0,6}(了|到|为|成|好)|^(好的?|那|现在|我的|已经?|这就|设备的?)*音量(已经?|现在|就|都|也)*变[^。！？，,]{0,6}(了|到|为|成|好)|我(这就|马上|会|就|现在)?(说|讲)?(话)?(大|小|轻)声?(一?点|一?些)(声|说|讲)?(了|啦|$)|` +
	`\b(i've|i have|i|i just)( just)? (turned|set|raised|lowered|increased|reduced|decreased|adjusted|changed)\b[^.!?]{0,12}\b(volume|my voice|myself)\b|\bvolume( is| has been| was|'s) (now |set |turned |raised |lowered )|\b(i'll|i will) (now )?(speak|talk|be|try to speak) (a (bit|little) )?(up|louder|quieter|softer|more (quietly|softly|loudly))\b|\b(turning|raising|lowering) (the|my) volume\b`)

// stopClaims claim that a sound was ended; stoppedAlone does where the words ask
// for just that.
var (
	stopClaims = lazyregexp.New(`(已经|已|帮你|帮您|给你|给您|为你|为您|我)[^。！？，,]{0,6}(停止|停下|停掉|停|关掉|关闭|关|暂停|结束)(了)?[^。！？，,]{0,4}(响铃|铃声|播放|音乐|歌|朗读|录音|广播|收音机|视频)|` +
		`(响铃|铃声|播放|音乐|歌曲|朗读|录音|广播|收音机|视频)[^。！？，,]{0,4}(停止|停下|停|关掉|关闭|关|暂停|结束)(了|啦|好)|(响铃|铃声|播放|音乐|歌曲|朗读|录音|广播|收音机|视频)(现在)?已经?(停止|停|关闭|关|暂停|结束)|` +
		`\b(i've|i have|i|i just)( just)? (stopped|paused|silenced|turned off|shut off|ended|killed)\b[^.!?]{0,12}\b(ring(ing)?|alarm|music|playback|song|radio|audio|video|reading|recording)\b|\b(ringing|music|playback|song|radio|audio|recording)( is| has been| was|'s| has)?( now)? (stopped|paused|off|silenced|turned off|ended)\b`)
	stoppedAlone = lazyregexp.New(`^(好的?|行|嗯|我)*(已经|已|都)?(停止|停下来|停下|停|关闭|关|暂停)(了|啦|好了)$|^(好的?|行|嗯|我)*(已经|已)(停止|停下来|停下|停|关闭|暂停)|^(okay |ok |done |sure |all right )*(i've |i have |i |it's |it has )?(just )?(stopped|paused|silenced)\b`)
	stopDenials  = lazyregexp.New(`没|不能|不会|无法|没法|吗|要不要|请|如果|要是|就可以|\b(not|no|nothing|can't|cannot|couldn't|didn't|unable|shall|should|if|would you like|do you want)\b`)
	// namesSound marks words that may ask for an end of a sound: in a tale the music
	// may stop.
	namesSound = lazyregexp.New(`停|关|别|吵|响|放|\b(stop|off|quiet|silence|pause|kill|end|shut)\b`)
	// namesMute marks words that may ask for the microphone.
	namesMute = lazyregexp.New(`静音|闭麦|麦克风|话筒|别听|不要听|\b(un)?mute[ds]?\b|\bmic(rophone)?\b|\b(stop|not) listening\b`)
)

// deviceAsked: what is said to such words waits until it can be checked (V9).
func (t *turn) deviceAsked() bool {
	return namesMute.MatchString(t.plain()) || t.asksToStop()
}

// plain are the words in the form in which claims are looked for.
func (t *turn) plain() string { return text.JoinHan(text.Normalize(t.Text)) }

// asksToStop: the words ask that something ends, and for nothing else.
func (t *turn) asksToStop() bool {
	return text.ControlOf(t.Text, t.cfg.Wake) == text.ControlStop || text.IsStop(text.Heard(t.Text, t.Lang, text.Signals{Wake: t.cfg.Wake}))
}

// checkDevice is the sentence that is true instead of reply, when that claims that
// the microphone, the loudness or a sound was changed and nothing did it; else ""
// (V9).
func (t *turn) checkDevice(reply string) string {
	if t.tells() && !t.deviceAsked() && !t.loudness.asked {
		reply = besideTale(reply)
	}
	for _, s := range text.Sentences(reply) {
		if strings.ContainsAny(s, "？?") {
			continue
		}
		for _, c := range ownClauses(s) {
			if fix := t.checkClause(c); fix != "" {
				return fix
			}
		}
	}
	return ""
}

func (t *turn) checkClause(c string) string {
	switch {
	case unmuteClaims.MatchString(c):
		if t.muted() && !muteDenials.MatchString(c) {
			return phrases.MicStillOff.In(t.Lang)
		}
	case muteClaims.MatchString(c):
		if !t.muted() && !muteDenials.MatchString(c) {
			return t.micStillOn()
		}
	case louderClaims.MatchString(c):
		if t.loudness.done == "" && !volumeDenials.MatchString(c) {
			return t.volumeTruth()
		}
	case namesSound.MatchString(t.plain()) && stopClaims.MatchString(c), t.asksToStop() && stoppedAlone.MatchString(c):
		if !t.changedSomething() && !stopDenials.MatchString(c) {
			return t.nothingStopped()
		}
	}
	return ""
}

// changedSomething: a tool ended something that may have been the sound.
func (t *turn) changedSomething() bool {
	for _, s := range t.result.Switches {
		if s.Accepted {
			return true
		}
	}
	return t.timers.changed != ""
}

// muted reports whether the device's microphone is off now.
func (t *turn) muted() bool {
	if t.cfg.Bus == nil {
		return false
	}
	s := t.cfg.Bus.Snapshot()
	return s.Muted || s.Dialogue == event.Muted
}

func (t *turn) micStillOn() string {
	if t.Channel == voice.ChannelVoice {
		return phrases.MicStillOn.In(t.Lang)
	}
	return phrases.MuteHow.In(t.Lang)
}

// nothingStopped says what sounds, if anything does.
func (t *turn) nothingStopped() string {
	if t.cfg.Timers != nil && t.cfg.Timers.Rings() {
		return phrases.TimerReally.In(t.Lang, t.cfg.Timers.Status(t.Lang))
	}
	return phrases.NothingStopped.In(t.Lang)
}
