package phrases

// What is said about the files that a person edits on the card.
var (
	// ConfigMistake: something is wrong with the settings, and no line can be
	// named.
	ConfigMistake = Phrase{
		ZH: "卡上的设置有问题，我先按能读懂的部分工作。",
		EN: "Something is wrong with the settings on the card. I go on with what I understand.",
	}
	// ConfigMistakeAt: %s is the file's name, %d its line.
	ConfigMistakeAt = Phrase{
		ZH: "设置文件 %s 第 %d 行有错，其他设置照常使用。",
		EN: "The settings file %s has a mistake in line %d. I go on with the rest.",
	}
	// ConfigMistakesAt: %s is the file's name, %d its first wrong line and how
	// many more mistakes there are.
	ConfigMistakesAt = Phrase{
		ZH: "设置文件 %s 第 %d 行有错，另外还有 %d 处，其他设置照常使用。",
		EN: "The settings file %s has a mistake in line %d, and %d more. I go on with the rest.",
	}
	// SetupNotPreseed: a file of Raspberry Pi Imager that cannot be read.
	SetupNotPreseed = Phrase{ZH: "里面有的内容不是 Raspberry Pi Imager 的设置；请重新写卡，或者改用 homebot.toml", EN: "holds something that is no setting of Raspberry Pi Imager; write the card again, or use homebot.toml"}
	// SetupFileTooLarge: a file on the card that is far too large.
	SetupFileTooLarge = Phrase{ZH: "太大了，不会是设置文件；请重新写一个", EN: "is far too large for a file of settings; write a new one"}
	// SetupFileUnreadable: a file on the card that cannot be read, and why.
	SetupFileUnreadable = Phrase{ZH: "读不了（%v）；请检查存储卡", EN: "cannot be read (%v); check the card"}
	// SetupNotKept: what was read from the card cannot be kept, and why.
	SetupNotKept = Phrase{ZH: "读到的内容没法保存到数据分区（%v）；先留在卡上", EN: "what was read cannot be kept on the data partition (%v); it stays on the card"}
	// SetupNoData: the data partition fails, and why.
	SetupNoData = Phrase{ZH: "数据分区读不了或写不了（%v）；请检查存储卡", EN: "the data partition cannot be read or written (%v); check the card"}
	// SetupOddEncoding: secrets that cannot be taken out of a file.
	SetupOddEncoding = Phrase{ZH: "%s 的写法没法取出里面的密钥；请另存为 UTF-8", EN: "%s is written in a way that its secrets cannot be taken out of; save it again as UTF-8"}
	// SetupCardReadOnly: secrets that stay on the card: the file, and why.
	SetupCardReadOnly = Phrase{ZH: "%s 里的密钥已经收下，但是卡写不了（%v）；请从文件里删掉", EN: "the secrets in %s were taken over, but the card cannot be written (%v); take them out of the file"}
	// SetupHostname: the device did not get its name, and why.
	SetupHostname = Phrase{ZH: "设备名没能设上：%s", EN: "name of the device: %s"}
	// SetupTimezone: nor its time zone.
	SetupTimezone = Phrase{ZH: "时区没能设上：%s", EN: "time zone: %s"}
	// SetupWiFi: nor its networks.
	SetupWiFi = Phrase{ZH: "Wi-Fi 没能设上：%s", EN: "Wi-Fi: %s"}
	// SetupHandOver: the services did not get what they read.
	SetupHandOver = Phrase{ZH: "配置没能交给各个服务：%s", EN: "configuration: %s"}
)
