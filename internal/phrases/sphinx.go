package phrases

// Why the recogniser of set phrases cannot know a phrase, and what becomes of its
// models.
var (
	// WordUnknown: the pronunciation dictionary lacks a word (%s) of
	// the phrase, or there is nothing to say in it.
	WordUnknown = Phrase{
		ZH: "发音词典里没有“%s”，请换个说法。",
		EN: "The dictionary does not know “%s”. Please use other words.",
	}
	// SoundsAlike: the phrase differs from another (%s) in one sound only.
	SoundsAlike = Phrase{
		ZH: "听起来和“%s”太像，请换个说法。",
		EN: "It sounds too much like “%s”. Please use other words.",
	}
	// ModelsStopped: getting models was told to end (Ctrl-C).
	ModelsStopped = Phrase{
		ZH: "停下了，没有损坏什么，用同一条命令就能接着来。",
		EN: "Stopped. Nothing is broken, and the same command goes on.",
	}
	// LanguageMissing: the model of the phrase's language is not installed.
	LanguageMissing = Phrase{
		ZH: "还没有这种语言的语音模型，请先安装。",
		EN: "There is no speech model for its language. Please install it.",
	}
)
