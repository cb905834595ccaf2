package phrases

// What homebot modes prints of the run modes.
var (
	// ModesBroken: a mode that cannot be used: where, and why.
	ModesBroken = Phrase{ZH: "有错  %s", EN: "BROKEN  %s"}
	// ModesFrom: where a mode came from, and when it ends.
	ModesFrom = Phrase{ZH: "来自 %s，次日 %s 自动结束", EN: "from %s, until %s of the next day"}
	// ModesBuiltin: the place of a mode in the binary.
	ModesBuiltin = Phrase{ZH: "内置：%s", EN: "built in: %s"}
	// ModesCode: a mode's entry point.
	ModesCode = Phrase{ZH: "代码 %s", EN: "code %s"}
	// ModesCodeTools: ModesCode, and the tools that it offers.
	ModesCodeTools = Phrase{ZH: "代码 %s，工具 %s", EN: "code %s, tools %s"}
	// ModesSay: the words that enter a mode, and those that leave it.
	ModesSay = Phrase{ZH: "说 %q 进入，说 %q 退出", EN: "say %q and %q"}
	// ModesNone: no mode is active.
	ModesNone = Phrase{ZH: "没有打开任何模式", EN: "no mode is active"}
	// ModesActive: a mode's name and id, and when it ends by itself.
	ModesActive = Phrase{ZH: "%s（%s）开着，到 %s 自动结束", EN: "%s (%s) is active until %s"}
	// ModesSession: the id of the session that goes on.
	ModesSession = Phrase{ZH: "会话 %s", EN: "session %s"}
	// ModesArchived: a mode's id and name, and its session, which was ended by a command.
	ModesArchived = Phrase{ZH: "%s（%s）已退出并归档：会话 %s", EN: "%s (%s) is archived: session %s"}
	// ModesLightNone: no mode light.
	ModesLightNone = Phrase{ZH: "灯：没有设置", EN: "light: none configured"}
	// ModesLightAway: the mode light's state, and its pin, which this machine has not.
	ModesLightAway = Phrase{ZH: "灯：%s（本机没有 %s）", EN: "light: %s (no %s on this host)"}
	// ModesLight: the mode light's state and pin.
	ModesLight = Phrase{ZH: "灯：%s，在 %s", EN: "light: %s on %s"}
	// ModesLightOn: the state of a light.
	ModesLightOn = Phrase{ZH: "亮", EN: "on"}
	// ModesLightOff: the state of a light.
	ModesLightOff = Phrase{ZH: "灭", EN: "off"}
)

// What homebot modes history prints.
var (
	// HistoryNoneOf: no session of a mode is archived.
	HistoryNoneOf = Phrase{ZH: "模式 %q 还没有结束过的会话；有哪些模式见 homebot modes list", EN: "no session of mode %q has ended yet; see homebot modes list"}
	// HistoryNone: no session is archived.
	HistoryNone = Phrase{ZH: "还没有结束过的会话", EN: "no session has ended yet"}
	// HistoryNoSession: an id that no archived session has.
	HistoryNoSession = Phrase{ZH: "没有结束过的会话 %q；列表见 homebot modes history", EN: "there is no finished session %q; see homebot modes history"}
	// HistorySpan: when a session began and ended, and why.
	HistorySpan = Phrase{ZH: "%s 到 %s（%s）", EN: "%s — %s (%s)"}
	// HistoryUser: why a session ended: the reason of the files, and in words.
	HistoryUser = Phrase{ZH: "user 用户退出", EN: "user"}
	// HistoryExpired: why a session ended.
	HistoryExpired = Phrase{ZH: "expired 到时结束", EN: "expired"}
	// HistorySwitched: why a session ended.
	HistorySwitched = Phrase{ZH: "switched 换了模式", EN: "switched"}
	// HistoryRecovered: why a session ended.
	HistoryRecovered = Phrase{ZH: "recovered 修复归档", EN: "recovered"}
)
