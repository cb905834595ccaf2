package phrases

// What the offline answers say (llm/offline).
var (
	// OfflineCannot: this needs the model, and there is no network.
	OfflineCannot = Phrase{
		ZH: "没有网络，这个我答不了，不过我可以定时、开关模式、报时间和日期、重复刚才的话。",
		EN: "I can't answer that without a network, but I can set timers, open and close modes, tell the time and date, and repeat what I said.",
	}
	// OfflineHelp: what works without a network; %s are words that enter a mode, or leave
	// the one that is on.
	OfflineHelp = Phrase{
		ZH: "现在没有网络，你可以说“%s”、“定时十分钟”、“现在几点了”，或者“再说一遍”。",
		EN: "There is no network, but you can say “%s”, “set a timer for ten minutes”, “what time is it”, or “repeat that”.",
	}
	// OfflineHelpNoModes is OfflineHelp where no run mode is installed.
	OfflineHelpNoModes = Phrase{
		ZH: "现在没有网络，你可以说“定时十分钟”、“现在几点了”，或者“再说一遍”。",
		EN: "There is no network, but you can say “set a timer for ten minutes”, “what time is it”, or “repeat that”.",
	}
	// NoModelCannot: this needs a language model, and none is configured.
	NoModelCannot = Phrase{
		ZH: "还没有接上大模型，这个我答不了，不过我可以定时、开关模式、报时间和日期、重复刚才的话。",
		EN: "I can't answer that because no language model is set up, but I can set timers, open and close modes, tell the time and date, and repeat what I said.",
	}
	// NoModelHelp is OfflineHelp where no model is configured.
	NoModelHelp = Phrase{
		ZH: "还没有接上大模型，你可以说“%s”、“定时十分钟”、“现在几点了”，或者“再说一遍”。",
		EN: "No language model is set up, but you can say “%s”, “set a timer for ten minutes”, “what time is it”, or “repeat that”.",
	}
	// NoModelHelpNoModes is NoModelHelp where no run mode is installed.
	NoModelHelpNoModes = Phrase{
		ZH: "还没有接上大模型，你可以说“定时十分钟”、“现在几点了”，或者“再说一遍”。",
		EN: "No language model is set up, but you can say “set a timer for ten minutes”, “what time is it”, or “repeat that”.",
	}
	// OfflineCannotCooking is OfflineCannot where recipes are at hand.
	OfflineCannotCooking = Phrase{
		ZH: "没有网络，这个我答不了，不过我可以一步一步念菜谱、换算单位、定时、报时间和日期、退出模式。",
		EN: "I can't answer that without a network, but I can read a recipe step by step, convert units, set timers, tell the time and date, and leave the mode.",
	}
	// NoModelCannotCooking is NoModelCannot where recipes are at hand.
	NoModelCannotCooking = Phrase{
		ZH: "还没有接上大模型，这个我答不了，不过我可以一步一步念菜谱、换算单位、定时、报时间和日期、退出模式。",
		EN: "I can't answer that because no language model is set up, but I can read a recipe step by step, convert units, set timers, tell the time and date, and leave the mode.",
	}
	// OfflineHelpCooking is OfflineHelp where recipes are at hand; %s are words
	// that leave the mode.
	OfflineHelpCooking = Phrase{
		ZH: "现在没有网络，你可以说“有什么菜谱”、“下一步”、“定时十分钟”，或者“%s”。",
		EN: "There is no network, but you can say “what recipes are there”, “next step”, “set a timer for ten minutes”, or “%s”.",
	}
	// NoModelHelpCooking is OfflineHelpCooking where no model is configured.
	NoModelHelpCooking = Phrase{
		ZH: "还没有接上大模型，你可以说“有什么菜谱”、“下一步”、“定时十分钟”，或者“%s”。",
		EN: "No language model is set up, but you can say “what recipes are there”, “next step”, “set a timer for ten minutes”, or “%s”.",
	}
	// OfflineActiveMode answers which mode is active; %s is its name.
	OfflineActiveMode = Phrase{
		ZH: "现在开着%s。",
		EN: "You are in %s.",
	}
	// OfflineNoSuchMode: the name that was said, then those that exist.
	OfflineNoSuchMode = Phrase{
		ZH: "没有“%s”这个模式，有的是：%s。",
		EN: "There is no mode called “%s”. There is: %s.",
	}
	// OfflineTime: %s is the time of day as one says it.
	OfflineTime = Phrase{
		ZH: "现在是%s。",
		EN: "It's %s.",
	}
	// OfflineToday: %s is the date with its weekday.
	OfflineToday = Phrase{
		ZH: "今天是%s。",
		EN: "Today is %s.",
	}
	// OfflineTomorrow is OfflineToday for the next day.
	OfflineTomorrow = Phrase{
		ZH: "明天是%s。",
		EN: "Tomorrow is %s.",
	}
	// OfflineDayAfter is OfflineToday for the day after tomorrow.
	OfflineDayAfter = Phrase{
		ZH: "后天是%s。",
		EN: "The day after tomorrow is %s.",
	}
	// OfflineYesterday is OfflineToday for the day before.
	OfflineYesterday = Phrase{
		ZH: "昨天是%s。",
		EN: "Yesterday was %s.",
	}
	// OfflineNothingToRepeat: the conversation has no earlier reply.
	OfflineNothingToRepeat = Phrase{
		ZH: "我还没说过什么，没有可以重复的。",
		EN: "I haven't said anything yet, so there is nothing to repeat.",
	}
	// OfflineWelcome answers thanks.
	OfflineWelcome = Phrase{
		ZH: "不客气。",
		EN: "You're welcome.",
	}
	// OfflineAllRight answers never mind, stop and the like.
	OfflineAllRight = Phrase{
		ZH: "好的。",
		EN: "All right.",
	}
	// OfflineDone comes before what a switch of mode did; %s is its sentence.
	OfflineDone = Phrase{
		ZH: "好的，%s",
		EN: "Okay, %s",
	}
	// OfflineNotSwitched: a switch of mode failed without a known reason.
	OfflineNotSwitched = Phrase{
		ZH: "模式没有换成，请再说一遍。",
		EN: "The mode did not change. Please try that once more.",
	}
	// OfflineNoSwitch: modes cannot be switched in this conversation.
	OfflineNoSwitch = Phrase{
		ZH: "这里现在不能切换模式。",
		EN: "Modes can't be switched here right now.",
	}
	// OfflineModeWords: a mode was named without saying what to do; the %s are
	// the words that enter and those that leave it.
	OfflineModeWords = Phrase{
		ZH: "要进入请说“%s”，要离开请说“%s”。",
		EN: "To enter it, say “%s”. To leave it, say “%s”.",
	}
	// OfflineOtherActive: another mode is active; %s are the words that change
	// over.
	OfflineOtherActive = Phrase{
		ZH: "现在开着另一个模式，想换的话请说“%s”。",
		EN: "Another mode is on. To change over, say “%s”.",
	}
	// OfflineCooked: the last step of the recipe is done.
	OfflineCooked = Phrase{
		ZH: "做完了，可以开饭了。",
		EN: "That was the last step. Enjoy your meal.",
	}
	// OfflineNoRecipe: no recipe is being cooked.
	OfflineNoRecipe = Phrase{
		ZH: "现在没有在做的菜谱，想听有哪些就说“有什么菜谱”。",
		EN: "No recipe is being cooked right now. To hear them all, say “what recipes are there”.",
	}
	// OfflineCookStart begins a recipe: its title, its ingredients, its first step.
	OfflineCookStart = Phrase{
		ZH: "好，做%s。材料：%s。第一步：%s",
		EN: "Okay, %s. You need: %s. Step one: %s",
	}
	// OfflineScaled: the dish in work is for so many people now, with its ingredients.
	OfflineScaled = Phrase{
		ZH: "好，按%d人份，材料：%s。",
		EN: "Okay, the amounts for %d: %s.",
	}
	// OfflineNoSuchStep: the recipe has fewer steps, only %s.
	OfflineNoSuchStep = Phrase{
		ZH: "没有这一步，这个菜谱一共%s步。",
		EN: "There is no such step: this recipe has %s.",
	}
	// OfflineStepLength: the step in work takes %s.
	OfflineStepLength = Phrase{
		ZH: "这一步要%s。",
		EN: "This step takes %s.",
	}
	// OfflineStepUntimed: the recipe gives the step in work no time.
	OfflineStepUntimed = Phrase{
		ZH: "菜谱没写这一步要多久。",
		EN: "The recipe doesn't say how long this step takes.",
	}
	// OfflineStepsLeft: the step in work, how many there are, how many follow.
	OfflineStepsLeft = Phrase{
		ZH: "现在是第%d步，一共%d步，后面还有%d步。",
		EN: "This is step %d of %d, with %d to come after it.",
	}
	// OfflineLastStep: the step in work is the last of %d.
	OfflineLastStep = Phrase{
		ZH: "一共%d步，现在是最后一步。",
		EN: "There are %d steps, and this is the last.",
	}
	// OfflineServings: amounts go up to so many people, the %s.
	OfflineServings = Phrase{
		ZH: "我最多按%s个人算，请换个人数再说一遍。",
		EN: "I can scale for at most %s people. Please say it again with fewer.",
	}
	// OfflineOfWhat: weight and volume were to be converted for what is not known.
	OfflineOfWhat = Phrase{
		ZH: "重量和体积互相换算，要知道是什么：水、奶、油、糖、盐、面粉、米这些我会，别的请称一称。",
		EN: "Between weight and volume I need to know of what: I know water, milk, oil, sugar, salt, flour, rice and the like. Please weigh anything else.",
	}
	// OfflineOtherMeasure: two units measure different things.
	OfflineOtherMeasure = Phrase{
		ZH: "这两个单位量的不是一回事，没法换算。",
		EN: "Those units measure different things, so I can't convert them.",
	}
	// OfflineNeedsMode: what was asked works in a mode, the first %s; the other is
	// the words that enter it.
	OfflineNeedsMode = Phrase{
		ZH: "这个在%s里才行，请先说“%s”。",
		EN: "That works in %s. Say “%s” first.",
	}
	// OfflineIngredients: a recipe's title and its ingredients.
	OfflineIngredients = Phrase{
		ZH: "%s要用：%s。",
		EN: "For %s you need: %s.",
	}
	// OfflineRecipes: the titles that were found.
	OfflineRecipes = Phrase{
		ZH: "有这些菜谱：%s。要做哪一个？",
		EN: "There are these recipes: %s. Which one shall we cook?",
	}
	// OfflineNoRecipes: no recipe was found.
	OfflineNoRecipes = Phrase{
		ZH: "没有找到这样的菜谱。",
		EN: "I found no such recipe.",
	}
	// OfflineNoSuchRecipe: there is none of that title, the %s.
	OfflineNoSuchRecipe = Phrase{
		ZH: "没有叫“%s”的菜谱，想听有哪些就说“有什么菜谱”。",
		EN: "There is no recipe called “%s”. To hear them all, say “what recipes are there”.",
	}
	// OfflineWhichRecipe: several titles hold the %s.
	OfflineWhichRecipe = Phrase{
		ZH: "叫“%s”的菜谱不止一个，请说全名。",
		EN: "More than one recipe is called “%s”. Please say the whole title.",
	}
	// OfflineNotDone: a tool refused without a sentence of its own.
	OfflineNotDone = Phrase{
		ZH: "这个没有办成。",
		EN: "That didn't work.",
	}
)
