package phrases

// What the voice session says of itself.
var (
	// NotUnderstood: somebody spoke, but no words were recognised.
	NotUnderstood = Phrase{
		ZH: "我没听清，请再说一遍。",
		EN: "I didn't catch that. Please say it again.",
	}
	// FillerLook is said when a reply takes a while.
	FillerLook = Phrase{
		ZH: "我看看。",
		EN: "Let me see.",
	}
	// FillerMoment is said when one takes a while again, in turns with FillerLook.
	FillerMoment = Phrase{
		ZH: "稍等一下。",
		EN: "One moment, please.",
	}
	// RangToo: a ring was stopped before the name of another was said; the %s is that
	// name.
	RangToo = Phrase{
		ZH: "%s也到时间了。",
		EN: "Time is up for %s, too.",
	}
	// RangTooUnnamed is RangToo of one without a name.
	RangTooUnnamed = Phrase{
		ZH: "还有一个也到时间了。",
		EN: "Time is up for another one, too.",
	}
	// MicrophoneOff: somebody turned the microphone off. Nobody can take that
	// back by voice, so it says how.
	MicrophoneOff = Phrase{
		ZH: "麦克风关了，我听不见了。要打开，请按按钮、用网页，或者运行 homebot unmute。",
		EN: "The microphone is off and I can't hear you. Turn it on with the button, the web page, or homebot unmute.",
	}
	// VoiceGone: nothing can be spoken; shown on the console.
	VoiceGone = Phrase{
		ZH: "我现在说不出话，回答只能看文字。",
		EN: "I can't speak right now. My answers are text only.",
	}
	// RemoteSpeechGone: the remote recogniser cannot be reached; the one on the
	// device stands in.
	RemoteSpeechGone = Phrase{
		ZH: "远程语音识别连不上，我先用本机的。",
		EN: "The remote speech recogniser is gone. I use the one on this device.",
	}
	// RemoteSpeechBack: the remote recogniser is reached again.
	RemoteSpeechBack = Phrase{
		ZH: "远程语音识别恢复了。",
		EN: "The remote speech recogniser is back.",
	}
)

// What the buttons of the device answer on a screen when something is in the way.
var (
	// VoiceBusy: Repeat while a turn is thought about or something rings.
	VoiceBusy = Phrase{ZH: "homebot 正在想事情，或者正在响铃；等结束了再试", EN: "homebot thinks or rings; say it again when that is over"}
	// VoiceVolume: a loudness that is none.
	VoiceVolume = Phrase{ZH: "音量是 0 到 100", EN: "the volume is 0 to 100 percent"}
	// VoiceVolumeNot: VoiceVolume, and what was asked for.
	VoiceVolumeNot = Phrase{ZH: "%s，不能是 %d", EN: "%s, not %d"}
	// VoiceNotKept: a button works but is not saved, and why.
	VoiceNotKept = Phrase{ZH: "没能保存，重启后会变回去：%s", EN: "it is not kept over a restart: %s"}
	// VoiceOver: the dialogue has ended.
	VoiceOver = Phrase{ZH: "语音对话已经停了", EN: "the voice loop is not running"}
)
