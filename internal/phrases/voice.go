package phrases

// What the voice session says of itself.
var (
	// NotUnderstood: somebody spoke, but no words were recognised.
	NotUnderstood = Phrase{
		ZH: "我没听清，请再说一遍。",
		EN: "I didn't catch that. Please say it again.",
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
