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

// What homebot timers prints.
var (
	// TimersListEmpty: a list of none.
	TimersListEmpty = Phrase{ZH: "没有设定时", EN: "no timer is set"}
	// TimersRow: the id, kind and state of a timer, how long is left, when it rings, and its name; the first four fill columns.
	TimersRow = Phrase{ZH: "%s %s %s 还剩 %s %s 响  %s", EN: "%s %s %s left %s rings %s  %s"}
	// TimersKindTimer: a kind of timer.
	TimersKindTimer = Phrase{ZH: "定时器", EN: "timer"}
	// TimersKindAlarm: a kind of timer.
	TimersKindAlarm = Phrase{ZH: "闹铃", EN: "alarm"}
	// TimersRunning: the state of a timer.
	TimersRunning = Phrase{ZH: "在走", EN: "running"}
	// TimersRinging: the state of a timer.
	TimersRinging = Phrase{ZH: "在响", EN: "ringing"}
	// TimersSee: why an order was not carried out.
	TimersSee = Phrase{ZH: "%s；列表见 homebot timers list", EN: "%s; see homebot timers list"}
	// TimersNoTime: what was written for --now.
	TimersNoTime = Phrase{ZH: "--now %q 不是时间；请写成 2026-10-22T19:55:00+08:00 这样", EN: "--now %q is no time; write it like 2026-10-22T19:55:00+08:00"}
	// LangUnknown: what was written for --lang.
	LangUnknown = Phrase{ZH: "--lang %q 这里不会；请写 zh 或 en", EN: "--lang %q is not spoken here; use zh or en"}
)

// What homebot replay prints: what a figure is of, and the figure.
var (
	// ReplayRecordings: a line of the table.
	ReplayRecordings = Phrase{ZH: "录音", EN: "recordings"}
	// ReplayHours: how many recordings, and their length together.
	ReplayHours = Phrase{ZH: "%d 段，%.2f 小时", EN: "%d, %.2f h"}
	// ReplayMissed: a line of the table.
	ReplayMissed = Phrase{ZH: "没听到的唤醒词", EN: "wake words missed"}
	// ReplayOf: how many, and of how many.
	ReplayOf = Phrase{ZH: "%d，共 %d", EN: "%d of %d"}
	// ReplayFalse: a line of the table.
	ReplayFalse = Phrase{ZH: "误唤醒", EN: "false wakes"}
	// ReplayPerHour: how many, and how many an hour.
	ReplayPerHour = Phrase{ZH: "%d 次，每小时 %.1f 次", EN: "%d, %.1f an hour"}
	// ReplayWordErrors: a line of the table.
	ReplayWordErrors = Phrase{ZH: "错词率（英文）", EN: "word error rate (en)"}
	// ReplayCharErrors: a line of the table.
	ReplayCharErrors = Phrase{ZH: "错字率（中文）", EN: "character error rate (zh)"}
	// ReplayPercent: a rate, of how many, and their unit.
	ReplayPercent = Phrase{ZH: "%.1f %%，共 %d %s", EN: "%.1f %% of %d %s"}
	// ReplayWords: a unit.
	ReplayWords = Phrase{ZH: "词", EN: "words"}
	// ReplayChars: a unit.
	ReplayChars = Phrase{ZH: "字", EN: "characters"}
	// ReplayWhole: a line of the table.
	ReplayWhole = Phrase{ZH: "一字不差的句子", EN: "sentences without an error"}
	// ReplayCutOff: a line of the table.
	ReplayCutOff = Phrase{ZH: "没说完就被打断", EN: "cut off while speaking"}
	// ReplayCutOffBy: a line of the table, below ReplayCutOff.
	ReplayCutOffBy = Phrase{ZH: "提前了", EN: "by"}
	// ReplayWait: a line of the table.
	ReplayWait = Phrase{ZH: "说完后的等待", EN: "wait after the last word"}
	// ReplaySpread: quantiles, and how many values they are of.
	ReplaySpread = Phrase{ZH: "P50 %d 毫秒，P95 %d 毫秒（%d 次）", EN: "P50 %d ms, P95 %d ms (%d)"}
	// ReplaySince: the heading of the stages.
	ReplaySince = Phrase{ZH: "从听到话说完算起：", EN: "since the end of speech, as it was heard:"}
	// ReplayFile: a recording: misses, false wakes, wrong words; what was heard, and what was said.
	ReplayFile = Phrase{ZH: "%s：没听到 %d 次，误唤醒 %d 次，错 %d 处；听成 %q，原话 %q", EN: "%s: %d missed, %d false, %d errors; heard %q for %q"}
	// ReplayEnded: somebody ended it.
	ReplayEnded = Phrase{ZH: "录音还没放完，重放就被结束了", EN: "the replay was ended before all recordings were heard"}
	// TruthMissing: the file of the truth is not there.
	TruthMissing = Phrase{ZH: "没有 %s；里面要写什么见 docs/REPLAY.md", EN: "%s is not there; docs/REPLAY.md says what stands in it"}
	// TruthTooLarge: the file of the truth, and its limit in bytes.
	TruthTooLarge = Phrase{ZH: "%s：超过 %d 字节", EN: "%s: larger than %d bytes"}
	// TruthTwice: a recording is named in two lines.
	TruthTwice = Phrase{ZH: "%s 写了两次", EN: "%s stands here twice"}
	// TruthEmpty: the file of the truth names none.
	TruthEmpty = Phrase{ZH: "%s：里面一段录音也没有写", EN: "%s: no recording is named in it"}
	// TruthNotJSON: a line of the truth, and what the parser says.
	TruthNotJSON = Phrase{ZH: "不是一段录音的 JSON 对象：%s", EN: "no JSON object of a recording: %s"}
	// TruthTwoObjects: a line of the truth.
	TruthTwoObjects = Phrase{ZH: "一行里不止一个对象", EN: "more than one object in a line"}
	// TruthNoFile: a line of the truth.
	TruthNoFile = Phrase{ZH: "缺少 file", EN: "file is missing"}
	// TruthOutside: a line of the truth.
	TruthOutside = Phrase{ZH: "file %q 不在这个目录里", EN: "file %q leaves the directory"}
	// TruthLang: a line of the truth.
	TruthLang = Phrase{ZH: "不认识 lang %q；请写 zh 或 en", EN: "lang %q is not known; write zh or en"}
	// TruthNoLang: a line of the truth.
	TruthNoLang = Phrase{ZH: "有 text，却缺少 lang；请写 zh 或 en", EN: "lang is missing beside text; write zh or en"}
	// TruthNoWakes: a line of the truth.
	TruthNoWakes = Phrase{ZH: "听到唤醒词以后才会听 text；缺少 wakes", EN: "text is heard only after a wake word; wakes is missing"}
	// TruthSpeechEnd: a line of the truth.
	TruthSpeechEnd = Phrase{ZH: "speech_end 在开头之前", EN: "speech_end is before the beginning"}
	// TruthWakes: a line of the truth.
	TruthWakes = Phrase{ZH: "wakes 是从开头算起的秒数，要从小到大", EN: "wakes are seconds from the beginning, in their order"}
)

// What homebot context explain prints.
var (
	// ExplainTable: the table in force, and the load of the machine.
	ExplainTable = Phrase{ZH: "生效的是表 %d；负载 %.2f", EN: "table %d in force; load %.2f"}
	// ExplainTables: ExplainTable, with the canary and its share.
	ExplainTables = Phrase{ZH: "生效的是表 %d，表 %d 用于 %.0f %% 的会话；负载 %.2f", EN: "table %d in force, %d for %.0f %% of the sessions; load %.2f"}
	// ExplainProfile: a row of the table: its name, its budget now and in the table, and what it keeps.
	ExplainProfile = Phrase{
		ZH: "%s：现在 %d 词元（表里 %d），轮数：%s，摘要：%s，保留未确认的内容：%s，重要性从 %.1f 起不裁剪，答案缓存按：%s",
		EN: "%s: %d tokens now (%d in the table), turns: %s, summaries: %s, unconfirmed items kept: %s, never trimmed from importance %.1f, answers kept by: %s",
	}
	// ExplainNoLimit: the turns of a profile.
	ExplainNoLimit = Phrase{ZH: "不限", EN: "no limit"}
	// ExplainTrue: a flag.
	ExplainTrue = Phrase{ZH: "是", EN: "true"}
	// ExplainFalse: a flag.
	ExplainFalse = Phrase{ZH: "否", EN: "false"}
	// ExplainNoTurns: nothing was asked yet.
	ExplainNoTurns = Phrase{ZH: "还没有对话", EN: "no turns yet"}
	// ExplainTurn: a turn, and its session.
	ExplainTurn = Phrase{ZH: "轮次 %s，属于 %s", EN: "turn %s of %s"}
	// ExplainDecided: the label of ExplainDecision.
	ExplainDecided = Phrase{ZH: "决定", EN: "decided"}
	// ExplainDecision: the profile, its reason, the table, and how long it took.
	ExplainDecision = Phrase{ZH: "%s（%s），按表 %d，用了 %.2f 毫秒", EN: "%s (%s), by table %d in %.2f ms"}
	// ExplainSignals: the label of the signals, which have names of their own.
	ExplainSignals = Phrase{ZH: "信号", EN: "signals"}
	// ExplainKept: the label of ExplainKeeps.
	ExplainKept = Phrase{ZH: "保留", EN: "kept"}
	// ExplainKeeps: what the request carries.
	ExplainKeeps = Phrase{ZH: "%d 轮原话，%d 段摘要，%d 条固定的事实", EN: "%d turns as they were said, %d summary blocks, %d pinned facts"}
	// ExplainPinned: a fact that every request carries.
	ExplainPinned = Phrase{ZH: "固定：%s", EN: "pinned: %s"}
	// ExplainTrimmed: the label of ExplainTrims.
	ExplainTrimmed = Phrase{ZH: "裁掉", EN: "trimmed"}
	// ExplainTrims: what the request does not carry.
	ExplainTrims = Phrase{ZH: "%d 轮，其中 %d 轮写进了摘要；%d 条内容；用了 %.2f 毫秒", EN: "%d turns, %d of them summarised; %d items; in %.2f ms"}
	// ExplainEstimated: the label of ExplainEstimate.
	ExplainEstimated = Phrase{ZH: "估计", EN: "estimated"}
	// ExplainEstimate: tokens.
	ExplainEstimate = Phrase{ZH: "%d 词元，预算 %d，另有 %d 是提示词和工具", EN: "%d of a budget of %d tokens, beside %d of prompt and tools"}
	// ExplainBilled: the label of ExplainBill.
	ExplainBilled = Phrase{ZH: "计费", EN: "billed"}
	// ExplainBill: tokens.
	ExplainBill = Phrase{ZH: "%d 词元，其中 %d 来自服务商的缓存；回答 %d", EN: "%d tokens, %d of them from the provider's cache; %d for the reply"}
	// ExplainCut: a note.
	ExplainCut = Phrase{ZH: "请求之前裁剪过一次", EN: "a cut was made before the request"}
	// ExplainOverrun: a note.
	ExplainOverrun = Phrase{ZH: "必须发送的内容超过了预算", EN: "what must be sent was over the budget"}
	// ExplainBroke: a note.
	ExplainBroke = Phrase{ZH: "没有裁剪，前缀却断了", EN: "THE PREFIX BROKE outside a cut"}
	// ExplainFailed: a note, and why.
	ExplainFailed = Phrase{ZH: "失败：%s", EN: "failed: %s"}
)

// What homebot context profiles prints.
var (
	// ProfileNone: what was written for --profile.
	ProfileNone = Phrase{ZH: "--profile %q：没有这个上下文模式；请写 full、compact、minimal 或 auto", EN: "--profile %q: no such context profile; use full, compact, minimal or auto"}
	// ProfilesNoFile: a table cannot be read, and why.
	ProfilesNoFile = Phrase{ZH: "%s；可以先运行 homebot context profiles show > my-table.toml", EN: "%s; begin with: homebot context profiles show > my-table.toml"}
	// ProfilesInForce: a note on a version.
	ProfilesInForce = Phrase{ZH: "生效", EN: "in force"}
	// ProfilesCanary: a note on a version, with its share.
	ProfilesCanary = Phrase{ZH: "试用，占会话的 %.0f %%", EN: "canary for %.0f %% of the sessions"}
	// ProfilesBuiltin: a note on a version.
	ProfilesBuiltin = Phrase{ZH: "内置", EN: "built in"}
	// ProfilesBroken: a version cannot be used, and why.
	ProfilesBroken = Phrase{ZH: "有错：%s", EN: "BROKEN: %s"}
	// ProfilesNoVersion: what was written for a version.
	ProfilesNoVersion = Phrase{ZH: "%q 不是版本号；有哪些用 profiles list 看", EN: "%q is no version; profiles list shows them"}
	// CompareFlags: what was written for --hit or --price.
	CompareFlags = Phrase{ZH: "--hit 要写 0 到 1，--price 要写 0 以上的数", EN: "--hit must be 0 to 1, --price 0 or more"}
	// CompareHead: the heading of the table; its columns are as wide as their figures.
	CompareHead = Phrase{
		ZH: "   表     会话  轮次 |     重说      更正        打断  摘要失败 |     首字 p50 p95 |  每轮成本   缓存 | 裁剪 断前缀 |     切换 升   降   警报",
		EN: "table sessions turns | repeated corrected interrupted fallbacks | first word p50 p95 | cost/turn cached | cuts breaks | switches up down alarms",
	}
)

// The stages of a turn, as they are measured.
var (
	// StageWake: the wake word was noticed.
	StageWake = Phrase{ZH: "听到唤醒词", EN: "wake"}
	// StageEndpoint: the utterance was found to be over.
	StageEndpoint = Phrase{ZH: "判断说完", EN: "endpoint"}
	// StageFinal: its words came.
	StageFinal = Phrase{ZH: "认出文字", EN: "final"}
	// StageRequest: the first request to the model went out.
	StageRequest = Phrase{ZH: "发出请求", EN: "request"}
	// StageFirstToken: the first words of the reply came.
	StageFirstToken = Phrase{ZH: "第一个词", EN: "first token"}
	// StageFirstSentence: its first sentence was whole.
	StageFirstSentence = Phrase{ZH: "第一句话", EN: "first sentence"}
	// StageFirstAudio: its sound was handed to the loudspeaker.
	StageFirstAudio = Phrase{ZH: "开始出声", EN: "first audio"}
	// StageDone: it was heard to its end, or broken off.
	StageDone = Phrase{ZH: "全部说完", EN: "done"}
	// StageSpeechEnd: somebody stopped speaking.
	StageSpeechEnd = Phrase{ZH: "话说完", EN: "speech end"}
	// StageArrival: a written message came.
	StageArrival = Phrase{ZH: "收到消息", EN: "arrival"}
)

// What homebot run --show prints of each event: what it is, beside what it tells.
var (
	// ShowLight: the mode light changed.
	ShowLight = Phrase{ZH: "灯", EN: "light"}
	// ShowLightOn: how the mode light is now.
	ShowLightOn = Phrase{ZH: "亮", EN: "ON"}
	// ShowWoken: the wake phrase that was heard.
	ShowWoken = Phrase{ZH: "被叫醒", EN: "woken by"}
	// ShowEarcon: a short sound, by its name.
	ShowEarcon = Phrase{ZH: "提示音", EN: "earcon"}
	// ShowMode: a switch.
	ShowMode = Phrase{ZH: "模式", EN: "mode"}
	// ShowFrom: words that were not spoken: their channel, and whose.
	ShowFrom = Phrase{ZH: "%s 来自 %s", EN: "%s from %s"}
	// ShowReply: the answer to ShowFrom.
	ShowReply = Phrase{ZH: "回答", EN: "reply"}
	// ShowTurnDone: the label of ShowTurnTook.
	ShowTurnDone = Phrase{ZH: "一轮结束", EN: "turn done"}
	// ShowTurnTook: a turn's channel, and how long it took.
	ShowTurnTook = Phrase{ZH: "%s（首字 %d 毫秒，全部 %d 毫秒）", EN: "%s (first text %d ms, whole turn %d ms)"}
	// ShowMeasured: the label of ShowSince.
	ShowMeasured = Phrase{ZH: "用时", EN: "measured"}
	// ShowSince: the stages follow, in milliseconds after this one.
	ShowSince = Phrase{ZH: "从%s起的毫秒数：", EN: "ms since %s:"}
	// ShowCached: behind the stages.
	ShowCached = Phrase{ZH: "；缓存 %d 词元，共 %d", EN: "; %d of %d tokens cached"}
	// ShowTimerSet: a timer, by its id and name.
	ShowTimerSet = Phrase{ZH: "设了定时", EN: "timer set"}
	// ShowTimerChanged: a timer.
	ShowTimerChanged = Phrase{ZH: "改了定时", EN: "timer changed"}
	// ShowTimerCancelled: a timer.
	ShowTimerCancelled = Phrase{ZH: "取消定时", EN: "timer cancelled"}
	// ShowTimerRang: a timer.
	ShowTimerRang = Phrase{ZH: "定时响了", EN: "timer ring"}
	// ShowTimerStopped: a timer.
	ShowTimerStopped = Phrase{ZH: "响铃停了", EN: "timer stopped"}
	// ShowTimerMissed: a timer.
	ShowTimerMissed = Phrase{ZH: "错过定时", EN: "timer missed"}
	// ShowFault: something is wrong, in a sentence.
	ShowFault = Phrase{ZH: "故障", EN: "fault"}
	// ShowFaultCleared: it is over.
	ShowFaultCleared = Phrase{ZH: "故障消除", EN: "fault_cleared"}
	// ShowPrefixBreak: a request did not extend the one before, and why.
	ShowPrefixBreak = Phrase{ZH: "前缀断了", EN: "prefix break"}
	// ShowState: the state of the dialogue.
	ShowState = Phrase{ZH: "状态", EN: "state"}
	// ShowPartial: words that may change yet.
	ShowPartial = Phrase{ZH: "正在听", EN: "partial"}
	// ShowHeard: words that are final.
	ShowHeard = Phrase{ZH: "听到", EN: "heard"}
	// ShowSays: a sentence that is spoken.
	ShowSays = Phrase{ZH: "说", EN: "says"}
	// ShowAfter: how long after ShowHeard that was.
	ShowAfter = Phrase{ZH: "（话音后 %d 毫秒）", EN: "(%d ms after the words)"}
)
