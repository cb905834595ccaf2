package phrases

// What homebot's commands and flags do, as --help tells it.
var (
	// HelpRun: homebot run.
	HelpRun = Phrase{ZH: "运行整机：引擎、灯、耳朵和声音", EN: "Run the appliance: engine, light, ears and voice"}
	// HelpRunNoSound: run --no-sound.
	HelpRunNoSound = Phrase{ZH: "不用耳朵和声音：只有灯和套接字", EN: "run without ears and voice: light and socket only"}
	// HelpRunShow: run --show.
	HelpRunShow = Phrase{ZH: "随时打印对话状态、听到的话、回答、灯和延迟", EN: "print dialogue state, transcripts, replies, light and latency as they happen"}
	// HelpRunDemo: run --demo-without-sound-card.
	HelpRunDemo = Phrase{ZH: "没有声卡时，在虚拟声卡上演示一小段对话，然后结束", EN: "where there is no sound card, hold a short talk on a virtual one, then end"}
	// HelpRunAppliance: run --appliance.
	HelpRunAppliance = Phrase{ZH: "配置有错也照样启动：说出来，用状态灯表示，其余的照常工作", EN: "start in spite of mistakes in the configuration: say them, show them on the state light, go on with the rest"}
	// HelpChat: homebot chat.
	HelpChat = Phrase{ZH: "文字聊天：说一行，答一次", EN: "Talk in text: one line in, one reply out"}
	// HelpChatLong: homebot chat, in full.
	HelpChatLong = Phrase{ZH: "文字聊天：说一行，答一次，直到输入结束。", EN: "Talk in text: one line in, one reply out, until the end of the input."}
	// HelpChatKeys: homebot chat, in full.
	HelpChatKeys = Phrase{ZH: "在终端里可以编辑当前行，用方向键找回这次聊天说过的话。", EN: "At a terminal lines can be edited, and the arrow keys bring back those of this talk."}
	// HelpChatEnd: homebot chat, in full.
	HelpChatEnd = Phrase{ZH: "Ctrl-C 立刻结束，等回答的时候也可以；在空行按 Ctrl-D 也结束。", EN: "Ctrl-C ends it at once, also while a reply is awaited; Ctrl-D on an empty line ends it."}
	// HelpChatLines: homebot chat, in full.
	HelpChatLines = Phrase{ZH: "用 --json 时，每输入一行，正好输出一个 JSON 对象，存好之后才打印。", EN: "With --json each line in gives exactly one JSON object out, printed when the turn is durable."}
	// HelpChatSpeaker: chat --speaker.
	HelpChatSpeaker = Phrase{ZH: "谁在说话", EN: "who is speaking"}
	// HelpChatProfile: chat --profile.
	HelpChatProfile = Phrase{ZH: "每一行都用这个上下文模式：full、compact 或 minimal（默认逐行决定）", EN: "context profile of every line: full, compact or minimal (default: decided for each)"}
	// HelpChatJSON: chat --json.
	HelpChatJSON = Phrase{ZH: "每行打印一个 JSON 对象", EN: "print one JSON object for each line"}
	// HelpModes: homebot modes.
	HelpModes = Phrase{ZH: "列出运行模式，查看或退出当前模式", EN: "List the run modes, show or leave the active one"}
	// HelpModesList: homebot modes list.
	HelpModesList = Phrase{ZH: "列出所有模式：来源、名字、哪里有错", EN: "List every mode: where it came from, its names, what is broken"}
	// HelpModesStatus: homebot modes status.
	HelpModesStatus = Phrase{ZH: "查看当前模式和灯", EN: "Show which mode is active, and the light"}
	// HelpModesExit: homebot modes exit.
	HelpModesExit = Phrase{ZH: "退出当前模式并归档", EN: "Leave the active mode and archive it"}
	// HelpModesNew: homebot modes new.
	HelpModesNew = Phrase{ZH: "新建一个模式文件夹，可以从它改起", EN: "Make a folder with a new mode to start from"}
	// HelpHistory: homebot modes history.
	HelpHistory = Phrase{ZH: "列出已结束的模式会话，最近的在前", EN: "List finished mode sessions, newest first"}
	// HelpHistoryShow: homebot modes history show.
	HelpHistoryShow = Phrase{ZH: "显示一次会话：先总结，后对话", EN: "Print one session: its summary, then its dialogue"}
	// HelpHistoryExport: homebot modes history export.
	HelpHistoryExport = Phrase{ZH: "把一次会话写成 Markdown，写到标准输出或文件", EN: "Write one session as Markdown, to standard output or a file"}
	// HelpHistoryOutput: history export --output.
	HelpHistoryOutput = Phrase{ZH: "要写的文件（默认写到标准输出）", EN: "file to write (default standard output)"}
	// HelpModeScript: homebot mode-script.
	HelpModeScript = Phrase{ZH: "运行模式脚本里的一个函数；homebot 自己用", EN: "Run one hook of a mode's script; for homebot itself"}
	// HelpConfig: homebot config.
	HelpConfig = Phrase{ZH: "检查、查看或生成配置文件", EN: "Check, show or make the configuration file"}
	// HelpConfigCheck: homebot config check.
	HelpConfigCheck = Phrase{ZH: "指出每一处错误：文件、行、列和键名", EN: "Name every mistake with file, line, column and key"}
	// HelpConfigShow: homebot config show.
	HelpConfigShow = Phrase{ZH: "显示每项设置和它的来源；密钥不显示", EN: "Show every setting and where it comes from; secrets hidden"}
	// HelpConfigSample: homebot config sample.
	HelpConfigSample = Phrase{ZH: "打印一份带注释的 homebot.toml，里面是默认值", EN: "Print a commented homebot.toml with the defaults"}
	// HelpDoctor: homebot doctor.
	HelpDoctor = Phrase{ZH: "检查 homebot 需要的一切，说出哪里不对", EN: "Look at everything homebot needs and say what is wrong"}
	// HelpDoctorLightCodes: doctor --light-codes.
	HelpDoctorLightCodes = Phrase{ZH: "显示状态灯各种闪法的意思", EN: "print what the patterns of the state light mean"}
	// HelpVersion: the version commands.
	HelpVersion = Phrase{ZH: "显示版本", EN: "Print the version"}
	// HelpBackup: homebot backup.
	HelpBackup = Phrase{ZH: "把会话、成员、菜谱、定时器和设置存进一个文件；homebot 运行时也可以", EN: "Save sessions, members, recipes, timers and settings in one file; works while homebot runs"}
	// HelpBackupTo: homebot backup, in full.
	HelpBackupTo = Phrase{ZH: "把工作目录存进 FILE（.tar.gz 文件）；写 - 就送到标准输出。", EN: "Saves the workspace in FILE (a .tar.gz), or on standard output for -."}
	// HelpBackupWithout: homebot backup, in full.
	HelpBackupWithout = Phrase{ZH: "密钥和密码不存，模型和缓存也不存。", EN: "Keys and passwords are left out, and so are models and caches."}
	// HelpBackupInstant: homebot backup, in full.
	HelpBackupInstant = Phrase{ZH: "homebot 可以继续运行：文件里的内容都是同一时刻的。", EN: "homebot may run meanwhile: the file holds everything as it was at one instant."}
	// HelpRestore: homebot restore.
	HelpRestore = Phrase{ZH: "用备份换掉现有的内容；换下来的留在旁边", EN: "Put a backup in the place of what is there, which is kept beside it"}
	// HelpRestoreFrom: homebot restore, in full.
	HelpRestoreFrom = Phrase{ZH: "先检查整个 FILE（写 - 就读标准输入），再放进工作目录。", EN: "Checks FILE (or standard input for -) as a whole, then puts it into the workspace."}
	// HelpRestoreAside: homebot restore, in full.
	HelpRestoreAside = Phrase{ZH: "原来的内容留在工作目录下的 before-restore-时间 里。homebot 不能在运行。", EN: "What was there is kept in before-restore-TIME below it. homebot must not run."}
	// HelpRestoreStays: homebot restore, in full.
	HelpRestoreStays = Phrase{ZH: "密钥、模型和缓存保持不变。", EN: "Keys, models and caches stay as they are."}
)

// What homebot's commands for the context do, as --help tells it.
var (
	// HelpContext: homebot context.
	HelpContext = Phrase{ZH: "查看请求带了多少上下文、为什么；更换决定它的表", EN: "Show how much context requests carry and why; change the table that decides it"}
	// HelpExplain: homebot context explain.
	HelpExplain = Phrase{ZH: "显示生效的表，和最近的请求带了什么", EN: "Show the table in force and what the last requests carried"}
	// HelpExplainLast: context explain --last.
	HelpExplainLast = Phrase{ZH: "看几轮对话", EN: "how many turns"}
	// HelpProfiles: homebot context profiles.
	HelpProfiles = Phrase{ZH: "列出、查看、更换、比较上下文模式表的各个版本", EN: "List, show, change and compare versions of the profile table"}
	// HelpCanary: homebot context profiles canary.
	HelpCanary = Phrase{ZH: "让一部分会话试用一张表", EN: "Give a table to a share of the sessions"}
	// HelpCanaryShare: profiles canary --share.
	HelpCanaryShare = Phrase{ZH: "试用的会话占多少，大于 0，小于 1", EN: "share of the sessions, above 0 and below 1"}
	// HelpProfilesList: homebot context profiles list.
	HelpProfilesList = Phrase{ZH: "列出有哪些版本", EN: "List the versions there are"}
	// HelpProfilesShow: homebot context profiles show.
	HelpProfilesShow = Phrase{ZH: "原样显示一个版本的文件", EN: "Print a version as it is in its file"}
	// HelpApply: homebot context profiles apply.
	HelpApply = Phrase{ZH: "让一张表对所有人生效", EN: "Put a table in force for everybody"}
	// HelpRollback: homebot context profiles rollback.
	HelpRollback = Phrase{ZH: "撤下试用的表；没有试用的，就撤下生效的版本", EN: "Take the canary back, or else the version in force"}
	// HelpCompare: homebot context profiles compare.
	HelpCompare = Phrase{ZH: "按回答过的对话比较各个版本", EN: "Compare the versions by the turns they answered"}
	// HelpCompareFigures: homebot context profiles compare, in full.
	HelpCompareFigures = Phrase{
		ZH: "会显示：质量（一分钟内重说的、被纠正的、被打断的轮数，被拒绝的总结）、延迟、费用、缓存命中的比例、截断、上下文模式的变化和方向。",
		EN: "It shows quality (turns repeated within a minute, corrected, interrupted; summaries refused), latency, cost, share of cached tokens, cuts, changes of profile and their direction.",
	}
	// HelpCompareHit: profiles compare --hit.
	HelpCompareHit = Phrase{ZH: "缓存命中的 token 的价格，以新 token 为 1", EN: "price of a cached token beside a fresh one"}
	// HelpComparePrice: profiles compare --price.
	HelpComparePrice = Phrase{ZH: "一百万个新 token 的价格，写了就把费用换算成钱", EN: "price of a million fresh tokens, to show costs in money"}
)

// What homebot's commands for timers and words do, as --help tells it.
var (
	// HelpTimers: homebot timers.
	HelpTimers = Phrase{ZH: "查看、设定、取消定时器和闹钟，停止响铃", EN: "List, set and cancel timers and alarms, end the ringing"}
	// HelpTimersList: homebot timers list.
	HelpTimersList = Phrase{ZH: "列出设了哪些，还剩多久", EN: "List what is set and how long is left"}
	// HelpTimersJSON: timers list --json.
	HelpTimersJSON = Phrase{ZH: "每个定时器打印一个 JSON 对象", EN: "print one JSON object for each timer"}
	// HelpTimersCancel: homebot timers cancel.
	HelpTimersCancel = Phrase{ZH: "取消一个定时器或闹钟；只有一个的话不用写名字", EN: "Cancel a timer or alarm; without a name the only one there is"}
	// HelpTimersAll: timers cancel --all.
	HelpTimersAll = Phrase{ZH: "全部取消", EN: "cancel all of them"}
	// HelpTimersSet: homebot timers set; %s is an example.
	HelpTimersSet = Phrase{ZH: "用平常的话设定一个：homebot timers set %s", EN: "Set one in words: homebot timers set %s"}
	// HelpTimersStop: homebot timers stop.
	HelpTimersStop = Phrase{ZH: "停止响铃", EN: "End the ringing"}
	// HelpTimersParse: homebot timers parse.
	HelpTimersParse = Phrase{ZH: "从标准输入读句子，打印里面关于定时器的意思", EN: "Read phrases on standard input and print what they say about timers"}
	// HelpTimersLang: timers parse --lang.
	HelpTimersLang = Phrase{ZH: "句子的语言：zh 或 en", EN: "language of the phrases: zh or en"}
	// HelpTimersNow: timers parse --now.
	HelpTimersNow = Phrase{ZH: "假定说话的时间，RFC 3339 格式（默认现在）", EN: "the time it is said at, RFC 3339 (default now)"}
	// HelpText: homebot text.
	HelpText = Phrase{ZH: "查看文字怎样清理、怎样念", EN: "Show how words are cleaned and spoken"}
	// HelpTextHeard: homebot text heard.
	HelpTextHeard = Phrase{ZH: "清理听写出来的话：输入一行，输出一个 JSON 对象", EN: "Clean transcripts: one line in, one JSON object out"}
	// HelpTextSpoken: homebot text spoken.
	HelpTextSpoken = Phrase{ZH: "把回答变得好念：输入一行（换行写成 \\n），输出一个 JSON 对象", EN: "Make replies speakable: one line in (\\n for a line break), one JSON object out"}
	// HelpTextLang: text --lang.
	HelpTextLang = Phrase{ZH: "各行的语言：zh 或 en", EN: "language of the lines: zh or en"}
)

// What homebot's commands for the device do, as --help tells it.
var (
	// HelpPair: homebot pair.
	HelpPair = Phrase{ZH: "让浏览器或程序进入网页控制台", EN: "Let a browser or a program into the console"}
	// HelpPairCode: homebot pair, in full.
	HelpPairCode = Phrase{ZH: "不带选项时，显示要在网页上输入的配对码，和一个不用输入的链接；设备也会把配对码念出来。", EN: "Without flags it shows a code to type on the page, and a link that needs none; the device speaks the code too."}
	// HelpPairList: pair --list.
	HelpPairList = Phrase{ZH: "列出谁能进来", EN: "list who is let in"}
	// HelpPairRevoke: pair --revoke.
	HelpPairRevoke = Phrase{ZH: "按编号收回列表中一个的权限", EN: "let one of the list in no more, by its id"}
	// HelpPairRevokeAll: pair --revoke-all.
	HelpPairRevokeAll = Phrase{ZH: "收回所有权限，谁也进不来", EN: "let nobody in any more"}
	// HelpPairToken: pair --token.
	HelpPairToken = Phrase{ZH: "给叫这个名字的程序做一个令牌，打印出来", EN: "make a token for a program of this name, and print it"}
	// HelpPairScope: pair --scope.
	HelpPairScope = Phrase{ZH: "令牌的权限：all 一切、read 只看、metrics 指标", EN: "what the token may do: all, read or metrics"}
	// HelpPairQuiet: pair --quiet.
	HelpPairQuiet = Phrase{ZH: "不让设备念配对码", EN: "do not let the device speak the code"}
	// HelpVolume: homebot volume.
	HelpVolume = Phrase{ZH: "查看或设定正在运行的设备的音量：写百分数，或者 + 和 -", EN: "Show or set the volume of the running appliance, in percent or by a step"}
	// HelpMute: homebot mute.
	HelpMute = Phrase{ZH: "关掉正在运行的设备的麦克风", EN: "Turn the microphone of the running appliance off"}
	// HelpUnmute: homebot unmute.
	HelpUnmute = Phrase{ZH: "重新打开麦克风", EN: "Turn the microphone on again"}
	// HelpStop: homebot stop.
	HelpStop = Phrase{ZH: "让正在运行的设备停下：不再说、不再想、不再响", EN: "End what the running appliance says, thinks about or rings for"}
	// HelpRepeat: homebot repeat.
	HelpRepeat = Phrase{ZH: "再说一遍上次的回答", EN: "Say the last reply again"}
	// HelpDevices: homebot devices.
	HelpDevices = Phrase{ZH: "列出麦克风和扬声器", EN: "List microphones and loudspeakers"}
	// HelpSay: homebot say.
	HelpSay = Phrase{ZH: "用设定的声音和扬声器说一段文字", EN: "Speak a text through the configured voice and loudspeaker"}
	// HelpListen: homebot listen.
	HelpListen = Phrase{ZH: "把录音当作有人在说，走完整条语音通路", EN: "Take recordings through the whole voice path, as if spoken"}
	// HelpListenLines: homebot listen, in full.
	HelpListenLines = Phrase{ZH: "录音之间有两秒安静；发生的事打印成一行行 JSON。不放出声音。", EN: "There are two seconds of quiet between them, and what happens is printed as JSON lines. Nothing is played."}
	// HelpReplay: homebot replay.
	HelpReplay = Phrase{ZH: "让录音走完整条语音通路，再和标注比较", EN: "Take recordings through the whole voice path and compare with what is true of them"}
	// HelpReplayTakes: homebot replay, in full; %s is a file.
	HelpReplayTakes = Phrase{ZH: "让 DIR/%s 里列出的录音按原来的语速走完整条语音通路。", EN: "Take the recordings named in DIR/%s through the whole voice path, at the pace they were spoken."}
	// HelpReplayFigures: homebot replay, in full.
	HelpReplayFigures = Phrase{
		ZH: "会显示：唤醒词漏了几次、误唤醒几次、听错几个词、哪里话没说完就被截断、回答要多久。",
		EN: "It prints how often the wake word was missed or heard for nothing, how many words were wrong, where utterances were cut off, and how long answers took.",
	}
	// HelpReplayAlone: homebot replay, in full.
	HelpReplayAlone = Phrase{ZH: "不放出声音，也不留下什么：它用自己的临时工作目录。文件格式见 docs/REPLAY.md。", EN: "Nothing is played, and nothing is kept: it works in a workspace of its own. The form of the file: docs/REPLAY.md."}
	// HelpReplayJSON: replay --json.
	HelpReplayJSON = Phrase{ZH: "把结果打印成一个 JSON 对象", EN: "print the result as one JSON object"}
	// HelpSetup: homebot setup.
	HelpSetup = Phrase{ZH: "SD 卡镜像每次启动时用：收下写在卡上的设置", EN: "On the SD-card image, at each start: take over what was written on the card"}
	// HelpSetupReads: homebot setup, in full.
	HelpSetupReads = Phrase{
		ZH: "读取 FAT 分区上的 homebot.toml 和 Raspberry Pi Imager 的文件，把里面的密钥移到数据分区。",
		EN: "Reads homebot.toml and Raspberry Pi Imager's file on the FAT partition, and moves their secrets to the data partition.",
	}
	// HelpSetupSets: homebot setup, in full.
	HelpSetupSets = Phrase{ZH: "设好名称、时区和 Wi-Fi，并留下各项服务要读的内容。它以 root 身份运行，在它们之前。", EN: "Sets name, time zone and Wi-Fi, and leaves what the services read. It runs as root, before them."}
	// HelpSetupBoot: setup --boot.
	HelpSetupBoot = Phrase{ZH: "FAT 分区挂载在哪里", EN: "where the FAT partition is mounted"}
	// HelpSetupData: setup --data.
	HelpSetupData = Phrase{ZH: "数据分区挂载在哪里", EN: "where the data partition is mounted"}
	// HelpSetupRun: setup --run.
	HelpSetupRun = Phrase{ZH: "内存中的目录，放各项服务要读的内容", EN: "directory in memory for what the services read"}
	// HelpSetupRoot: setup --root.
	HelpSetupRoot = Phrase{ZH: "要设置其 /etc 的文件系统的根目录", EN: "root of the file system whose /etc is set up"}
	// HelpSetupUser: setup --user.
	HelpSetupUser = Phrase{ZH: "各项服务以谁的身份运行", EN: "who the services run as"}
)

// What homebot-speech's commands and flags do, as --help tells it.
var (
	// HelpSpeech: homebot-speech.
	HelpSpeech = Phrase{ZH: "homebot 的耳朵和声音", EN: "The ears and the voice of homebot"}
	// HelpSpeechLang: --lang of homebot-speech.
	HelpSpeechLang = Phrase{ZH: "终端的语言：zh 或 en（默认跟随终端）", EN: "language of the terminal: zh or en (default: the shell's)"}
	// HelpServe: homebot-speech serve.
	HelpServe = Phrase{ZH: "一直听和说，直到收到 SIGTERM", EN: "Listen and speak until SIGTERM"}
	// HelpServeReady: homebot-speech serve, in full.
	HelpServeReady = Phrase{ZH: "能听的时候打印一行，以 READY 和地址开头。", EN: "Prints one line that begins with READY and the address when it can hear."}
	// HelpServeToken: homebot-speech serve, in full.
	HelpServeToken = Phrase{ZH: "地址能从其他机器连上时，环境变量里要有令牌。", EN: "On an address that other machines reach it needs a token in the environment."}
	// HelpServeListen: serve --listen.
	HelpServeListen = Phrase{ZH: "监听的地址；端口写 0 就找一个空闲的；unix:路径 是文件系统里的套接字", EN: "address to serve; port 0 takes a free one; unix:PATH is a socket in the file system"}
	// HelpServeVoices: --voices of homebot-speech.
	HelpServeVoices = Phrase{ZH: "成员声音的文件（默认 members.json，和模型放在一起）", EN: "file of the members' voices (default members.json beside the models)"}
	// HelpServeSpeed: serve --speed.
	HelpServeSpeed = Phrase{ZH: "模型声音的语速，按语言写，例如 zh=1.1,en=0.9", EN: "speed of a model's voice by language, such as zh=1.1,en=0.9"}
	// HelpServeLanguages: serve --languages.
	HelpServeLanguages = Phrase{ZH: "要听的语言，例如 zh,en；没有模型的会跳过并警告（默认：有模型的都听）", EN: "languages to hear, such as zh,en; one without a model is left out with a warning (default: all whose model is there)"}
	// HelpServeTranscribe: serve --transcribe.
	HelpServeTranscribe = Phrase{ZH: "唤醒词之后的话交给另一台服务器识别：openai、vosk、sherpa 或 funasr", EN: "let another server understand what is said after the wake word: openai, vosk, sherpa or funasr"}
	// HelpServeTranscribeURL: serve --transcribe-url.
	HelpServeTranscribeURL = Phrase{ZH: "那台服务器的地址", EN: "its address"}
	// HelpServeTranscribeToken: serve --transcribe-token-env.
	HelpServeTranscribeToken = Phrase{ZH: "放那台服务器令牌的环境变量", EN: "environment variable that holds its token"}
	// HelpServeTranscribeModel: serve --transcribe-model.
	HelpServeTranscribeModel = Phrase{ZH: "请它用哪个模型（openai）", EN: "the model to ask it for (openai)"}
	// HelpServeTokenEnv: serve --token-env.
	HelpServeTokenEnv = Phrase{ZH: "放令牌的环境变量", EN: "environment variable that holds the token"}
	// HelpServeLifeline: serve --stdin-lifeline.
	HelpServeLifeline = Phrase{ZH: "标准输入一关闭就结束：父进程已经不在了", EN: "end when standard input closes: the parent has died"}
	// HelpServeVerbose: serve --verbose.
	HelpServeVerbose = Phrase{ZH: "记录每个连接", EN: "log every connection"}
	// HelpServeQuiet: serve --quiet.
	HelpServeQuiet = Phrase{ZH: "只记录出错的事", EN: "log only what is wrong"}
	// HelpSpeechModels: --models of homebot-speech.
	HelpSpeechModels = Phrase{ZH: "语音模型的目录（默认 $HOMEBOT_MODELS，或工作目录里的 models）", EN: "directory of speech models (default $HOMEBOT_MODELS, or models in the workspace)"}
	// HelpSpeechEngine: --engine of homebot-speech.
	HelpSpeechEngine = Phrase{ZH: "识别引擎：sherpa、sphinx，或者 auto：模型完整就用 sherpa", EN: "recogniser: sherpa, sphinx, or auto: sherpa when its models are whole"}
	// HelpSpeechSTT: --stt of homebot-speech.
	HelpSpeechSTT = Phrase{ZH: "语音识别用的模型（默认：装了的第一个）", EN: "the model that recognises speech (default: the first that is installed)"}
	// HelpEngine: homebot-speech engine.
	HelpEngine = Phrase{ZH: "显示 serve 会用哪个引擎，为什么", EN: "Print the engine that serve would use, and why"}
	// HelpTry: homebot-speech try.
	HelpTry = Phrase{ZH: "加载一次标准输入写的那个模型", EN: "Load the model that standard input names, once"}
	// HelpModels: homebot-speech models.
	HelpModels = Phrase{ZH: "列出、检查、下载、导入、删除语音模型", EN: "List, check, pull, import and remove speech models"}
	// HelpModelsList: homebot-speech models list.
	HelpModelsList = Phrase{ZH: "列出所有模型，和本机装了哪些", EN: "Show the models there are, and which are here"}
	// HelpModelsFiles: models list --files.
	HelpModelsFiles = Phrase{ZH: "列出每个模型需要的文件，导入时用", EN: "show the files each model needs, for import"}
	// HelpModelsCheck: homebot-speech models check.
	HelpModelsCheck = Phrase{ZH: "读一遍已装模型的每个文件，核对校验和", EN: "Read every file of the installed models and compare checksums"}
	// HelpModelsRun: models check --run.
	HelpModelsRun = Phrase{ZH: "再把每个模型加载起来试一试，打印一张数据表", EN: "load each model too, let it work, and print a table of figures"}
	// HelpModelsPull: homebot-speech models pull.
	HelpModelsPull = Phrase{ZH: "下载模型；NAME 是模型，或者一块板子的整套，例如 pi-4", EN: "Get models; NAME is a model or a board's set, such as pi-4"}
	// HelpModelsMirror: models pull --mirror.
	HelpModelsMirror = Phrase{ZH: "改从这个网址的目录下载安装包，不从发布的地方", EN: "URL of a directory that holds the packages, instead of where they are published"}
	// HelpModelsImport: homebot-speech models import.
	HelpModelsImport = Phrase{ZH: "从目录导入模型，给没有网络的机器用", EN: "Take models from a directory, for a machine without a network"}
	// HelpModelsOnly: models import --only.
	HelpModelsOnly = Phrase{ZH: "只导入这一个模型", EN: "the one model to take"}
	// HelpModelsRemove: homebot-speech models remove.
	HelpModelsRemove = Phrase{ZH: "删除模型", EN: "Remove models"}
	// HelpSpeakers: homebot-speech speakers.
	HelpSpeakers = Phrase{ZH: "让 homebot 听声音认出成员：只是提示，不能当锁用", EN: "Let homebot know members by their voice: a hint, never a lock"}
	// HelpSpeakersList: homebot-speech speakers list.
	HelpSpeakersList = Phrase{ZH: "列出认得谁的声音", EN: "Show whose voice is known"}
	// HelpSpeakersEnrol: homebot-speech speakers enrol.
	HelpSpeakersEnrol = Phrase{ZH: "用三段以上的录音认识一个成员（WAV，每段一句话）", EN: "Know a member by three or more recordings (WAV, a sentence each)"}
	// HelpSpeakersForget: homebot-speech speakers forget.
	HelpSpeakersForget = Phrase{ZH: "忘掉一个成员的声音", EN: "Forget a member's voice"}
)
