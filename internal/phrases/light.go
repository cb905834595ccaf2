package phrases

// What the patterns of the state light mean.
var (
	// LightRinging: the pattern of a timer or an alarm that rings.
	LightRinging = Phrase{
		ZH: "定时器或闹钟在响。",
		EN: "A timer or an alarm rings.",
	}
	// LightListening: the pattern of an open microphone.
	LightListening = Phrase{
		ZH: "在听你说。",
		EN: "It listens to you.",
	}
	// LightThinking: the pattern of a turn that is thought about.
	LightThinking = Phrase{
		ZH: "在想怎么回答。",
		EN: "It thinks about an answer.",
	}
	// LightSpeaking: the pattern of a reply that sounds.
	LightSpeaking = Phrase{
		ZH: "在说话。",
		EN: "It speaks.",
	}
	// LightMuted: the pattern of a microphone that was turned off.
	LightMuted = Phrase{
		ZH: "麦克风已经关掉，什么也听不见。",
		EN: "The microphone is turned off. It hears nothing.",
	}
	// LightMicrophone: the pattern of FaultMicrophone.
	LightMicrophone = Phrase{
		ZH: "没有麦克风。",
		EN: "There is no microphone.",
	}
	// LightEars: the pattern of FaultEars.
	LightEars = Phrase{
		ZH: "语音服务没有运行，听不懂。",
		EN: "The speech server is not there. It understands nothing.",
	}
	// LightUpdate: the pattern while an update is installed.
	LightUpdate = Phrase{
		ZH: "正在更新，请不要断电。",
		EN: "An update is being installed. Please leave it switched on.",
	}
	// LightConfig: the pattern of a mistake in homebot.toml.
	LightConfig = Phrase{
		ZH: "配置文件里有错误。",
		EN: "There is a mistake in the configuration.",
	}
	// LightVoice: the pattern of FaultVoice.
	LightVoice = Phrase{
		ZH: "没有扬声器，或者说不出话。",
		EN: "There is no loudspeaker, or no voice.",
	}
	// LightDisk: the pattern of FaultDisk.
	LightDisk = Phrase{
		ZH: "存储卡满了，或者写不进去。",
		EN: "The card is full, or can't be written.",
	}
	// LightNetwork: the pattern of FaultNetwork.
	LightNetwork = Phrase{
		ZH: "没有网络。",
		EN: "There is no network.",
	}
	// LightLLM: the pattern of FaultLLM.
	LightLLM = Phrase{
		ZH: "大模型没有回应，或者拒绝请求。",
		EN: "The language model does not answer, or refuses.",
	}
	// LightClock: the pattern of FaultClock.
	LightClock = Phrase{
		ZH: "不知道准确的时间。",
		EN: "The right time is not known.",
	}
	// LightRemoteEars: the pattern of FaultRemoteEars.
	LightRemoteEars = Phrase{
		ZH: "远程语音识别连不上，先用本机的。",
		EN: "The remote speech recogniser is gone. The one on this device stands in.",
	}
	// LightFault: the pattern of a fault without one of its own.
	LightFault = Phrase{
		ZH: "有别的问题，请运行 homebot doctor。",
		EN: "Something else is wrong. Please run homebot doctor.",
	}
	// LightIdle: the pattern when nothing is wrong and nothing is going on.
	LightIdle = Phrase{
		ZH: "一切正常，在等唤醒词。",
		EN: "All is well. It waits for the wake word.",
	}
)
