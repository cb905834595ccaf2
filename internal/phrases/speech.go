package phrases

// What homebot-speech complains about at its command line, and before it serves.
var (
	// SpeechNoCommand: homebot-speech without a command.
	SpeechNoCommand = Phrase{ZH: "缺一个命令；可以试试 homebot-speech serve", EN: "a command is missing; try homebot-speech serve"}
	// SpeechModelsWhat: homebot-speech models without a command.
	SpeechModelsWhat = Phrase{ZH: "请写要对模型做什么：list、check、pull、import 或 remove", EN: "say what to do with models: list, check, pull, import or remove"}
	// SpeechSpeakersWhat: homebot-speech speakers without a command.
	SpeechSpeakersWhat = Phrase{ZH: "请写要对声音做什么：list、enrol 或 forget", EN: "say what to do with voices: list, enrol or forget"}
	// SpeechBadEngine: --engine.
	SpeechBadEngine = Phrase{ZH: "--engine %s：请写 auto、sherpa 或 sphinx", EN: "--engine %s: use auto, sherpa or sphinx"}
	// SpeechBadSpeed: --speed, a language and its value.
	SpeechBadSpeed = Phrase{ZH: "--speed %s=%s：请写 0.25 到 4", EN: "--speed %s=%s: use 0.25 to 4"}
	// SpeechBadModel: --stt.
	SpeechBadModel = Phrase{ZH: "--stt %s 不是语音识别的模型：homebot-speech models list 会列出来", EN: "--stt %s is no model that recognises speech: homebot-speech models list shows them"}
	// SpeechBadTranscriber: --transcribe, and why.
	SpeechBadTranscriber = Phrase{ZH: "--transcribe 用不了：%v", EN: "--transcribe: %v"}
	// SpeechUnknownServer: another server of a kind that nobody knows.
	SpeechUnknownServer = Phrase{ZH: "没有 %q 这一类语音服务器：请写 openai、vosk、sherpa 或 funasr", EN: "a speech server of kind %q is unknown: use openai, vosk, sherpa or funasr"}
	// SpeechServerAddress: what the address of another server looks like.
	SpeechServerAddress = Phrase{ZH: "%s 服务器的地址要写成 %s 这样", EN: "the address of a %s server is like %s"}
	// SpeechNotHeard: an address that cannot be served, and why.
	SpeechNotHeard = Phrase{ZH: "%q 监听不了：%v；请用 --listen 换一个", EN: "cannot listen on %q: %v; choose another with --listen"}
	// SpeechOpen: an address that other machines reach, without a token.
	SpeechOpen = Phrase{ZH: "对其他机器开放，就要有令牌", EN: "serving other machines needs a token"}
	// SpeechSetToken: why not, the variable that holds the token, and the way out.
	SpeechSetToken = Phrase{ZH: "%v：请设置 %s，或者用 --listen 127.0.0.1:9790", EN: "%v: set %s, or use --listen 127.0.0.1:9790"}
	// SpeechNoMemory: the memory that models need, and what is free.
	SpeechNoMemory = Phrase{ZH: "它的模型要 %d MB 内存，空闲的只有 %d MB：请用小一点的一套（homebot-speech models list）", EN: "its models need %d MB of memory and %d MB are free: use a smaller set (homebot-speech models list)"}
	// SpeechKnown: a member whose voice is known from now on.
	SpeechKnown = Phrase{ZH: "现在认得 %s 的声音了", EN: "%s is known by voice now"}
)

// What homebot-speech models prints.
var (
	// ModelsIn: the directory of all models.
	ModelsIn = Phrase{ZH: "%s 里的模型", EN: "models in %s"}
	// ModelsHeads: the columns of models list, with | between them.
	ModelsHeads = Phrase{ZH: "名字|用途|语言|下载|内存|装了吗|许可", EN: "NAME|FOR|LANGUAGES|DOWNLOAD|MEMORY|HERE|LICENCE"}
	// ModelsRunHeads: the columns of models check --run, with | between them.
	ModelsRunHeads = Phrase{ZH: "模型|加载|实时率 RTF|内存峰值", EN: "MODEL|LOAD|RTF|PEAK MEMORY"}
	// ModelsForVAD: what a model is for.
	ModelsForVAD = Phrase{ZH: "语音检测", EN: "vad"}
	// ModelsForWake: what a model is for.
	ModelsForWake = Phrase{ZH: "唤醒词", EN: "wake"}
	// ModelsForSTT: what a model is for.
	ModelsForSTT = Phrase{ZH: "语音识别", EN: "stt"}
	// ModelsForTTS: what a model is for.
	ModelsForTTS = Phrase{ZH: "语音合成", EN: "tts"}
	// ModelsForSpeaker: what a model is for.
	ModelsForSpeaker = Phrase{ZH: "认人", EN: "speaker"}
	// ModelsHere: a model that is installed.
	ModelsHere = Phrase{ZH: "装了", EN: "yes"}
	// ModelsUnverified: a model that is installed, and was compared with nothing.
	ModelsUnverified = Phrase{ZH: "装了，未核对", EN: "yes, unverified"}
	// ModelsNotHere: a model that is not installed.
	ModelsNotHere = Phrase{ZH: "没有", EN: "no"}
	// ModelsDamaged: a model that is installed and not whole.
	ModelsDamaged = Phrase{ZH: "坏了", EN: "damaged"}
	// ModelsBoard: a board's set, its models, and the board.
	ModelsBoard = Phrase{ZH: "pi-%s：%s，适合%s", EN: "pi-%s: %s, %s"}
	// ModelsOptional: a file of a model that need not be there.
	ModelsOptional = Phrase{ZH: "%s（可以没有）", EN: "%s (may be missing)"}
	// ModelsWhole: a model that was checked.
	ModelsWhole = Phrase{ZH: "完整", EN: "whole"}
	// ModelsWholeUnverified: a model that was checked, as far as that is possible.
	ModelsWholeUnverified = Phrase{ZH: "完整，和安装时一样；公布的校验和没有覆盖所有文件", EN: "whole, as it was installed; no published checksum covers all of it"}
	// ModelsUnusable: the models that are not right.
	ModelsUnusable = Phrase{ZH: "不能用：%s", EN: "not usable: %s"}
	// ModelsNoneHere: nothing to check; %s is the directory.
	ModelsNoneHere = Phrase{ZH: "%s 里没有安装模型：homebot-speech models pull pi-4 会装上树莓派 4 用的", EN: "no model is installed in %s: homebot-speech models pull pi-4 gets those for a Raspberry Pi 4"}
	// ModelsMachine: what figures were measured on: name, system, cores, memory, library.
	ModelsMachine = Phrase{ZH: "%s，%s/%s，%d 核，空闲内存 %d MB，sherpa-onnx %s", EN: "%s, %s/%s, %d cores, %d MB free, sherpa-onnx %s"}
	// ModelsUnknownMachine: a machine without a name.
	ModelsUnknownMachine = Phrase{ZH: "不知道型号的机器", EN: "unknown machine"}
	// ModelsIsHere: a model that need not be fetched.
	ModelsIsHere = Phrase{ZH: "%s 已经有了", EN: "%s is here"}
	// ModelsInstalled: a model that was fetched or imported.
	ModelsInstalled = Phrase{ZH: "%s 装好了", EN: "%s installed"}
	// ModelsInstalledUnverified: a model that was imported, and could be compared with nothing.
	ModelsInstalledUnverified = Phrase{ZH: "%s 装好了，未核对：它的文件没有公布校验和", EN: "%s installed, unverified: no published checksum covers its files"}
	// ModelsRemoved: a model that was taken away.
	ModelsRemoved = Phrase{ZH: "%s 已删除", EN: "%s removed"}
	// ModelsProgress: a package, and how much of it is here.
	ModelsProgress = Phrase{ZH: "%s  已下载 %.1f MB", EN: "%s  %.1f MB"}
	// ModelsProgressOf: a package, how much of it is here, and all of it.
	ModelsProgressOf = Phrase{ZH: "%s  已下载 %.1f MB，共 %.1f MB", EN: "%s  %.1f MB of %.1f MB"}
)

// What a server for speech does wrong; %s is its host where it stands first.
var (
	// VoiceMute: nothing came.
	VoiceMute = Phrase{ZH: "语音合成服务 %s 没有应答", EN: "voice at %s does not answer"}
	// VoiceNotPCM: sound of another kind.
	VoiceNotPCM = Phrase{ZH: "语音合成服务 %s 发来的是 %s，不是 pcm", EN: "voice at %s sends %s, not pcm"}
	// VoiceStalled: nothing more came, for this long.
	VoiceStalled = Phrase{ZH: "语音合成中断了：%s 没有新的声音", EN: "voice broke off: nothing came for %s"}
	// VoiceEndless: sound without an end.
	VoiceEndless = Phrase{ZH: "语音合成中断了：声音没完没了", EN: "voice broke off: it does not end"}
	// VoiceBrokeOff: the connection ended, and why.
	VoiceBrokeOff = Phrase{ZH: "语音合成中断了：%s", EN: "voice broke off: %s"}
	// VoiceRefuses: what the server says, and its status.
	VoiceRefuses = Phrase{ZH: "语音合成服务 %s：%s（%d）", EN: "voice at %s: %s (%d)"}
	// VoiceAnswers: a status.
	VoiceAnswers = Phrase{ZH: "语音合成服务 %s 答复 %d", EN: "voice at %s answers %d"}
	// VoiceUnreachable: there is no connection, and why.
	VoiceUnreachable = Phrase{ZH: "连不上语音合成服务 %s：%s", EN: "voice at %s cannot be reached: %s"}
	// SpeechUnreachable: there is no connection, and why.
	SpeechUnreachable = Phrase{ZH: "连不上语音服务 %s：%s", EN: "speech server %s cannot be reached: %s"}
	// SpeechRefusesToken: the server wants another token.
	SpeechRefusesToken = Phrase{ZH: "语音服务不接受这个令牌", EN: "the speech server refuses the token"}
	// SpeechOwnMachine: the server serves no others.
	SpeechOwnMachine = Phrase{ZH: "语音服务只为它自己那台机器服务", EN: "the speech server serves its own machine only"}
	// SpeechAnswers: a status.
	SpeechAnswers = Phrase{ZH: "语音服务 %s 答复 %s", EN: "speech server %s answers %s"}
)
