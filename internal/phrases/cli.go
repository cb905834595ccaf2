package phrases

// What every command line says of itself.
var (
	// CLISeeHelp: a mistake on the command line, and whose help says more.
	CLISeeHelp = Phrase{ZH: "%s；用法见 %s --help", EN: "%s; see %s --help"}
	// CLIUsage: heading of the help.
	CLIUsage = Phrase{ZH: "用法：", EN: "Usage:"}
	// CLIExamples: heading of the help.
	CLIExamples = Phrase{ZH: "例子：", EN: "Examples:"}
	// CLICommands: heading of the help.
	CLICommands = Phrase{ZH: "命令：", EN: "Available Commands:"}
	// CLIFlags: heading of the help.
	CLIFlags = Phrase{ZH: "选项：", EN: "Flags:"}
	// CLIGlobalFlags: heading of the help.
	CLIGlobalFlags = Phrase{ZH: "全局选项：", EN: "Global Flags:"}
	// CLIMore: the last line of the help, as cobra's template has it.
	CLIMore = Phrase{ZH: "每个命令的详细用法：{{.CommandPath}} [命令] --help", EN: "Use \"{{.CommandPath}} [command] --help\" for more information about a command."}
	// CLIHelpFlag: --help.
	CLIHelpFlag = Phrase{ZH: "显示用法", EN: "show this help"}
	// CLIHelpCommand: homebot help.
	CLIHelpCommand = Phrase{ZH: "显示一个命令的用法", EN: "Show the help of a command"}
	// CLIUnknownFlag: a flag that does not exist.
	CLIUnknownFlag = Phrase{ZH: "没有选项 %s", EN: "unknown flag: %s"}
	// CLIValueMissing: a flag without its value.
	CLIValueMissing = Phrase{ZH: "选项 %s 后面缺一个值", EN: "flag needs an argument: %s"}
	// CLIInvalidValue: a flag with a value that is not of its type.
	CLIInvalidValue = Phrase{ZH: "选项 %s 不能是 %q，请写：%s", EN: "%s cannot be %q; write %s"}
	// CLIFlagSyntax: what begins like a flag and is none.
	CLIFlagSyntax = Phrase{ZH: "选项写得不对：%s", EN: "bad flag syntax: %s"}
	// CLIPairs: what a flag takes.
	CLIPairs = Phrase{ZH: "名字=值", EN: "name=value"}
	// CLIOneFlag: two flags that exclude each other.
	CLIOneFlag = Phrase{ZH: "%s 和 %s 不能一起用；请只写一个", EN: "%s and %s cannot be used together; write one of them"}
	// CLITooFewArguments: a command without what it needs.
	CLITooFewArguments = Phrase{ZH: "还缺内容，请写成：%s", EN: "something is missing; write: %s"}
	// CLITooManyArguments: a command with more than it takes.
	CLITooManyArguments = Phrase{ZH: "多出来的内容：%q", EN: "too much on the line, from %q on"}
	// CLIUnknownCommand: a command that does not exist.
	CLIUnknownCommand = Phrase{ZH: "没有命令 %q（%q）", EN: "unknown command %q for %q"}
	// CLIUnknownCommandMeant: the same, with what may have been meant.
	CLIUnknownCommandMeant = Phrase{ZH: "没有命令 %q（%q）；是不是 %s", EN: "unknown command %q for %q; did you mean %s"}
	// CLIHomebot: homebot in a line.
	CLIHomebot = Phrase{ZH: "厨房里的语音助手，运行模式的对话会一直接下去", EN: "A voice assistant for the kitchen with run modes that last"}
	// CLIConfigFlag: --config.
	CLIConfigFlag = Phrase{ZH: "配置文件（默认 $HOMEBOT_CONFIG，或 <工作目录>/homebot.toml）", EN: "configuration file (default $HOMEBOT_CONFIG or <workspace>/homebot.toml)"}
	// CLIWorkspaceFlag: --workspace.
	CLIWorkspaceFlag = Phrase{ZH: "工作目录，homebot 的所有数据都在里面（默认 $HOMEBOT_WORKSPACE，或 ~/.homebot）", EN: "directory of everything homebot keeps (default $HOMEBOT_WORKSPACE or ~/.homebot)"}
	// CLIVerboseFlag: --verbose.
	CLIVerboseFlag = Phrase{ZH: "在标准错误输出上记录每一步", EN: "log every step on stderr"}
)
