package phrases

// What is wrong with the house around homebot, and that it is over: said once,
// shown as long as it lasts.
var (
	// AllWell: nothing is wrong; a line of status.
	AllWell = Phrase{
		ZH: "一切正常。",
		EN: "All is well.",
	}
	// SpeechServes: the speech server's line of status; %s is its address.
	SpeechServes = Phrase{
		ZH: "语音服务在 %s 运行。",
		EN: "Serving on %s.",
	}
)
