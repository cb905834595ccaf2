package phrases

// What the commands of homebot say in a terminal.
var (
	// BackupNoWorkspace: nothing is there to be saved.
	BackupNoWorkspace = Phrase{ZH: "没有工作目录 %s；请用 --workspace 指明", EN: "there is no workspace %s; name it with --workspace"}
	// BackupLeftOut: something in the workspace is no file.
	BackupLeftOut = Phrase{ZH: "跳过了 %s，它不是文件", EN: "left out %s, which is no file"}
	// BackupSaved: how many files, how many KB, and where.
	BackupSaved = Phrase{ZH: "%d 个文件（%d KB）已存到 %s；密钥和密码不在里面", EN: "saved %d files (%d KB) in %s; keys and passwords are not in it"}
	// RestoreNoFile: the backup cannot be read, and why.
	RestoreNoFile = Phrase{ZH: "备份打不开：%s", EN: "the backup cannot be opened: %s"}
	// RestoreStopFirst: EngineHeld, and what to do.
	RestoreStopFirst = Phrase{ZH: "%s；请先停掉它，再恢复", EN: "%s; stop it first, then restore"}
	// RestoreUnchanged: what is wrong with the backup; all is as it was.
	RestoreUnchanged = Phrase{ZH: "%s；什么都没有改动", EN: "%s; nothing was changed"}
	// RestoreDone: how many files, of when, and where the old ones are.
	RestoreDone = Phrase{ZH: "已恢复 %d 个文件，是 %s 时的样子；原来的内容在 %s", EN: "restored %d files as they were on %s; what was there before is in %s"}
	// RestoreDoneFresh: the same where there were no old ones.
	RestoreDoneFresh = Phrase{ZH: "已恢复 %d 个文件，是 %s 时的样子；原来什么都没有", EN: "restored %d files as they were on %s; nothing was there before"}

	// ChatHow: how to leave a talk.
	ChatHow = Phrase{ZH: "输入一行后回车；按 Ctrl-D 结束。", EN: "Type a line and Enter; Ctrl-D ends the talk."}
	// ChatMode: the mode that is active.
	ChatMode = Phrase{ZH: "（模式：%s）", EN: "(mode: %s)"}
	// ChatNoMode: the mode has ended.
	ChatNoMode = Phrase{ZH: "（没有模式在进行）", EN: "(no mode is active)"}
	// ChatInput: lines cannot be read, and why.
	ChatInput = Phrase{ZH: "没法读输入：%s", EN: "read the input: %s"}

	// ConfigOK: a configuration without mistakes.
	ConfigOK = Phrase{ZH: "没有问题：%s", EN: "ok: %s"}
	// ConfigOKDefaults: there is no file, so there are no mistakes.
	ConfigOKDefaults = Phrase{ZH: "没有问题：%s 不存在，用的都是默认值", EN: "ok: there is no %s; the defaults are in force"}
	// ConfigUnheard: a phrase of modes or of the configuration, and why.
	ConfigUnheard = Phrase{ZH: "注意：听不出 %q：%s", EN: "note: %q cannot be heard: %s"}

	// PageOpen: a link that lets in.
	PageOpen = Phrase{ZH: "homebot 的网页：打开 %s", EN: "homebot's page: open %s"}
	// PageAt: where the page is.
	PageAt = Phrase{ZH: "homebot 的网页：%s（用 homebot pair 配对浏览器）", EN: "homebot's page: %s (homebot pair lets a browser in)"}
	// PairNoConsole: the configuration wants no page.
	PairNoConsole = Phrase{ZH: "没有网页控制台：[console] listen 是空的；请设好它，例如 127.0.0.1:8080，再重新启动 homebot", EN: "there is no console: [console] listen is empty; set it, like 127.0.0.1:8080, and start homebot again"}
	// PairNotRunning: there is a page in the configuration only.
	PairNotRunning = Phrase{ZH: "网页控制台没有在运行；请启动 homebot run，或者在它的日志里看看为什么没能监听 %s", EN: "the console does not run; start homebot run, or look at its log for why it could not listen on %s"}
	// PairCode: the code to type, and for how many minutes it holds.
	PairCode = Phrase{ZH: "配对码：%s   （%d 分钟内有效）", EN: "Code:  %s   (for %d minutes)"}
	// PairPage: where to type it.
	PairPage = Phrase{ZH: "网页：  %s", EN: "Page:  %s"}
	// PairHTTPS: the same over https, and where its certificate is.
	PairHTTPS = Phrase{ZH: "https： %s   （手机要用麦克风时；证书：%s/ca.crt）", EN: "https: %s   (for the microphone of a phone; its certificate: %s/ca.crt)"}
	// PairLink: a link that needs no code.
	PairLink = Phrase{ZH: "链接：  %s   （不用配对码，只能用一次）", EN: "Link:  %s   (lets in once, without the code)"}
	// PairNobody: the list is empty.
	PairNobody = Phrase{ZH: "还没有配对过", EN: "nobody is let in yet"}
	// PairDates: the end of a line of the list.
	PairDates = Phrase{ZH: "%s 配对，最近使用 %s", EN: "made %s, seen %s"}
	// PairTokenOnce: after a token; how to take it back.
	PairTokenOnce = Phrase{ZH: "令牌只显示这一次；要收回：homebot pair --revoke %s", EN: "shown this once; homebot pair --revoke %s takes it back"}

	// ControlMuted: homebot mute.
	ControlMuted = Phrase{ZH: "麦克风关了；用 homebot unmute 再打开", EN: "the microphone is off; homebot unmute turns it on again"}
	// ControlUnmuted: homebot unmute.
	ControlUnmuted = Phrase{ZH: "麦克风开了", EN: "the microphone is on"}
	// ControlStopped: homebot stop.
	ControlStopped = Phrase{ZH: "停下了", EN: "stopped"}
	// ControlRepeats: homebot repeat.
	ControlRepeats = Phrase{ZH: "它会把上一个回答再说一遍；没有的话，会说没有", EN: "it says its last reply again, or that there is none"}
	// ControlVolume: the loudness in percent.
	ControlVolume = Phrase{ZH: "音量 %d", EN: "volume %d"}
	// ControlVolumeSilent: 0 percent.
	ControlVolumeSilent = Phrase{ZH: "音量 %d，没有声音", EN: "volume %d, silent"}
	// ControlVolumeLoudest: 100 percent.
	ControlVolumeLoudest = Phrase{ZH: "音量 %d，最大声", EN: "volume %d, the loudest"}
	// ControlNoVolume: what was written is none.
	ControlNoVolume = Phrase{ZH: "%q 不是音量；请写 0 到 100、+ 或者 -", EN: "%q is no volume; write 0 to 100, + or -"}

	// RunStopFirst: EngineHeld, and what to do.
	RunStopFirst = Phrase{ZH: "%s；请先停掉它，或者用 --workspace 另选一个工作目录", EN: "%s; stop it first, or choose another workspace with --workspace"}
	// RunReady: requests are taken.
	RunReady = Phrase{ZH: "homebot 准备好了：工作目录 %s", EN: "homebot is ready: workspace %s"}
	// RunListens: the wake phrases are heard.
	RunListens = Phrase{ZH: "homebot 在听了：请说 %s", EN: "homebot listens: say %s"}

	// DemoBegins: a talk instead of the appliance.
	DemoBegins = Phrase{ZH: "这里没有声卡：同样的程序在虚拟声卡上运行，并有人对它说一小段话", EN: "no sound card here: the same appliance runs on a virtual one, and a short talk is spoken into it"}
	// DemoSays: what is spoken to it.
	DemoSays = Phrase{ZH: ">>> 有人说：%s", EN: ">>> somebody says: %s"}
	// DemoNoMandarin: half of the talk is left out.
	DemoNoMandarin = Phrase{ZH: "（这里没有中文语音模型，所以只说英文；请把 MODELS 设成模型所在的目录）", EN: "(no Mandarin model here, so only English is spoken; set MODELS to its folder)"}
	// DemoNotHeard: a line, and how often it was said.
	DemoNotHeard = Phrase{ZH: "没听见 %q，一共说了 %d 遍；请运行 homebot doctor", EN: "%q was not heard in %d tries; run homebot doctor"}
	// DemoDisk: what is printed next.
	DemoDisk = Phrase{ZH: "现在磁盘上有这些（%s）：", EN: "what lies on disk now (%s):"}
	// DemoOver: what to do now.
	DemoOver = Phrase{ZH: "这段话说完了；现在自己来聊聊：bin/homebot chat", EN: "that was the talk; now talk to it yourself: bin/homebot chat"}

	// NewModeName: a name that no mode can have.
	NewModeName = Phrase{ZH: "名字 %q 不行：请以小写字母开头，后面用小写字母、数字和 -，最多 32 个", EN: "name %q: use a small letter, then small letters, digits and -, at most 32"}
	// NewModeTaken: a mode has the name.
	NewModeTaken = Phrase{ZH: "已经有模式 %q 了；请换个名字", EN: "there is a mode %q already; choose another name"}
	// NewModeThere: something else is in its place.
	NewModeThere = Phrase{ZH: "%s 已经存在；请换个名字，或者把它移走", EN: "%s is there already; choose another name, or take it away"}
	// NewModeMade: the folder.
	NewModeMade = Phrase{ZH: "已建好 %s", EN: "made %s"}
	// NewModeSay: what to say to it, in Chinese and in English, and how to go on.
	NewModeSay = Phrase{ZH: "对它说%s或者%s；三个文件都可以改，下次进入模式时生效", EN: "say %s or %s; edit the three files, they count from the next entry"}
	// WorkspaceUnwritten: the workspace cannot be written, and why.
	WorkspaceUnwritten = Phrase{ZH: "%s；请用 --workspace 选一个能写的工作目录", EN: "%s; choose a workspace that can be written with --workspace"}

	// SpeechNotRunning: the child that hears and speaks has ended.
	SpeechNotRunning = Phrase{ZH: "homebot-speech 没有在运行", EN: "homebot-speech is not running"}
	// SpeechHung: it did not answer.
	SpeechHung = Phrase{ZH: "homebot-speech 没有反应，已经把它结束", EN: "homebot-speech hung, and was ended"}
	// SpeechNoStart: the program cannot be started, and why.
	SpeechNoStart = Phrase{ZH: "没法启动 %s：%s", EN: "start %s: %s"}
	// SpeechNoProgram: there is no program.
	SpeechNoProgram = Phrase{ZH: "homebot-speech 既不在 homebot 旁边，也不在 PATH 里；请用 make build 把两个都编译好", EN: "homebot-speech is neither beside homebot nor in PATH; build both with: make build"}

	// VersionLine: homebot version: version, system, processor, compiler, when.
	VersionLine = Phrase{ZH: "homebot %s（%s/%s，%s，编译于 %s）", EN: "homebot %s (%s/%s, %s, built %s)"}
	// VersionNoTime: nobody knows when.
	VersionNoTime = Phrase{ZH: "未知时间", EN: "unknown time"}
)
