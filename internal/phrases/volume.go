package phrases

// The loudness.
var (
	// VolumeNow is the loudness after a change, in percent.
	VolumeNow = Phrase{
		ZH: "音量%d。",
		EN: "Volume %d.",
	}
	// VolumeLoudest: no step is left.
	VolumeLoudest = Phrase{
		ZH: "已经是最大声了。",
		EN: "That is as loud as I can be.",
	}
	// VolumeSoftest: one step less would be silence.
	VolumeSoftest = Phrase{
		ZH: "已经是最小声了，再小就听不见了。",
		EN: "That is as soft as I can be heard.",
	}
	// VolumeSilent: read on a screen, for nothing sounds any more.
	VolumeSilent = Phrase{
		ZH: "音量为零，我说话就没有声音了；定时器响还是听得见。",
		EN: "Volume zero: I make no sound any more, but timers still ring.",
	}
	// VolumeUnchanged: nothing was done; the loudness as it is.
	VolumeUnchanged = Phrase{
		ZH: "音量没有变，现在是%d。请再说一遍。",
		EN: "The volume did not change, it is %d. Please say that again.",
	}
	// MuteHow: the microphone cannot be turned off from here.
	MuteHow = Phrase{
		ZH: "这里没有麦克风可关。要关设备的麦克风，请对它说“静音”，或者运行 homebot mute。",
		EN: "There is no microphone here. To turn off the device's, say “mute” to it, or run homebot mute.",
	}
	// MicStillOn: a reply claimed that it was turned off.
	MicStillOn = Phrase{
		ZH: "麦克风没有关。要关的话，只说“静音”就行。",
		EN: "The microphone is still on. To turn it off, just say “mute”.",
	}
	// MicStillOff: a reply claimed that it was turned on.
	MicStillOff = Phrase{
		ZH: "麦克风还关着。要打开，请按按钮、用网页，或者运行 homebot unmute。",
		EN: "The microphone is still off. Turn it on with the button, the web page, or homebot unmute.",
	}
	// NothingStopped: a reply claimed that a sound was ended, and there was none.
	NothingStopped = Phrase{
		ZH: "这里没有什么在响或者在放，所以什么也没停。",
		EN: "Nothing is ringing or playing here, so nothing was stopped.",
	}
	// VolumeNoSound: this homebot has no loudspeaker.
	VolumeNoSound = Phrase{
		ZH: "这里只有文字，没有声音可以调。",
		EN: "This is text only. There is no sound to turn up or down.",
	}
	// VolumeOrElse: “turn it down” in a run mode may mean the fire.
	VolumeOrElse = Phrase{
		ZH: "如果是说我的音量，请说“大声点”或者“小声点”。",
		EN: "If you mean my voice, say “volume up” or “volume down”.",
	}
)
