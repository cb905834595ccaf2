package phrases

// Why there is no virtual sound card for the talk without a real one.
var (
	// VirtualMissing: a program, and that it is not installed.
	VirtualMissing = Phrase{ZH: "虚拟声卡用不了：%s %s；请运行 apt-get install pulseaudio pulseaudio-utils libasound2-plugins", EN: "virtual sound card: %s is %s: apt-get install pulseaudio pulseaudio-utils libasound2-plugins"}
	// VirtualNotInstalled: what VirtualMissing says of the program.
	VirtualNotInstalled = Phrase{ZH: "没有安装", EN: "not installed"}
	// VirtualEnded: its server ended with an error, and where more is written.
	VirtualEnded = Phrase{ZH: "虚拟声卡用不了：pulseaudio 一启动就退出了（%v）；请看 %s", EN: "virtual sound card: pulseaudio ended at its start (%v): see %s"}
	// VirtualSlow: its server does not answer in time, and where more is written.
	VirtualSlow = Phrase{ZH: "虚拟声卡用不了：pulseaudio 过了 %v 还没准备好；请看 %s", EN: "virtual sound card: pulseaudio was not ready in %v: see %s"}
)
