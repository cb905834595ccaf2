package phrases

// What is wrong with a recording; the name of its file stands before.
var (
	// WavConvert: what is wrong with a format, and what to do.
	WavConvert = Phrase{ZH: "%s；请转换一下，例如 sox IN -r 16000 -c 1 -b 16 OUT.wav", EN: "wav: %s; convert it, e.g. sox IN -r 16000 -c 1 -b 16 OUT.wav"}
	// WavNone: another kind of file.
	WavNone = Phrase{ZH: "不是 WAV 文件（没有 RIFF/WAVE 文件头）", EN: "not a WAV file (no RIFF/WAVE header)"}
	// WavOrder: the chunks of the file.
	WavOrder = Phrase{ZH: "数据写在了格式前面", EN: "its data comes before its format"}
	// WavCut: the chunks of the file.
	WavCut = Phrase{ZH: "格式部分不完整", EN: "its format chunk is cut off"}
	// WavCompressed: a format, by its code.
	WavCompressed = Phrase{ZH: "是压缩过的（格式代码 %d）", EN: "compressed (format code %d)"}
	// WavBits: a width of samples.
	WavBits = Phrase{ZH: "读不了 %d 位的采样", EN: "%d-bit samples are not read"}
	// WavChannels: a number of channels.
	WavChannels = Phrase{ZH: "有 %d 个声道", EN: "%d channels"}
	// WavRate: a rate of samples.
	WavRate = Phrase{ZH: "每秒 %d 个采样", EN: "%d samples a second"}
	// WavEmpty: a file without sound.
	WavEmpty = Phrase{ZH: "里面没有声音（没有 data 块）；请重新录", EN: "wav: holds no sound (no data chunk); record it again"}
	// WavLong: a file over its limit, in MB.
	WavLong = Phrase{ZH: "超过 %d MB；请切成几段", EN: "wav: longer than %d MB; cut it into pieces"}
	// ResampleRange: from which rate to which.
	ResampleRange = Phrase{ZH: "没法把 %d Hz 转成 %d Hz：采样率要在 1000 到 384000 Hz 之间", EN: "audio: cannot resample %d Hz to %d Hz: rates must be 1000 to 384000 Hz"}
	// ResampleUnusual: from which rate to which.
	ResampleUnusual = Phrase{ZH: "没法把 %d Hz 转成 %d Hz：采样率太少见；请先转成 16000、44100 或 48000 Hz", EN: "audio: cannot resample %d Hz to %d Hz: unusual rate; convert it to 16000, 44100 or 48000 Hz first"}
)

// What is wrong with the sound card, told by a command that needs one.
var (
	// SoundLost: the device is gone, or does not work any more.
	SoundLost = Phrase{ZH: "声音设备断开了", EN: "sound device lost"}
	// SoundNoDevice: there is no device of that name, or no default one.
	SoundNoDevice = Phrase{ZH: "没有这个声音设备", EN: "no such sound device"}
	// SoundNoFormat: the device cannot do a rate, or mono.
	SoundNoFormat = Phrase{ZH: "声音设备不支持这种格式", EN: "sound device cannot do this format"}
	// SoundNoStart: SoundLost, and why the library's process could not be started.
	SoundNoStart = Phrase{ZH: "%s：声音子进程启动不了：%s", EN: "%s: the sound child does not start: %s"}
	// SoundSilent: what SoundSilentFor is about.
	SoundSilent = Phrase{ZH: "没有声音", EN: "no sound"}
	// SoundSilentFor: SoundLost, SoundSilent, and for how long.
	SoundSilentFor = Phrase{ZH: "%s：%s，已经 %v（拔掉了，或者声音服务卡住了）", EN: "%s: %s for %v (unplugged, or the sound server hangs)"}
	// SoundGaveUp: SoundLost, at the start of the library.
	SoundGaveUp = Phrase{ZH: "%s：声音库一启动就退出了；可能是 ALSA 没有默认设备（见 docs/TROUBLESHOOTING.md）", EN: "%s: the sound library gave up at its start; ALSA may have no default device (docs/TROUBLESHOOTING.md)"}
	// SoundEnded: SoundLost, for the library's process is gone.
	SoundEnded = Phrase{ZH: "%s：声音子进程退出了", EN: "%s: the sound child ended"}
	// SoundWaiting: SoundLost, and it was told before.
	SoundWaiting = Phrase{ZH: "%s：还在等它恢复", EN: "%s: still waiting for it to come back"}
	// SoundNoList: the library's process is of another version.
	SoundNoList = Phrase{ZH: "声音子进程没有给出设备列表：两个程序的版本对不上", EN: "sound child: no list of devices: the two programs do not match"}
	// SoundNoLibrary: SoundLost, and what the library said at its start.
	SoundNoLibrary = Phrase{ZH: "%s：声音库启动不了：%v", EN: "%s: the sound library does not start: %v"}
	// SoundNoDevices: SoundLost, and what the library said to the question for its devices.
	SoundNoDevices = Phrase{ZH: "%s：列不出设备：%v", EN: "%s: no list of devices: %v"}
	// SoundNoDefault: SoundNoDevice, microphone or loudspeaker, and the key that names it.
	SoundNoDefault = Phrase{ZH: "%s：没有默认的%s：请插上一个，或者在 [audio] %s 里指定（列表见 homebot devices）", EN: "%s: no default %s: plug one in, or name one under [audio] %s (`homebot devices` lists them)"}
	// SoundNotNamed: SoundNoDevice, microphone or loudspeaker, the name, and the key that has it.
	SoundNotNamed = Phrase{ZH: "%s：没有%s叫 %q：列表见 homebot devices；请在 [audio] %s 里指定一个", EN: "%s: no %s named %q: `homebot devices` lists them; set one under [audio] %s"}
	// SoundNoRate: SoundNoFormat, microphone or loudspeaker, its name, the rate and the key.
	SoundNoRate = Phrase{ZH: "%s：%s %q 不接受 %d Hz（-9997）：请定义一个 plug 设备，写进 [audio] %s（见 docs/TROUBLESHOOTING.md 的“Invalid sample rate”）", EN: "%s: %s %q refuses %d Hz (-9997): define a plug device and name it under [audio] %s (docs/TROUBLESHOOTING.md, \"Invalid sample rate\")"}
	// SoundNoMono: SoundNoFormat, microphone or loudspeaker, its name and the key.
	SoundNoMono = Phrase{ZH: "%s：%s %q 没有单声道（-9998）：请定义一个 plug 设备，写进 [audio] %s（见 docs/TROUBLESHOOTING.md 的“Invalid sample rate”）", EN: "%s: %s %q has no mono (-9998): define a plug device and name it under [audio] %s (docs/TROUBLESHOOTING.md, \"Invalid sample rate\")"}
	// SoundInUse: SoundLost, microphone or loudspeaker, and its name.
	SoundInUse = Phrase{ZH: "%s：%s %q 正被别的程序占用：请停掉那个程序，或者用声音服务", EN: "%s: %s %q is in use by another program: stop that one, or use a sound server"}
	// SoundWentAway: what SoundFails says when the library says nothing.
	SoundWentAway = Phrase{ZH: "声音服务停了，或者设备拔掉了", EN: "the sound server or the device went away"}
	// SoundFails: SoundLost, microphone or loudspeaker, its name, and why.
	SoundFails = Phrase{ZH: "%s：%s %q 出错了：%s", EN: "%s: %s %q: %s"}
	// SoundNotBuilt: SoundNoDevice, in a program built without cgo.
	SoundNotBuilt = Phrase{ZH: "%s：编译时没有带声音（CGO_ENABLED=0）：请打开 cgo，装好 portaudio19-dev，再编译", EN: "%s: built without sound (CGO_ENABLED=0): build it with cgo and portaudio19-dev"}
)
