package phrases

// What the agent says about how much context a request carries.
var (
	// ProfileUnknown: a request asked for a context profile that is none; %s is
	// what it asked for.
	ProfileUnknown = Phrase{
		ZH: "没有“%s”这种上下文模式，可以用 full、compact 或 minimal。",
		EN: "There is no context profile “%s”. Use full, compact or minimal.",
	}
	// MessageCut: the message alone is longer than the model takes.
	MessageCut = Phrase{
		ZH: "这段话太长，中间的部分我没有看。",
		EN: "That was too long, so I left out the middle.",
	}
	// LastAnswer: the network is away; %s is what was answered to the same
	// question before.
	LastAnswer = Phrase{
		ZH: "现在连不上网络，上次的回答是：%s",
		EN: "The network is away. My last answer was: %s",
	}
)
