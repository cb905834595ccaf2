package phrases

// What homebot doctor says: a level, a part, and what is so or the way out.
var (
	// DoctorOK: a level.
	DoctorOK = Phrase{ZH: "正常", EN: "ok"}
	// DoctorNote: a level: worth knowing, not wrong.
	DoctorNote = Phrase{ZH: "注意", EN: "note"}
	// DoctorBad: a level: something to do about.
	DoctorBad = Phrase{ZH: "故障", EN: "BAD"}

	// DoctorConfig: a part, homebot.toml.
	DoctorConfig = Phrase{ZH: "配置", EN: "config"}
	// DoctorSecrets: a part, the file of secrets.
	DoctorSecrets = Phrase{ZH: "密钥", EN: "secrets"}
	// DoctorWorkspace: a part.
	DoctorWorkspace = Phrase{ZH: "工作目录", EN: "workspace"}
	// DoctorRunning: a part, the homebot that runs.
	DoctorRunning = Phrase{ZH: "运行状态", EN: "running"}
	// DoctorDisk: a part.
	DoctorDisk = Phrase{ZH: "磁盘", EN: "disk"}
	// DoctorClock: a part.
	DoctorClock = Phrase{ZH: "时钟", EN: "clock"}
	// DoctorNetwork: a part.
	DoctorNetwork = Phrase{ZH: "网络", EN: "network"}
	// DoctorModel: a part, the language model.
	DoctorModel = Phrase{ZH: "大模型", EN: "model"}
	// DoctorModes: a part, the run modes.
	DoctorModes = Phrase{ZH: "运行模式", EN: "modes"}
	// DoctorLight: a part, the mode light.
	DoctorLight = Phrase{ZH: "模式灯", EN: "light"}
	// DoctorStateLight: a part.
	DoctorStateLight = Phrase{ZH: "状态灯", EN: "state light"}
	// DoctorButton: a part, a push button.
	DoctorButton = Phrase{ZH: "按钮", EN: "button"}
	// DoctorSoundCard: a part.
	DoctorSoundCard = Phrase{ZH: "声卡", EN: "sound card"}
	// DoctorSoundServer: a part, PipeWire or PulseAudio.
	DoctorSoundServer = Phrase{ZH: "声音服务", EN: "sound server"}
	// DoctorEcho: a part, who cancels the device's own voice.
	DoctorEcho = Phrase{ZH: "回声", EN: "echo"}
	// DoctorSpeech: a part, the recogniser.
	DoctorSpeech = Phrase{ZH: "语音识别", EN: "speech"}
	// DoctorVoice: a part, what speaks.
	DoctorVoice = Phrase{ZH: "语音合成", EN: "voice"}
	// DoctorWakePhrase: a part, one of the wake phrases.
	DoctorWakePhrase = Phrase{ZH: "唤醒词", EN: "wake phrase"}
	// DoctorWakeWord: a part, who listens for the wake phrases.
	DoctorWakeWord = Phrase{ZH: "唤醒", EN: "wake word"}

	// DoctorNoFile: no configuration file.
	DoctorNoFile = Phrase{ZH: "没有 %s；用的是默认设置", EN: "there is no %s; the defaults are in force"}
	// DoctorOpenSecrets: the file of secrets is everybody's.
	DoctorOpenSecrets = Phrase{ZH: "本机上谁都能读 %s；请运行 chmod 600 %s", EN: "%s can be read by everybody on this machine; chmod 600 %s"}
	// DoctorOpenConfig: homebot.toml holds a secret, and is everybody's.
	DoctorOpenConfig = Phrase{ZH: "%s 里有密钥、令牌或密码，而本机上谁都能读它；请运行 chmod 600 %s", EN: "%s holds a key, token or password and can be read by everybody on this machine; chmod 600 %s"}
	// DoctorNotWritten: a file cannot be written, and why.
	DoctorNotWritten = Phrase{ZH: "%v；请腾出一些空间，或者把磁盘挂载成可写的", EN: "%v; free some space or mount the disk writable"}
	// DoctorWritable: the workspace.
	DoctorWritable = Phrase{ZH: "%s 可以写", EN: "%s can be written"}
	// DoctorUsable: how many modes.
	DoctorUsable = Phrase{ZH: "%d 个可用", EN: "%d usable"}
	// DoctorNoPin: the mode light's line does not exist.
	DoctorNoPin = Phrase{ZH: "本机没有 %s；没有它，模式也照样能用", EN: "no %s on this host; modes work without it"}
	// DoctorNoLight: no mode light is wanted.
	DoctorNoLight = Phrase{ZH: "没有设置（[led] mode_pin）", EN: "none configured ([led] mode_pin)"}
	// DoctorNoStateLight: no state light.
	DoctorNoStateLight = Phrase{ZH: "没有（[led] state）", EN: "none ([led] state)"}
	// DoctorLightCodes: the state light's name, and what tells its patterns.
	DoctorLightCodes = Phrase{ZH: "%s；各种闪法的意思见 homebot doctor --light-codes", EN: "%s; homebot doctor --light-codes tells what it shows"}
	// DoctorButtonOn: a button's key in [led], and its line.
	DoctorButtonOn = Phrase{ZH: "%s 接在 %s 上", EN: "%s on %s"}

	// DoctorNobody: nothing runs in the workspace.
	DoctorNobody = Phrase{ZH: "这个工作目录没有 homebot 在运行，它会检查的内容由这里来检查", EN: "no homebot runs in this workspace; what it would see is looked at here"}
	// DoctorMute: an engine is there and gives no answer, and why.
	DoctorMute = Phrase{ZH: "homebot 没有在套接字上应答：%v；请重新启动它", EN: "homebot does not answer on its socket: %v; start it again"}
	// DoctorWell: what the homebot that runs is doing.
	DoctorWell = Phrase{ZH: "homebot 在运行（%s），没有发现问题", EN: "homebot is %s and knows of nothing wrong"}
	// DoctorFault: a fault of the homebot that runs: since when, what, and its code.
	DoctorFault = Phrase{ZH: "从 %s 起：%s（%s）", EN: "since %s: %s (%s)"}

	// DoctorRoom: the disk has room.
	DoctorRoom = Phrase{ZH: "剩余 %d MB", EN: "%d MB free"}
	// DoctorFull: the disk has none.
	DoctorFull = Phrase{ZH: "剩余 %d MB，满了；请腾出一些空间（工作目录里的 cache/ 随时可以删）", EN: "%d MB free: full; make some room (cache/ in the workspace may always go)"}
	// DoctorNoWorkspace: homebot never ran here.
	DoctorNoWorkspace = Phrase{ZH: "还没有工作目录；第一次启动时会建好", EN: "there is no workspace yet; it is made at the first start"}
	// DoctorReadOnly: the disk takes nothing.
	DoctorReadOnly = Phrase{ZH: "挂载成了只读，多半是存储卡出过错；原因见 dmesg，换一张卡就好", EN: "mounted read-only, mostly after an error of the card; dmesg tells, and another card helps"}

	// DoctorClockUnset: the time cannot be right; %s is what the clock says.
	DoctorClockUnset = Phrase{ZH: "%s，通电以后还没有对过时，闹钟可能不准；请检查网络（对时服务见 timedatectl）", EN: "%s was never set since the power came, so alarms may be wrong; check the network (timedatectl shows the time service)"}
	// DoctorClockAlone: the time may be right; %s is what the clock says.
	DoctorClockAlone = Phrase{ZH: "%s；没有通过网络对时", EN: "%s; nobody sets it from the network"}

	// DoctorRoute: there is a network.
	DoctorRoute = Phrase{ZH: "有默认路由", EN: "there is a default route"}
	// DoctorNoNetwork: there is none.
	DoctorNoNetwork = Phrase{ZH: "这台机器没有连上网络；请检查 Wi-Fi 或网线（成品设备看 [system] wifi_ssid）", EN: "this machine is on no network; check Wi-Fi or the cable ([system] wifi_ssid on the appliance)"}

	// DoctorNoModel: no language model is wanted.
	DoctorNoModel = Phrase{ZH: "没有设置，只有离线回答能用。请设置 OPENAI_API_KEY，或者 [llm] base_url 和 model", EN: "none configured; only the offline answers work. Set OPENAI_API_KEY, or [llm] base_url and model"}
	// DoctorModelAt: a model and its server, with which the sentences below begin.
	DoctorModelAt = Phrase{ZH: "%s（在 %s）", EN: "%s at %s"}
	// DoctorModelGone: no answer.
	DoctorModelGone = Phrase{ZH: "%s连不上；请检查网络和 [llm] base_url", EN: "%s cannot be reached; check the network and [llm] base_url"}
	// DoctorModelKey: the key is refused.
	DoctorModelKey = Phrase{ZH: "%s不接受密钥；请检查 OPENAI_API_KEY 或 [llm] api_key", EN: "%s refuses the key; check OPENAI_API_KEY or [llm] api_key"}
	// DoctorModelTrouble: an answer of HTTP that says that the server is to blame.
	DoctorModelTrouble = Phrase{ZH: "%s返回状态 %d；是它的服务器出了问题", EN: "%s answers with status %d; its server is in trouble"}
	// DoctorModelNoList: an answer, and nothing to tell from it.
	DoctorModelNoList = Phrase{ZH: "%s有应答（它不提供模型列表，密钥和模型名没有试过）", EN: "%s answers (it has no list of models: key and name were not tried)"}
	// DoctorModelUnlisted: the server does not know the model.
	DoctorModelUnlisted = Phrase{ZH: "%s有应答，但模型列表里没有这个名字；请检查 [llm] model", EN: "%s answers, and its list of models lacks that name; check [llm] model"}
	// DoctorModelWell: all is well.
	DoctorModelWell = Phrase{ZH: "%s接受密钥，也有这个模型", EN: "%s takes the key and has the model"}

	// DoctorSpeechGone: a speech server, and why there is no answer.
	DoctorSpeechGone = Phrase{ZH: "服务器 %s 没有应答：%v；请启动它，或者改正 [speech] url", EN: "the server %s does not answer: %v; start it, or correct [speech] url"}
	// DoctorSpeechHears: a speech server, its engine, and the languages.
	DoctorSpeechHears = Phrase{ZH: "服务器 %s：%s 能听 %s", EN: "server %s: %s hears %s"}
	// DoctorSpeechIs: a speech server, its status and why.
	DoctorSpeechIs = Phrase{ZH: "服务器 %s 的状态是 %s：%s", EN: "server %s is %s: %s"}
	// DoctorSpeechFree: an engine for free speech.
	DoctorSpeechFree = Phrase{ZH: "sherpa 什么话都能听；它的模型可以用 homebot-speech models check 检查", EN: "sherpa hears free speech; homebot-speech models check reads its models"}
	// DoctorSpeechWanted: the engine that is wanted cannot listen, and why.
	DoctorSpeechWanted = Phrase{ZH: "[speech] engine 要求用 sherpa，可是它听不了：%s", EN: "sherpa, which [speech] engine wants, cannot listen: %s"}
	// DoctorUnheard: a wake phrase, and why it cannot be heard.
	DoctorUnheard = Phrase{ZH: "听不出 %q：%s", EN: "%q cannot be heard: %s"}
	// DoctorUnheardWhy: a wake phrase, and why it cannot be heard, within a sentence.
	DoctorUnheardWhy = Phrase{ZH: "%q 这句：%s", EN: "%q: %s"}

	// DoctorSound: there is all that homebot needs.
	DoctorSound = Phrase{ZH: "有麦克风和扬声器；列表见 homebot devices", EN: "a microphone and a loudspeaker; homebot devices lists them"}
	// DoctorSoundTrouble: what is missing, and where to read on.
	DoctorSoundTrouble = Phrase{ZH: "%s（见 docs/TROUBLESHOOTING.md）", EN: "%s (docs/TROUBLESHOOTING.md)"}
	// DoctorServerUnknown: nobody says where a sound server would be.
	DoctorServerUnknown = Phrase{ZH: "在这里没有找到；直接用 ALSA", EN: "none that is known here; ALSA is used as it is"}
	// DoctorServerNone: no sound server.
	DoctorServerNone = Phrase{ZH: "没有；直接用 ALSA", EN: "none; ALSA is used as it is"}
	// DoctorServerGone: the sound server's socket.
	DoctorServerGone = Phrase{ZH: "%s 没有应答；请重新启动 PipeWire 或 PulseAudio", EN: "%s does not answer; start PipeWire or PulseAudio again"}
	// DoctorServerAnswers: the sound server's socket.
	DoctorServerAnswers = Phrase{ZH: "在 %s 有应答", EN: "answers at %s"}

	// DoctorUnit: a service: its state, how often it was started again, and its watchdog, in systemd's words.
	DoctorUnit = Phrase{ZH: "%s，重新启动过 %s 次，看门狗 %s", EN: "%s, started again %s times, watchdog %s"}
	// DoctorUnitSays: DoctorUnit, and what the service says of itself.
	DoctorUnitSays = Phrase{ZH: "%s，重新启动过 %s 次，看门狗 %s：%s", EN: "%s, started again %s times, watchdog %s: %s"}
	// DoctorUnitDown: DoctorUnit of a service that does not run, and its name.
	DoctorUnitDown = Phrase{ZH: "%s；原因见 journalctl -u %s", EN: "%s; journalctl -u %s tells why"}
	// DoctorUnitUnwatched: DoctorUnit of a service without a watchdog.
	DoctorUnitUnwatched = Phrase{ZH: "%s；没有看门狗，可以在单元文件里设 WatchdogSec=", EN: "%s; it has none, WatchdogSec= in the unit sets it"}
)

// Who takes the device's own voice out of what it hears.
var (
	// EchoByServer: the sound server, and its microphone.
	EchoByServer = Phrase{ZH: "由声音服务消除（%s）", EN: "cancelled by the sound server (%s)"}
	// EchoByProcess: homebot.
	EchoByProcess = Phrase{ZH: "由 homebot 自己消除（libspeexdsp）", EN: "cancelled by homebot itself (libspeexdsp)"}
	// EchoOff: nobody, as is wanted.
	EchoOff = Phrase{ZH: "没有消除（[audio] echo 是 off）；回答时只有唤醒词和停止词能打断", EN: "not cancelled ([audio] echo is off); only the wake word and the stop word interrupt a reply"}
	// EchoTrouble: nobody, and why.
	EchoTrouble = Phrase{ZH: "没有消除：%s；回答时只有唤醒词和停止词能打断", EN: "not cancelled: %s; only the wake word and the stop word interrupt a reply"}
	// EchoNotBuilt: why homebot cannot.
	EchoNotBuilt = Phrase{ZH: "这个 homebot 编译时没有带 libspeexdsp", EN: "this homebot was built without libspeexdsp"}
	// EchoNoPair: why the sound server cannot.
	EchoNoPair = Phrase{ZH: "声音服务的默认麦克风和扬声器不是一对消回声的设备", EN: "the sound server's default microphone and loudspeaker are no echo-cancelling pair"}
	// EchoTryAuto: what is wrong with [audio] echo, and the way out.
	EchoTryAuto = Phrase{ZH: "%s；请把 [audio] echo 设成 auto（见 docs/TROUBLESHOOTING.md）", EN: "%s; set [audio] echo to auto (docs/TROUBLESHOOTING.md)"}
)

// What homebot devices says.
var (
	// DevicesNone: there is nothing to list.
	DevicesNone = Phrase{ZH: "没有声音设备；请插上 USB 麦克风和扬声器，再试一次", EN: "no sound device; plug in a USB microphone and loudspeaker, then try again"}
	// DevicesMicrophone: what a device is.
	DevicesMicrophone = Phrase{ZH: "麦克风", EN: "microphone"}
	// DevicesMicrophoneDefault: what a device is.
	DevicesMicrophoneDefault = Phrase{ZH: "麦克风（默认）", EN: "microphone (default)"}
	// DevicesLoudspeaker: what a device is.
	DevicesLoudspeaker = Phrase{ZH: "扬声器", EN: "loudspeaker"}
	// DevicesLoudspeakerDefault: what a device is.
	DevicesLoudspeakerDefault = Phrase{ZH: "扬声器（默认）", EN: "loudspeaker (default)"}
	// DevicesBoth: a device that is a microphone and a loudspeaker.
	DevicesBoth = Phrase{ZH: "%s和%s", EN: "%s, %s"}
	// DevicesEcho: who cancels the echo.
	DevicesEcho = Phrase{ZH: "回声：%s", EN: "echo: %s"}
)
