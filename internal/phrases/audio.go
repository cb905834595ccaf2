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
