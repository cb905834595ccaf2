package phrases

// What is wrong with the house around homebot, and that it is over: said once,
// shown as long as it lasts.
var (
	// SpeechLoading: the recogniser is there and still loads its models.
	SpeechLoading = Phrase{
		ZH: "我还在准备，暂时听不见，请稍等。",
		EN: "I'm still getting ready and can't hear you yet. One moment, please.",
	}
	// SpeechReady: it has loaded them, after that was told.
	SpeechReady = Phrase{
		ZH: "准备好了，可以说话了。",
		EN: "I'm ready. You can talk to me now.",
	}
	// VoiceBack: what is said can be heard again.
	VoiceBack = Phrase{
		ZH: "我又能说话了。",
		EN: "I can speak again.",
	}
	// NetworkGone: nothing outside can be reached.
	NetworkGone = Phrase{
		ZH: "没有网络，现在只能定时、开关模式和念菜谱。",
		EN: "There is no network. Timers, modes and recipes still work.",
	}
	// NetworkBack: the language model's machine can be reached again.
	NetworkBack = Phrase{
		ZH: "网络恢复了。",
		EN: "The network is back.",
	}
	// LLMGone: the network is there, the language model does not answer.
	LLMGone = Phrase{
		ZH: "大模型没有回应，只有不用它的功能还能用。",
		EN: "The language model does not answer. What needs none still works.",
	}
	// LLMKeyWrong: it answers, and does not take our requests.
	LLMKeyWrong = Phrase{
		ZH: "大模型不接受请求，请检查密钥和模型名称。",
		EN: "The language model refuses me. Please check the key and the model's name.",
	}
	// LLMBack: the language model answers again.
	LLMBack = Phrase{
		ZH: "大模型恢复了。",
		EN: "The language model is back.",
	}
	// CardFull: the disk is full, seen outside a turn.
	CardFull = Phrase{
		ZH: "存储卡满了，新的对话存不下来，请清理一下。",
		EN: "The card is full. I can't save what we say; please make some room.",
	}
	// CardReadOnly: the disk cannot be written, seen outside a turn.
	CardReadOnly = Phrase{
		ZH: "存储卡写不进去了，新的对话存不下来，请换一张卡。",
		EN: "The card can't be written. I can't save what we say; please replace it.",
	}
	// CardBack: the disk takes what is written again.
	CardBack = Phrase{
		ZH: "存储卡恢复了，又可以保存了。",
		EN: "The card works again. I can save things now.",
	}
	// ClockUnset: nobody has told the time since the power came, and there is no
	// clock that kept it.
	ClockUnset = Phrase{
		ZH: "我还不知道准确的时间，闹钟可能不准，请检查网络。",
		EN: "I don't know the right time yet, so alarms may be wrong. Please check the network.",
	}
	// ClockSet: the time is known.
	ClockSet = Phrase{
		ZH: "时间校准好了。",
		EN: "The clock is set.",
	}
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
