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

// What is done with a table of context profiles, and what is wrong with one; the
// mistakes stand below their file, line and key.
var (
	// TableInForce: the version that everybody has.
	TableInForce = Phrase{ZH: "表 %d 已对所有会话生效，每个会话从下一轮起换用", EN: "table %d is in force for everybody, from each conversation's next turn on"}
	// TableCanary: the version that a share of the sessions has.
	TableCanary = Phrase{ZH: "表 %d 已对 %.0f %% 的会话生效；效果用 compare 看，给所有会话用 apply", EN: "table %d is in force for %.0f %% of the sessions; compare shows how it does, apply gives it to everybody"}
	// TableTooLarge: a file that is no table.
	TableTooLarge = Phrase{ZH: "太大了，不会是上下文模式表；这样的表大约 3 KB", EN: "is too large for a profile table; a table has about 3 KB"}
	// TableNoKey: a key that is none.
	TableNoKey = Phrase{ZH: "没有这个键；请删掉这一行（homebot context profiles show 列出所有的键）", EN: "there is no such key; take the line out (homebot context profiles show lists them all)"}
	// TableNoVersion: the table says no version.
	TableNoVersion = Phrase{ZH: "没有写；请在开头写 version = N，N 是文件名里的数字", EN: "is missing; write version = N at the top, N as in the file's name"}
	// TableLowVersion: a version that cannot be one.
	TableLowVersion = Phrase{ZH: "至少是 1", EN: "must be 1 or more"}
	// TableLeave: the load at which a profile is left.
	TableLeave = Phrase{ZH: "要小于 load.enter，不然模式会来回跳", EN: "must be below load.enter, or the profile would flap"}
	// TableNoProfile: a profile that is none.
	TableNoProfile = Phrase{ZH: "没有 %q 这个模式；请写 full、compact 或 minimal", EN: "%q is no profile; write full, compact or minimal"}
	// TableKeepSystem: the system layer.
	TableKeepSystem = Phrase{ZH: "只能是 true：系统提示从不丢掉", EN: "must be true: the system layer is never dropped"}
	// TableMaxTurns: a number of turns.
	TableMaxTurns = Phrase{ZH: "请写 -1（不限）或 1 … 100000", EN: "must be -1 (no limit) or 1 … 100000"}
	// TableCache: what answers are kept by.
	TableCache = Phrase{ZH: "请写 \"whole\" 或 \"core\"", EN: "must be \"whole\" or \"core\""}
	// TableWords: a name or a sentence.
	TableWords = Phrase{ZH: "要写一行文字，不用 [ ]", EN: "must be some words on one line, without [ ]"}
	// TableSameName: two profiles of one name.
	TableSameName = Phrase{ZH: "和 %s 同名；名字不能一样", EN: "is also the name of %s; names must differ"}
	// TableRange: a figure out of its range.
	TableRange = Phrase{ZH: "请写 %s … %s 的数", EN: "must be %s … %s"}
	// TableNoSuchVersion: a version that is not there.
	TableNoSuchVersion = Phrase{ZH: "没有这个版本；有哪些用 list 看", EN: "there is no such version; list shows those there are"}
	// TableTaken: the version of a new table, behind TableVersionIs.
	TableTaken = Phrase{ZH: "已经是另一张表了；请在文件开头换一个版本号", EN: "is in use for another table; write another version number at the top of the file"}
	// TableNothing: there is no version before the one in force.
	TableNothing = Phrase{ZH: "没有可以退回的：生效的就是第一个版本", EN: "there is nothing to roll back to: the first version is in force"}
	// TableShare: a share that is none.
	TableShare = Phrase{ZH: "份额要大于 0、小于 1，例如 0.2；给所有会话用 apply", EN: "the share must be above 0 and below 1, like 0.2; use apply for everybody"}
	// TableCurrent: the version of a canary, behind TableIs.
	TableCurrent = Phrase{ZH: "已经对所有会话生效了", EN: "is in force for everybody already"}
	// TableOtherVersion: a file, and the version in it.
	TableOtherVersion = Phrase{ZH: "%s：里面写着 version = %d；要和文件名一样", EN: "%s: version = %d inside; it must be the file's own name"}
	// TableWrong: a version, and what is wrong.
	TableWrong = Phrase{ZH: "表 %d：%s", EN: "table %d: %s"}
	// TableIs: a version, and what it is.
	TableIs = Phrase{ZH: "表 %d %s", EN: "table %d %s"}
	// TableVersionIs: a file, the version in it, and what that is.
	TableVersionIs = Phrase{ZH: "%s：版本 %d %s", EN: "%s: version %d %s"}
)
