package phrases

// What the device says about timers and alarms (skills/timers).
var (
	// TimerSet: the %s is a length of time.
	TimerSet = Phrase{
		ZH: "好的，定时%s。",
		EN: "Okay, %s, starting now.",
	}
	// TimerSetNamed: the name, then a length of time.
	TimerSetNamed = Phrase{
		ZH: "好的，%s，定时%s。",
		EN: "Okay, the timer for “%s” is set: %s.",
	}
	// AlarmSet: the %s is a time of day, with its date.
	AlarmSet = Phrase{
		ZH: "好的，%s响铃。",
		EN: "Okay, I'll ring at %s.",
	}
	// AlarmSetNamed: the name, then a time of day.
	AlarmSetNamed = Phrase{
		ZH: "好的，%s，%s响铃。",
		EN: "Okay, for “%s” I'll ring at %s.",
	}
	// TimerLeft: the name, then the time left.
	TimerLeft = Phrase{
		ZH: "%s还剩%s",
		EN: "%s: %s left",
	}
	// TimerPausedAt: the name, then the time left.
	TimerPausedAt = Phrase{
		ZH: "%s暂停着，还剩%s",
		EN: "%s: paused with %s left",
	}
	// AlarmDue: the name, then when it rings.
	AlarmDue = Phrase{
		ZH: "%s%s响",
		EN: "%s: rings at %s",
	}
	// TimerRingsNow: the name.
	TimerRingsNow = Phrase{
		ZH: "%s正在响",
		EN: "%s: ringing now",
	}
	// TimerUnnamed and AlarmUnnamed stand for a name.
	TimerUnnamed = Phrase{
		ZH: "定时",
		EN: "the timer",
	}
	// AlarmUnnamed stands for the name of an alarm.
	AlarmUnnamed = Phrase{
		ZH: "闹钟",
		EN: "the alarm",
	}
	// TimersNone: nothing is set.
	TimersNone = Phrase{
		ZH: "现在没有定时。",
		EN: "No timer is set.",
	}
	// TimersList: what is set, one clause each.
	TimersList = Phrase{
		ZH: "现在有：%s。",
		EN: "Set right now: %s.",
	}
	// TimerWhich: several could be meant; the %s lists their names.
	TimerWhich = Phrase{
		ZH: "有好几个定时：%s。要哪一个？",
		EN: "There are several: %s. Which one?",
	}
	// TimerUnknown: none has this name; the second %s says what is set.
	TimerUnknown = Phrase{
		ZH: "没有叫“%s”的定时。%s",
		EN: "There is no timer called “%s”. %s",
	}
	// TimerCancelled: the name.
	TimerCancelled = Phrase{
		ZH: "%s取消了。",
		EN: "Cancelled: %s.",
	}
	// TimersCancelled: all of them.
	TimersCancelled = Phrase{
		ZH: "全部取消了。",
		EN: "All of them are cancelled.",
	}
	// TimerAdded: the name, how much was added, what is left now.
	TimerAdded = Phrase{
		ZH: "%s加了%s，还剩%s。",
		EN: "Done, %s got %s more. %s left.",
	}
	// TimerShortened: the name, how much was taken away, what is left now.
	TimerShortened = Phrase{
		ZH: "%s减了%s，还剩%s。",
		EN: "Done, %s is %s shorter. %s left.",
	}
	// AlarmMoved: the name, and when it rings now.
	AlarmMoved = Phrase{
		ZH: "%s改到%s响。",
		EN: "Done, %s rings at %s now.",
	}
	// TimerPaused: the name, and the time left.
	TimerPaused = Phrase{
		ZH: "%s暂停了，还剩%s。",
		EN: "Paused: %s, with %s left.",
	}
	// TimerResumed: the name, and the time left.
	TimerResumed = Phrase{
		ZH: "%s继续走，还剩%s。",
		EN: "Going on: %s, %s left.",
	}
	// TimerStopped: the ringing was ended.
	TimerStopped = Phrase{
		ZH: "好的，不响了。",
		EN: "Okay, it's quiet.",
	}
	// NothingRings: there was no ringing to end.
	NothingRings = Phrase{
		ZH: "现在没有在响的。",
		EN: "Nothing is ringing.",
	}
	// TimerRings is what a ringing timer says; the %s is its name.
	TimerRings = Phrase{
		ZH: "%s，时间到了。",
		EN: "%s: time is up.",
	}
	// TimerRingsPlain is TimerRings without a name.
	TimerRingsPlain = Phrase{
		ZH: "时间到了。",
		EN: "Time is up.",
	}
	// TimerRingsLate: the name, and when it was due.
	TimerRingsLate = Phrase{
		ZH: "%s，%s就该响了。",
		EN: "%s: this was due at %s.",
	}
	// TimerMissed: while the device was off; the name and when it was due.
	TimerMissed = Phrase{
		ZH: "我不在的时候错过了：%s，%s到的。",
		EN: "I missed one while I was off: %s, due at %s.",
	}
	// TimerUnanswered: it rang until its limit; the name and when.
	TimerUnanswered = Phrase{
		ZH: "没人应的铃：%s，%s响过。",
		EN: "Nobody answered one: %s, which rang at %s.",
	}
	// TimersLost: the file was damaged.
	TimersLost = Phrase{
		ZH: "定时的记录坏了，之前设的都没有了，请重新设。",
		EN: "My timers were damaged and are gone. Please set them again.",
	}
	// TimersSomeLost: a part of the file was damaged.
	TimersSomeLost = Phrase{
		ZH: "有的定时记录坏了，没能留住，其余的都还在，请听一遍有哪些。",
		EN: "Some of my timers were damaged and are gone; the others are kept. Please ask me what is set.",
	}
	// TimersDown: the timers cannot be used now; what was asked for was not done.
	TimersDown = Phrase{
		ZH: "定时现在用不了，所以什么都没有设，也没有变，请看看磁盘。",
		EN: "Timers do not work right now, so nothing was set or changed. Please check the disk.",
	}
	// TimerNotSet: a timer was asked for and none was set; the %s says what is.
	TimerNotSet = Phrase{
		ZH: "定时还没有设上，请再说一遍。%s",
		EN: "No timer was set just now. Please say it again. %s",
	}
	// TimerReally: what a reply said of timers was not so; the %s says what is.
	TimerReally = Phrase{
		ZH: "更正一下，定时没有变动。%s",
		EN: "To be exact, I changed no timer. %s",
	}
	// TimerExactly: the reply named other figures than the tool; %s is the tool's.
	TimerExactly = Phrase{
		ZH: "准确地说：%s",
		EN: "To be exact: %s",
	}
	// TimerNoLength: neither a length nor a time of day.
	TimerNoLength = Phrase{
		ZH: "定多久，或者几点响？",
		EN: "For how long, or until when?",
	}
	// TimerNobodyRings: a terminal set a timer, and no homebot runs that would ring.
	TimerNobodyRings = Phrase{
		ZH: "现在没有 homebot 在运行：定时已经存好，要有 homebot run 在运行才会响。",
		EN: "No homebot runs now: it is saved, and rings only while homebot run does.",
	}
	// TimerSetLike: a terminal's words lacked a length; %s is what is asked.
	TimerSetLike = Phrase{
		ZH: "%s请这样写：homebot timers set 鸡蛋八分钟",
		EN: "%s Write it like: homebot timers set eggs eight minutes",
	}
	// TimerPast: the time of day is over.
	TimerPast = Phrase{
		ZH: "这个时间已经过了。",
		EN: "That time is already over.",
	}
	// TimerTooLong: over a year.
	TimerTooLong = Phrase{
		ZH: "最长只能定一年。",
		EN: "A year is the longest I can do.",
	}
	// TimersTooMany: the limit of timers is reached.
	TimersTooMany = Phrase{
		ZH: "定时太多了，请先取消几个。",
		EN: "There are too many timers. Please cancel some first.",
	}
	// TimerNotSaved: the disk refused, so nothing was changed.
	TimerNotSaved = Phrase{
		ZH: "存不进去，定时没有变，请看看磁盘。",
		EN: "I couldn't save that, so no timer changed. Please check the disk.",
	}
	// TimerOneAtATime: several were asked for at once, and which name belongs to
	// which length is not clear; none was set.
	TimerOneAtATime = Phrase{
		ZH: "这里面不止一个时间，我都没有动，请一个一个说。",
		EN: "That was more than one time, so I changed nothing. One at a time, please.",
	}
	// TimerNoRepeat: an alarm that repeats was asked for; none was set.
	TimerNoRepeat = Phrase{
		ZH: "重复的闹钟我还不会，所以没有设。只响一次的可以，请说哪天几点。",
		EN: "I can't repeat alarms yet, so none was set. One that rings once is fine: say the day and time.",
	}
	// TimerNoSuchTime: what was said is no time of day, as 25:00.
	TimerNoSuchTime = Phrase{
		ZH: "没有这个钟点，所以没有设，请再说一遍时间。",
		EN: "There is no such time of day, so nothing was set. Please say the time again.",
	}
	// TimerWhichUnit: a number was said without its unit; all %s are the number.
	TimerWhichUnit = Phrase{
		ZH: "%s分钟，还是%s秒？",
		EN: "Is that %s minutes or %s seconds?",
	}
	// TimerNoSuchLength: no time at all, or more than a year.
	TimerNoSuchLength = Phrase{
		ZH: "这个长度定不了，最短一秒，最长一年，所以没有设。",
		EN: "That length is not possible: it goes from one second to a year, so nothing was set.",
	}
)
