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

// What is wrong with the files of a mode, and the way out: told after the file and
// the line ("skills/study/mode.json:3: …").
var (
	// ModeFileUnreadable: a folder cannot be read, and why.
	ModeFileUnreadable = Phrase{ZH: "读不了：%s", EN: "cannot be read: %s"}
	// ModeFileLink: a link among the folders.
	ModeFileLink = Phrase{ZH: "是符号链接；请把文件夹本身复制到这里", EN: "is a symbolic link; copy the folder itself here"}
	// ModeFileEmpty: a mode.json without a character in it.
	ModeFileEmpty = Phrase{ZH: "是空的", EN: "is empty"}
	// ModeFileNoJSON: a mode.json that is not JSON, and why (in English: the parser's own words).
	ModeFileNoJSON = Phrase{ZH: "不是 JSON：%s", EN: "not JSON: %s"}
	// ModeFileNoObject: a mode.json that is something else, and what.
	ModeFileNoObject = Phrase{ZH: "要写成一个 { } 对象，不能是 %s", EN: "must be one object in { }, not %s"}
	// ModeFileTwo: a mode.json with more behind its end.
	ModeFileTwo = Phrase{ZH: "结尾的 } 后面还有内容；请删掉", EN: "something follows the closing }; take it away"}
	// ModeFileType: a key with a value of another type.
	ModeFileType = Phrase{ZH: "%s 必须是 %s，不能是 %s", EN: "%s must be %s, not %s"}
	// ModeFileNoKey: a key that does not exist.
	ModeFileNoKey = Phrase{ZH: "没有 %q 这个键；所有的键见 docs/MODES.md", EN: "unknown key %q; docs/MODES.md lists the keys"}
	// ModeFileID: an id that is none.
	ModeFileID = Phrase{ZH: "id %q 不行：要以小写字母开头，只用小写字母、数字和 -，最多 32 个", EN: "id %q: use a small letter, then small letters, digits and -, at most 32"}
	// ModeFileReserved: an id that is one of homebot's own directories.
	ModeFileReserved = Phrase{ZH: "id %q 是 homebot 自己用的名字；请换一个 id", EN: "id %q is a name homebot uses itself; choose another id"}
	// ModeFileNoName: a mode without a name; %s is an example.
	ModeFileNoName = Phrase{ZH: "缺少 display_name：大家叫它的名字，例如%s", EN: "display_name is missing: the name people say, such as %s"}
	// ModeFilePrefix: a session_prefix that is none.
	ModeFilePrefix = Phrase{ZH: "session_prefix %q 不行：只用小写字母、数字和 -", EN: "session_prefix %q: use small letters, digits and -"}
	// ModeFileExpires: no time of day.
	ModeFileExpires = Phrase{ZH: "expires %q 不是时间：请写成 HH:MM，例如 00:10", EN: "expires %q: use HH:MM, such as 00:10"}
	// ModeFileProfile: no context profile.
	ModeFileProfile = Phrase{ZH: "没有 context_profile %q：请写 full、compact 或 minimal", EN: "context_profile %q: use full, compact or minimal"}
	// ModeFileName: a name that nobody can say.
	ModeFileName = Phrase{ZH: "名字 %q 不行：最多 %d 个字，写在一行里，不要 [ 和 ]", EN: "name %q: use at most %d characters on one line, without [ and ]"}
	// ModeFileAlias: an alias that could be meant otherwise; %s is the Chinese word for mode.
	ModeFileAlias = Phrase{ZH: "别名 %q 里要有“%s”或者单词 mode", EN: "alias %q must contain %s or the word mode"}
	// ModeFileIDTaken: two modes with one id: which, and where the first is.
	ModeFileIDTaken = Phrase{ZH: "id %q 已经被 %s 占用；请换一个 id", EN: "id %q is taken by %s; choose another id"}
	// ModeFileNameTaken: two modes with one name: which, and where the first is.
	ModeFileNameTaken = Phrase{ZH: "名字 %q 已经被 %s 占用；请换一个名字", EN: "name %q is taken by %s; choose another name"}
	// ModeFilePython: an entry point in another language.
	ModeFilePython = Phrase{ZH: "这里不运行 Python；请用 mode.star:名字，或者去掉 entrypoint，做成静态模式", EN: "Python is not run here; use mode.star:NAME, or drop entrypoint for a static mode"}
	// ModeFileEntry: an entry point that is none.
	ModeFileEntry = Phrase{ZH: "entrypoint %q 不行：请用 mode.star:名字，或者去掉 entrypoint，做成静态模式", EN: "entry point %q: use mode.star:NAME, or drop entrypoint for a static mode"}
	// ModeFileNoBuiltin: an entry point, and the mode that has nothing of that name.
	ModeFileNoBuiltin = Phrase{ZH: "entrypoint %q 找不到：程序里没有给模式 %q 的这段代码；请去掉 entrypoint，做成静态模式", EN: "entry point %q: nothing of that name is built in for the mode %q; drop entrypoint for a static mode"}
	// ModeFileNoScripts: a program that cannot run scripts.
	ModeFileNoScripts = Phrase{ZH: "这里不能运行脚本；请去掉 entrypoint，做成静态模式", EN: "scripts cannot run here; drop entrypoint for a static mode"}
	// ModeFileTool: a tool with a name that is none.
	ModeFileTool = Phrase{ZH: "工具名 %q 不行：只用小写字母、数字和 _，最多 48 个", EN: "tool %q: use small letters, digits and _, at most 48"}
	// ModeFileToolTaken: a tool with the name of another.
	ModeFileToolTaken = Phrase{ZH: "工具名 %q 已经有了；请换一个名字", EN: "tool %q is taken; choose another name"}
	// ModeFileNoTool: a tool that is offered and does not exist, and those that do.
	ModeFileNoTool = Phrase{ZH: "tools：没有工具 %q；它的代码里有：%s", EN: "tools: there is no tool %q; its plugin has %s"}
	// ModeFileNoTools: what ModeFileNoTool has where there are none.
	ModeFileNoTools = Phrase{ZH: "（没有）", EN: "none"}
)

// What is wrong with the script of a mode: told after the file and the line. What
// the language of scripts says itself is in English.
var (
	// ScriptNoEntry: the file lacks what mode.json names.
	ScriptNoEntry = Phrase{ZH: "找不到入口：文件里没有 %s = struct(…)", EN: "entry point missing: there is no %s = struct(…) in the file"}
	// ScriptNoFunction: a hook that is none: its name, and what it is.
	ScriptNoFunction = Phrase{ZH: "%s 必须是函数，不能是 %s", EN: "%s must be a function, not %s"}
	// ScriptNoUse: the struct holds what no mode has.
	ScriptNoUse = Phrase{ZH: "%s 没有用处；模式里可以有 static_prompt、runtime_context、tools 和 after_exit", EN: "%s has no use; a mode has static_prompt, runtime_context, tools and after_exit"}
	// ScriptNoList: tools is something else, and what.
	ScriptNoList = Phrase{ZH: "tools 必须是 tool(…) 的列表，不能是 %s", EN: "tools must be a list of tool(…), not %s"}
	// ScriptNoTool: tools holds something else, and what.
	ScriptNoTool = Phrase{ZH: "tools 里只能有 tool(…)，不能有 %s", EN: "tools must hold tool(…) only, not %s"}
	// ScriptNoParams: a tool's parameters are not written right.
	ScriptNoParams = Phrase{ZH: "tool：params 要写成 {\"word\": \"string: the word\"} 这样，不能是 %s", EN: "tool: params must be like {\"word\": \"string: the word\"}, not %s"}
	// ScriptNoKind: a tool's parameter has a type that does not exist.
	ScriptNoKind = Phrase{ZH: "tool：%s 必须是 string、integer、number 或 boolean，不能是 %q", EN: "tool: %s must be string, integer, number or boolean, not %q"}
	// ScriptTooManySteps: it runs for ever.
	ScriptTooManySteps = Phrase{ZH: "运行太久，已经停掉", EN: "runs too long; it was stopped"}
	// ScriptTooLong: it took more than its time.
	ScriptTooLong = Phrase{ZH: "运行超过 %v，已经停掉", EN: "takes longer than %v; it was stopped"}
	// ScriptTooMuch: it took more than its memory.
	ScriptTooMuch = Phrase{ZH: "用的内存超过 %d MB，已经停掉", EN: "needs more than %d MB of memory; it was stopped"}
	// ScriptEnded: its process ended: how, and its first line.
	ScriptEnded = Phrase{ZH: "它的进程退出了：%v %s", EN: "its process ended: %v %s"}
	// ScriptMute: its process gave no answer.
	ScriptMute = Phrase{ZH: "没有给出能读懂的回答", EN: "gave no answer that can be read"}
)

// What is wrong with a session, or with a dialogue on disk.
var (
	// ModeSessionWrong: the id of a mode's session, and what is wrong.
	ModeSessionWrong = Phrase{ZH: "会话 %s：%s", EN: "session %s: %s"}
	// ConversationWrong: a dialogue cannot be read or written, and why.
	ConversationWrong = Phrase{ZH: "对话记录：%s", EN: "conversation: %s"}
)
