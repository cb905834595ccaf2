package phrases

// What the run modes say. A %s is a mode's display name (做饭模式, cooking mode)
// unless its comment says otherwise.
var (
	// ModeEntered: an enter was accepted.
	ModeEntered = Phrase{
		ZH: "已进入%s。",
		EN: "%s is on.",
	}
	// ModeAlreadyActive: entering the active mode again; nothing changed.
	ModeAlreadyActive = Phrase{
		ZH: "已经在%s了。",
		EN: "%s is already on.",
	}
	// ModeWillEnd: an exit was accepted; it is carried out after the reply (R10).
	ModeWillEnd = Phrase{
		ZH: "这句说完就退出%s并归档。",
		EN: "%s will end and be archived after this reply.",
	}
	// ModeWillBeginAnew: entered again with "again" (R11).
	ModeWillBeginAnew = Phrase{
		ZH: "这句说完就把这次的%s归档，重新开始。",
		EN: "After this reply %s will be archived and begin anew.",
	}
	// ModeWillSwitch: switched from one mode (first %s) to another (second %s).
	ModeWillSwitch = Phrase{
		ZH: "这句说完就把%s归档，切换到%s。",
		EN: "After this reply %s will be archived and %s begins.",
	}

	// ModeNeedsNameAndVerb: the words that would enter; both %s the same verb
	// phrase, "打开做饭模式" (R8).
	ModeNeedsNameAndVerb = Phrase{
		ZH: "说“%s”就可以进入。",
		EN: "Say “%s” and it will open.",
	}
	// ModeExitNeedsNameAndVerb: the words that would leave; %s is "退出做饭模式".
	ModeExitNeedsNameAndVerb = Phrase{
		ZH: "说“%s”就可以退出。",
		EN: "Say “%s” and it will close.",
	}
	// ModeEnterWords are the words that enter a mode.
	ModeEnterWords = Phrase{
		ZH: "打开%s",
		EN: "open %s",
	}
	// NewModeGreeting is what the mode made by homebot modes new says when it is
	// entered.
	NewModeGreeting = Phrase{
		ZH: "今天做点什么？",
		EN: "What shall we do?",
	}
	// ModeExitWords are the words that leave a mode.
	ModeExitWords = Phrase{
		ZH: "退出%s",
		EN: "exit %s",
	}
	// ModeSwitchWords are the words that go from the active mode to another.
	ModeSwitchWords = Phrase{
		ZH: "切换到%s",
		EN: "switch to %s",
	}
	// ModeNegated: the words said not to.
	ModeNegated = Phrase{
		ZH: "好的，不动%s。",
		EN: "All right, I leave %s as it is.",
	}
	// ModeNotActive: an exit while no mode is active.
	ModeNotActive = Phrase{
		ZH: "现在没有打开任何模式。",
		EN: "No mode is active.",
	}
	// ModeStillOn is said when a model claims a switch that did not happen.
	ModeStillOn = Phrase{
		ZH: "%s还开着。",
		EN: "%s is still on.",
	}
	// ModeOtherNotActive: the exit named a mode that is not the active one.
	ModeOtherNotActive = Phrase{
		ZH: "%s没有打开。",
		EN: "%s is not on.",
	}
	// ModeUnknown: no mode of that name; %s is what was asked for.
	ModeUnknown = Phrase{
		ZH: "没有“%s”这个模式。",
		EN: "There is no mode called “%s”.",
	}
	// ModeBroken: the mode's files are wrong; `homebot modes list` says where.
	ModeBroken = Phrase{
		ZH: "%s的文件有错误，现在打不开。",
		EN: "%s can't be opened; its files have a mistake.",
	}
	// ModeExpired is the header line of the first turn after an exit the user
	// did not ask for (R49); the second %s is HH:MM.
	ModeExpired = Phrase{
		ZH: "[%s已于 %s 自动结束，已归档]",
		EN: "[%s ended by itself at %s and was archived]",
	}
	// ModeRecovered is told once after damage was repaired (R27): resumed.
	ModeRecovered = Phrase{
		ZH: "%s的记录出过问题，我已经修好，接着上次继续。",
		EN: "The notes of %s were damaged. I repaired them and we go on from there.",
	}
	// ModeRecoveredInactive is told once when the mode could not be resumed (R27).
	ModeRecoveredInactive = Phrase{
		ZH: "上次的模式出过问题，我已经把它归档了。",
		EN: "The last mode was damaged, so I archived it.",
	}
	// ModeLost is told once when there was no session to resume or archive (R27).
	ModeLost = Phrase{
		ZH: "上次的模式没法接着用了，现在没有打开任何模式。",
		EN: "The last mode can't go on. No mode is on now.",
	}
	// ModePluginFailed is told once each time the code of a mode fails (R17); the
	// mode goes on without it.
	ModePluginFailed = Phrase{
		ZH: "%s自己的脚本出错了，其它功能照常。",
		EN: "The script of %s failed; everything else goes on.",
	}
	// CookedFor is for how many people a dish was, in the index of what was cooked.
	CookedFor = Phrase{
		ZH: "%d 人",
		EN: "for %d",
	}
)
