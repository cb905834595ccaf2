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
)
