package phrases

// What the offline answers say (llm/offline).
var (
	// OfflineCannot: this needs the model, and there is no network.
	OfflineCannot = Phrase{
		ZH: "没有网络，这个我答不了，不过我可以打开和退出模式、报时间和日期、重复刚才的话。",
		EN: "I can't answer that without a network, but I can open and close modes, tell the time and date, and repeat what I said.",
	}
	// OfflineHelp: what works without a network; %s are words that enter a mode.
	OfflineHelp = Phrase{
		ZH: "现在没有网络，你可以说“%s”、“现在几点了”、“今天几号”，或者“再说一遍”。",
		EN: "There is no network, but you can say “%s”, “what time is it”, “what day is it”, or “repeat that”.",
	}
	// OfflineHelpNoModes is OfflineHelp where no run mode is installed.
	OfflineHelpNoModes = Phrase{
		ZH: "现在没有网络，你可以说“现在几点了”、“今天几号”，或者“再说一遍”。",
		EN: "There is no network, but you can say “what time is it”, “what day is it”, or “repeat that”.",
	}
	// OfflineTime: %s is the time of day as one says it.
	OfflineTime = Phrase{
		ZH: "现在是%s。",
		EN: "It's %s.",
	}
	// OfflineToday: %s is the date with its weekday.
	OfflineToday = Phrase{
		ZH: "今天是%s。",
		EN: "Today is %s.",
	}
	// OfflineTomorrow is OfflineToday for the next day.
	OfflineTomorrow = Phrase{
		ZH: "明天是%s。",
		EN: "Tomorrow is %s.",
	}
	// OfflineDayAfter is OfflineToday for the day after tomorrow.
	OfflineDayAfter = Phrase{
		ZH: "后天是%s。",
		EN: "The day after tomorrow is %s.",
	}
	// OfflineYesterday is OfflineToday for the day before.
	OfflineYesterday = Phrase{
		ZH: "昨天是%s。",
		EN: "Yesterday was %s.",
	}
	// OfflineNothingToRepeat: the conversation has no earlier reply.
	OfflineNothingToRepeat = Phrase{
		ZH: "我还没说过什么，没有可以重复的。",
		EN: "I haven't said anything yet, so there is nothing to repeat.",
	}
	// OfflineWelcome answers thanks.
	OfflineWelcome = Phrase{
		ZH: "不客气。",
		EN: "You're welcome.",
	}
	// OfflineAllRight answers never mind, stop and the like.
	OfflineAllRight = Phrase{
		ZH: "好的。",
		EN: "All right.",
	}
	// OfflineDone comes before what a switch of mode did; %s is its sentence.
	OfflineDone = Phrase{
		ZH: "好的，%s",
		EN: "Okay, %s",
	}
	// OfflineNotSwitched: a switch of mode failed without a known reason.
	OfflineNotSwitched = Phrase{
		ZH: "模式没有换成，请再说一遍。",
		EN: "The mode did not change. Please try that once more.",
	}
	// OfflineNoSwitch: modes cannot be switched in this conversation.
	OfflineNoSwitch = Phrase{
		ZH: "这里现在不能切换模式。",
		EN: "Modes can't be switched here right now.",
	}
	// OfflineModeWords: a mode was named without saying what to do; the %s are
	// the words that enter and those that leave it.
	OfflineModeWords = Phrase{
		ZH: "要进入请说“%s”，要离开请说“%s”。",
		EN: "To enter it, say “%s”. To leave it, say “%s”.",
	}
	// OfflineOtherActive: another mode is active; %s are the words that change
	// over.
	OfflineOtherActive = Phrase{
		ZH: "现在开着另一个模式，想换的话请说“%s”。",
		EN: "Another mode is on. To change over, say “%s”.",
	}
)
