package phrases

// What the agent says about the model and the tools of a turn.
var (
	// LLMDown: the model's server cannot be reached.
	LLMDown = Phrase{
		ZH: "我现在连不上大模型，请检查一下网络，过会儿再说一遍。",
		EN: "I can't reach my language model. Please check the network and try again in a moment.",
	}
	// LLMBroken: the connection broke while the reply was being written.
	LLMBroken = Phrase{
		ZH: "话说到一半网络断了，请再说一遍。",
		EN: "The connection dropped halfway. Please say that again.",
	}
	// LLMRefused: the server refused the request, mostly for its key or its
	// model's name.
	LLMRefused = Phrase{
		ZH: "大模型拒绝了我的请求，请检查一下密钥和模型名称。",
		EN: "The language model refused my request. Please check the key and the model name.",
	}
	// LLMBusy: the server cannot answer just now, or the account has no room left.
	LLMBusy = Phrase{
		ZH: "大模型的服务现在忙不过来或出了故障，请过会儿再说一遍；总是这样就看看账户的额度。",
		EN: "The language model's server is too busy or has a fault. Please try again in a moment; if it stays so, check the account's limits.",
	}
	// LLMNoKey: no model is configured at all.
	LLMNoKey = Phrase{
		ZH: "我还没有接上大模型，请先设置地址和密钥。",
		EN: "I have no language model yet. Please set its address and key first.",
	}
	// LLMSlow: the model sent nothing within the time allowed.
	LLMSlow = Phrase{
		ZH: "大模型太久没有回应，请再说一遍。",
		EN: "The language model took too long. Please say that again.",
	}
	// LLMNonsense: the answer could not be understood, or was empty.
	LLMNonsense = Phrase{
		ZH: "大模型的回答我没看懂，请换个说法再试一次。",
		EN: "I got an answer I can't use. Please try saying it another way.",
	}
	// TooManyRounds: the model went on calling tools past the limit of a turn.
	TooManyRounds = Phrase{
		ZH: "这件事步骤太多，我没做完，请一次说一件。",
		EN: "That took too many steps, so I stopped. Please ask for one thing at a time.",
	}
	// EmptyLine: a turn without words.
	EmptyLine = Phrase{
		ZH: "我没听到内容，请再说一遍。",
		EN: "I didn't get any words. Please say it again.",
	}
	// TurnWaitedTooLong: another turn held the conversation too long (R50).
	TurnWaitedTooLong = Phrase{
		ZH: "我还在忙上一件事，请稍后再试。",
		EN: "I'm still busy with something else. Please try again in a moment.",
	}
	// TurnStopped: homebot was told to end while a typed turn was in work.
	TurnStopped = Phrase{
		ZH: "homebot 被停止了，这句话没来得及回答完，请等它重新启动后再说一遍。",
		EN: "homebot was stopped before it could answer. Please say that again when it is back.",
	}
	// SomethingWrong: a failure without a better sentence.
	SomethingWrong = Phrase{
		ZH: "出了点问题，这次没办成，请再试一次。",
		EN: "Something went wrong and it isn't done. Please try again.",
	}

	// ToolUnavailable: the tool's name is not among those of the active mode.
	ToolUnavailable = Phrase{
		ZH: "当前模式下没有“%s”这个功能，什么都没有做。",
		EN: "“%s” is not available in this mode. Nothing was done.",
	}
	// ToolUnknown: the model made up a tool.
	ToolUnknown = Phrase{
		ZH: "没有“%s”这个功能，什么都没有做。",
		EN: "There is no “%s”. Nothing was done.",
	}
	// ToolCancelled: the turn ended before the tool had a result.
	ToolCancelled = Phrase{
		ZH: "被打断了，没有做。",
		EN: "Interrupted; not done.",
	}
)
