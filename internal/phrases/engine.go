package phrases

// What the engine says about the disk.
var (
	// DiskFull: a turn could not be saved because the disk is full.
	DiskFull = Phrase{
		ZH: "存储空间满了，这句话没存下来，请清理一下空间。",
		EN: "The disk is full, so I could not save that. Please free some space.",
	}
	// DiskReadOnly: the workspace cannot be written.
	DiskReadOnly = Phrase{
		ZH: "存储是只读的，这句话没存下来，请检查存储卡。",
		EN: "The disk is read-only, so I could not save that. Please check the card.",
	}
	// DiskFailing: reading or writing failed.
	DiskFailing = Phrase{
		ZH: "存储出错了，这句话没存下来，请检查存储卡。",
		EN: "The disk is failing, so I could not save that. Please check the card.",
	}
	// NotSaved: a turn could not be saved, for another reason.
	NotSaved = Phrase{
		ZH: "这句话我没能存下来，请再说一遍。",
		EN: "I could not save that. Please say it again.",
	}
)

// LineTooLong: a typed line was not taken; %d is the limit in KiB.
var LineTooLong = Phrase{
	ZH: "这一行超过了 %d KB，太长了，我没有处理，请分成几段。",
	EN: "That line is over %d KB, too long, so I did nothing with it. Please send it in parts.",
}

// What is wrong with the device (event.Fault texts, spoken or shown).
var (
	// NoMicrophone: no input device, or it went away.
	NoMicrophone = Phrase{
		ZH: "找不到麦克风，请检查一下有没有插好。",
		EN: "I can't find a microphone. Please check that it is plugged in.",
	}
	// NoLoudspeaker: no output device, or it went away.
	NoLoudspeaker = Phrase{
		ZH: "找不到扬声器，请检查一下有没有插好。",
		EN: "I can't find a loudspeaker. Please check that it is plugged in.",
	}
	// NoSoundCard: this machine has no sound at all.
	NoSoundCard = Phrase{
		ZH: "这台机器没有声卡，我只能用文字聊天。",
		EN: "This machine has no sound card. I can only chat in text.",
	}
	// NoSoundSupport: this build has no sound (built without cgo).
	NoSoundSupport = Phrase{
		ZH: "这个版本不带声音功能，请换用带声音的版本。",
		EN: "This build has no sound. Please use one that has.",
	}
	// SoundBack: microphone and loudspeaker work again.
	SoundBack = Phrase{
		ZH: "声音恢复了。",
		EN: "Sound is back.",
	}
	// SpeechGone: the speech server cannot be reached.
	SpeechGone = Phrase{
		ZH: "语音服务断开了，我暂时听不见，正在重新连接。",
		EN: "The speech server is gone. I can't hear you until it is back.",
	}
	// SpeechBack: the speech server is reached again.
	SpeechBack = Phrase{
		ZH: "语音服务恢复了，我又能听见了。",
		EN: "The speech server is back. I can hear you again.",
	}
	// ModelMissing: the recogniser's model is not installed; %s is its path.
	ModelMissing = Phrase{
		ZH: "缺少语音模型：%s。请先安装。",
		EN: "The speech model is missing: %s. Please install it.",
	}
	// EspeakMissing: espeak-ng is not installed.
	EspeakMissing = Phrase{
		ZH: "缺少语音合成程序，我说不了话。请安装“espeak-ng”。",
		EN: "I can't speak: espeak-ng is missing. Please install it.",
	}
	// PortInUse: the address (%s) is taken by another program.
	PortInUse = Phrase{
		ZH: "端口 %s 已被占用，请关掉占用它的程序，或者换一个端口。",
		EN: "Port %s is in use. Please stop the other program or choose another port.",
	}
)

// What a command says of the engine of its workspace, and of the workspace.
var (
	// EngineHeld: another process has the workspace.
	EngineHeld = Phrase{ZH: "另一个 homebot 正在用这个工作目录", EN: "workspace is held by another homebot"}
	// EngineHeldBy: EngineHeld, and that process's number.
	EngineHeldBy = Phrase{ZH: "%s（进程 %s）", EN: "%s (process %s)"}
	// EngineHeldMute: EngineHeldBy, and that it takes no requests.
	EngineHeldMute = Phrase{ZH: "%s，但它没有应答；请停掉那个进程再试", EN: "%s, but does not answer on its socket; stop that process and try again"}
	// EngineNobody: no engine serves the workspace.
	EngineNobody = Phrase{ZH: "没有 homebot 在为这个工作目录服务", EN: "no engine serves this workspace"}
	// Because: what is wrong, and what the operating system said.
	Because = Phrase{ZH: "%s（原因：%s）", EN: "%s: %s"}
	// EngineGone: the engine that served a command ended.
	EngineGone = Phrase{ZH: "为这个命令服务的 homebot 退出了", EN: "the engine went away"}
	// EngineNoJSON: what the engine answers is not of its protocol.
	EngineNoJSON = Phrase{ZH: "homebot 的回答不是 JSON：%s", EN: "answer of the engine is not JSON: %s"}
	// EngineNoLock: the workspace's lock file cannot be locked.
	EngineNoLock = Phrase{ZH: "锁不住 %s：%s", EN: "lock %s: %s"}
	// WorkspaceFileDenied: a file in the workspace is somebody else's.
	WorkspaceFileDenied = Phrase{ZH: "当前用户不能读写 %s；请修改它的所有者和权限", EN: "%s may not be read or written by this user; change its owner and permissions"}
	// WorkspaceFileNoDir: a file is where a directory of the workspace should be.
	WorkspaceFileNoDir = Phrase{ZH: "%s 不是目录；请把它移走", EN: "%s is not a directory; move it away"}
	// WorkspaceFileIsDir: a directory is where a file of the workspace should be.
	WorkspaceFileIsDir = Phrase{ZH: "%s 是个目录；请把它移走", EN: "%s is a directory; move it away"}
	// WorkspaceReadOnly: the workspace's disk is mounted without writing.
	WorkspaceReadOnly = Phrase{ZH: "工作目录 %s 在只读的文件系统上；请重新挂载成可写的，或者用 --workspace 换一个", EN: "workspace %s is on a read-only file system; mount it writable, or choose another with --workspace"}
	// WorkspaceDenied: the workspace is somebody else's.
	WorkspaceDenied = Phrase{ZH: "当前用户不能写工作目录 %s；请修改它的所有者，或者用 --workspace 换一个", EN: "workspace %s may not be written by this user; change its owner, or choose another with --workspace"}
	// WorkspaceFull: the workspace's disk is full.
	WorkspaceFull = Phrase{ZH: "工作目录 %s 所在的磁盘满了；请腾出一些空间再试", EN: "workspace %s: the disk is full; free some space and try again"}
	// WorkspaceNoDir: the workspace is a file.
	WorkspaceNoDir = Phrase{ZH: "工作目录 %s 不是目录；请用 --workspace 换一个", EN: "workspace %s is not a directory; choose another with --workspace"}
	// WorkspaceWrong: the workspace cannot be used, and why.
	WorkspaceWrong = Phrase{ZH: "工作目录 %s 用不了：%s；请检查这个目录，或者用 --workspace 换一个", EN: "workspace %s: %s; check the directory, or choose another with --workspace"}
	// EngineStart: what a crash left cannot be repaired, and why.
	EngineStart = Phrase{ZH: "启动失败：%s", EN: "start: %s"}
	// EngineOddAnswer: the engine answered another question.
	EngineOddAnswer = Phrase{ZH: "homebot 答非所问", EN: "the engine answered something else"}
	// EngineNoSound: an order for ears and voice, and there are none.
	EngineNoSound = Phrase{ZH: "正在运行的 homebot 没有声音（它是 chat，或者 run --no-sound）；请结束它，再启动 homebot run", EN: "the homebot that runs here has no sound (it is a chat, or run --no-sound); end it and start homebot run"}
	// EngineNotAsked: the homebot that runs has nobody to answer that question.
	EngineNotAsked = Phrase{ZH: "正在运行的 homebot 答不了这个问题", EN: "this engine cannot be asked"}
	// EngineUnknownControl: a button of another version.
	EngineUnknownControl = Phrase{ZH: "没有按键 %q", EN: "unknown control %q"}
	// EngineUnknownQuestion: a question of another version.
	EngineUnknownQuestion = Phrase{ZH: "没有问题 %q", EN: "unknown question %q"}
	// EngineUnknownOp: an operation of another version.
	EngineUnknownOp = Phrase{ZH: "没有操作 %q", EN: "unknown operation %q"}
	// EngineRequestNotJSON: what came cannot be read, and why.
	EngineRequestNotJSON = Phrase{ZH: "请求不是 JSON：%s", EN: "request is not JSON: %s"}
	// EngineLongRequest: a request over its limit in bytes.
	EngineLongRequest = Phrase{ZH: "请求超过 %d 字节", EN: "request longer than %d bytes"}
	// EngineTooManyClients: no more commands at once.
	EngineTooManyClients = Phrase{ZH: "同时连接的程序超过 %d 个；请关掉几个", EN: "more than %d clients at once; close some"}
	// EngineNone: an order for an appliance that runs, and none does.
	EngineNone = Phrase{ZH: "这个工作目录上没有 homebot 在运行", EN: "no homebot runs on this workspace"}
	// EngineNoneStart: EngineNone, where, and how to start it.
	EngineNoneStart = Phrase{ZH: "%s（%s）；请先用 homebot run 启动", EN: "%s (%s); start it with homebot run"}
)
