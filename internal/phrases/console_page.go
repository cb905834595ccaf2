package phrases

// What the console's pages show: the words around every page.
var (
	// ConsolePageSkip: the link that jumps over the frame.
	ConsolePageSkip = Phrase{ZH: "跳到正文", EN: "Skip to the content"}
	// ConsolePageNav: the name of the row of pages.
	ConsolePageNav = Phrase{ZH: "页面", EN: "Pages"}
	// ConsolePageNavLive: the page of what happens now.
	ConsolePageNavLive = Phrase{ZH: "现在", EN: "Live"}
	// ConsolePageNavCook: the page of the dish in work.
	ConsolePageNavCook = Phrase{ZH: "做菜", EN: "Cook"}
	// ConsolePageNavRecipes: the page of all recipes.
	ConsolePageNavRecipes = Phrase{ZH: "菜谱", EN: "Recipes"}
	// ConsolePageNavHistory: the page of finished sessions.
	ConsolePageNavHistory = Phrase{ZH: "记录", EN: "History"}
	// ConsolePageNavTalk: the page to talk to it.
	ConsolePageNavTalk = Phrase{ZH: "对话", EN: "Talk"}
	// ConsolePageNavSettings: the page of who is let in and who is known.
	ConsolePageNavSettings = Phrase{ZH: "设备和家人", EN: "Devices and people"}
	// ConsolePageNeedsScript: shown where a browser runs no scripts.
	ConsolePageNeedsScript = Phrase{ZH: "这个页面需要打开浏览器的 JavaScript。", EN: "This page needs JavaScript. Please switch it on in the browser."}
	// ConsolePageConnected: beside the name while the device answers.
	ConsolePageConnected = Phrase{ZH: "已连接", EN: "Connected"}
	// ConsolePageNotConnected: beside the name while it does not.
	ConsolePageNotConnected = Phrase{ZH: "未连接", EN: "Not connected"}
	// ConsolePageOfflineOrder: an order was given without a connection.
	ConsolePageOfflineOrder = Phrase{ZH: "现在没连上设备，这件事没有做。", EN: "The device is not connected, so nothing was done."}
	// ConsolePageFailed: a failure without a better sentence.
	ConsolePageFailed = Phrase{ZH: "没有办成，请再试一次。", EN: "That did not work. Please try again."}
	// ConsolePageClose: a button.
	ConsolePageClose = Phrase{ZH: "关闭", EN: "Close"}
	// ConsolePageCancel: a button.
	ConsolePageCancel = Phrase{ZH: "取消", EN: "Cancel"}
	// ConsolePageDelete: a button.
	ConsolePageDelete = Phrase{ZH: "删除", EN: "Delete"}
	// ConsolePageSave: a button.
	ConsolePageSave = Phrase{ZH: "保存", EN: "Save"}
	// ConsolePageEdit: a button.
	ConsolePageEdit = Phrase{ZH: "修改", EN: "Edit"}
	// ConsolePageStop: a button: ends what rings or is spoken.
	ConsolePageStop = Phrase{ZH: "停止", EN: "Stop"}
	// ConsolePageSearch: the field above a list.
	ConsolePageSearch = Phrase{ZH: "搜索", EN: "Search"}
	// ConsolePageNothingFound: a search found nothing.
	ConsolePageNothingFound = Phrase{ZH: "没有找到。", EN: "Nothing found."}
)

// What the console's pages show: the words of what happens now.
var (
	// ConsolePageStateIdle: dialogue state idle.
	ConsolePageStateIdle = Phrase{ZH: "待命", EN: "Ready"}
	// ConsolePageStateListening: dialogue state listening.
	ConsolePageStateListening = Phrase{ZH: "在听", EN: "Listening"}
	// ConsolePageStateThinking: dialogue state thinking.
	ConsolePageStateThinking = Phrase{ZH: "在想", EN: "Thinking"}
	// ConsolePageStateSpeaking: dialogue state speaking.
	ConsolePageStateSpeaking = Phrase{ZH: "在说", EN: "Speaking"}
	// ConsolePageStateRinging: dialogue state ringing.
	ConsolePageStateRinging = Phrase{ZH: "响铃", EN: "Ringing"}
	// ConsolePageStateMuted: dialogue state muted.
	ConsolePageStateMuted = Phrase{ZH: "闭麦", EN: "Muted"}
	// ConsolePageStateLost: instead of a state while nothing is known.
	ConsolePageStateLost = Phrase{ZH: "失去连接", EN: "No connection"}
	// ConsolePageHintIdle: below StateIdle.
	ConsolePageHintIdle = Phrase{ZH: "叫它的名字，或者在“对话”页打字。", EN: "Call its name, or type on the page Talk."}
	// ConsolePageHintType: instead of HintIdle where it has no ears.
	ConsolePageHintType = Phrase{ZH: "在“对话”页打字就行。", EN: "Type to it on the page Talk."}
	// ConsolePageHintListening: below StateListening.
	ConsolePageHintListening = Phrase{ZH: "请说。", EN: "Go ahead."}
	// ConsolePageHintThinking: below StateThinking.
	ConsolePageHintThinking = Phrase{ZH: "马上就好。", EN: "One moment."}
	// ConsolePageHintSpeaking: below StateSpeaking.
	ConsolePageHintSpeaking = Phrase{ZH: "叫它的名字可以打断。", EN: "Its name interrupts it."}
	// ConsolePageHintRinging: below StateRinging.
	ConsolePageHintRinging = Phrase{ZH: "说“停”，或者按停止。", EN: "Say “stop”, or press Stop."}
	// ConsolePageHintMuted: below StateMuted.
	ConsolePageHintMuted = Phrase{ZH: "取消静音之前它什么也听不到。", EN: "It hears nothing until you unmute it."}
	// ConsolePageHintLost: below StateLost.
	ConsolePageHintLost = Phrase{ZH: "设备可能在重启，页面会自己重连。", EN: "It may be restarting. This page reconnects by itself."}
	// ConsolePageFaults: the name of the list of what is wrong.
	ConsolePageFaults = Phrase{ZH: "设备状况", EN: "How the device is"}
	// ConsolePageAllWell: nothing is wrong.
	ConsolePageAllWell = Phrase{ZH: "一切正常，它听得见。", EN: "All is well. It can hear you."}
	// ConsolePageNoSound: the device runs without ears and voice.
	ConsolePageNoSound = Phrase{ZH: "设备没有接声音，只能打字。", EN: "It runs without sound. Type to it."}
	// ConsolePageLostSince: no connection; %s is a time.
	ConsolePageLostSince = Phrase{ZH: "%s 起没有连接，下面是那时的样子。", EN: "No connection since %s. Below is how it was then."}
	// ConsolePageExchange: the name of what is heard and said now.
	ConsolePageExchange = Phrase{ZH: "听到的和说的", EN: "What it hears and says"}
	// ConsolePageHeard: who said what it hears now.
	ConsolePageHeard = Phrase{ZH: "听到", EN: "Heard"}
	// ConsolePageNothingYet: nothing was said yet.
	ConsolePageNothingYet = Phrase{ZH: "还没有人说话。", EN: "Nobody has said anything yet."}
	// ConsolePageRepeat: a button: the last sentence once more.
	ConsolePageRepeat = Phrase{ZH: "再说一遍", EN: "Repeat"}
	// ConsolePageMute: a button: the microphone off.
	ConsolePageMute = Phrase{ZH: "静音", EN: "Mute"}
	// ConsolePageVolume: the name of the slider.
	ConsolePageVolume = Phrase{ZH: "音量", EN: "Volume"}
	// ConsolePageMode: the card of the run mode.
	ConsolePageMode = Phrase{ZH: "模式", EN: "Mode"}
	// ConsolePageLightOn: the mode light as it is.
	ConsolePageLightOn = Phrase{ZH: "灯亮着", EN: "Light on"}
	// ConsolePageLightOff: the mode light as it is.
	ConsolePageLightOff = Phrase{ZH: "灯灭着", EN: "Light off"}
	// ConsolePageNoMode: no run mode is active.
	ConsolePageNoMode = Phrase{ZH: "普通对话", EN: "Just talking"}
	// ConsolePageModeHint: below NoMode.
	ConsolePageModeHint = Phrase{ZH: "打开模式后，对话会一直接着说下去。", EN: "A mode keeps one conversation going."}
	// ConsolePageModeUntil: how long the mode lasts: a time, and how long that is.
	ConsolePageModeUntil = Phrase{ZH: "到 %s，还有 %s", EN: "Until %s, %s to go"}
	// ConsolePageExitMode: a button: archives the mode.
	ConsolePageExitMode = Phrase{ZH: "结束并归档", EN: "End and archive"}
	// ConsolePageOpenCooking: a button.
	ConsolePageOpenCooking = Phrase{ZH: "打开做饭模式", EN: "Open cooking mode"}
	// ConsolePageOpenCookingWords: what the button OpenCooking says for the user.
	ConsolePageOpenCookingWords = Phrase{ZH: "请打开做饭模式", EN: "Please open cooking mode"}
	// ConsolePageModeCooking: what the mode cooking is called.
	ConsolePageModeCooking = Phrase{ZH: "做饭模式", EN: "Cooking mode"}
	// ConsolePageToCooking: a link to the dish in work.
	ConsolePageToCooking = Phrase{ZH: "看这道菜", EN: "To the dish"}
	// ConsolePageBefore: what was said before the newest turn.
	ConsolePageBefore = Phrase{ZH: "刚才", EN: "Before that"}
	// ConsolePageSomebody: a user who is not known.
	ConsolePageSomebody = Phrase{ZH: "有人", EN: "Somebody"}
	// ConsolePageChannelVoice: how a turn came: spoken to the device.
	ConsolePageChannelVoice = Phrase{ZH: "说的", EN: "spoken"}
	// ConsolePageChannelText: how a turn came: on a terminal.
	ConsolePageChannelText = Phrase{ZH: "命令行", EN: "terminal"}
	// ConsolePageChannelWeb: how a turn came: on this page.
	ConsolePageChannelWeb = Phrase{ZH: "网页", EN: "web page"}
	// ConsolePageTurnFailed: a turn that failed or was interrupted.
	ConsolePageTurnFailed = Phrase{ZH: "没说完", EN: "not finished"}
	// ConsolePageTimers: the card of the timers.
	ConsolePageTimers = Phrase{ZH: "计时器", EN: "Timers"}
	// ConsolePageTimerWords: the field for a timer in words.
	ConsolePageTimerWords = Phrase{ZH: "用一句话定时", EN: "A timer in words"}
	// ConsolePageTimerExample: an example in that field.
	ConsolePageTimerExample = Phrase{ZH: "鸡蛋八分钟", EN: "eggs 8 minutes"}
	// ConsolePageSet: a button: sets that timer.
	ConsolePageSet = Phrase{ZH: "开始计时", EN: "Set"}
	// ConsolePageStopTimer: a button; %s is the timer.
	ConsolePageStopTimer = Phrase{ZH: "取消%s", EN: "Cancel %s"}
	// ConsolePagePaused: a timer that is paused.
	ConsolePagePaused = Phrase{ZH: "已暂停", EN: "paused"}
	// ConsolePageNow: instead of the time of a timer that rings.
	ConsolePageNow = Phrase{ZH: "到了", EN: "now"}
	// ConsolePageRings: a timer rings; %s is its name.
	ConsolePageRings = Phrase{ZH: "%s：时间到了", EN: "%s: time is up"}
)

// What the console's pages show: the words of lengths of time.
var (
	// ConsolePageHours: a length of time.
	ConsolePageHours = Phrase{ZH: "%d 小时", EN: "%d h"}
	// ConsolePageHoursMinutes: a length of time.
	ConsolePageHoursMinutes = Phrase{ZH: "%d 小时 %d 分钟", EN: "%d h %d min"}
	// ConsolePageMinutes: a length of time.
	ConsolePageMinutes = Phrase{ZH: "%d 分钟", EN: "%d min"}
	// ConsolePageMinutesSeconds: a length of time.
	ConsolePageMinutesSeconds = Phrase{ZH: "%d 分 %d 秒", EN: "%d min %d s"}
	// ConsolePageSeconds: a length of time.
	ConsolePageSeconds = Phrase{ZH: "%d 秒", EN: "%d s"}
)

// What the console's pages show: the words of the dish in work.
var (
	// ConsolePageStepOf: where the cook is.
	ConsolePageStepOf = Phrase{ZH: "第 %d 步，共 %d 步", EN: "Step %d of %d"}
	// ConsolePageThen: the step after this one; %s is its text.
	ConsolePageThen = Phrase{ZH: "接着：%s", EN: "Then: %s"}
	// ConsolePageLastStep: there is no step after this one.
	ConsolePageLastStep = Phrase{ZH: "这是最后一步。", EN: "This is the last step."}
	// ConsolePageStepLabel: the name of a timer for a step.
	ConsolePageStepLabel = Phrase{ZH: "第 %d 步", EN: "Step %d"}
	// ConsolePageStartTimer: a button: a timer for this step; its length follows.
	ConsolePageStartTimer = Phrase{ZH: "计时", EN: "Start a timer"}
	// ConsolePageBack: a button: the step before.
	ConsolePageBack = Phrase{ZH: "上一步", EN: "Back"}
	// ConsolePageNext: a button: the next step.
	ConsolePageNext = Phrase{ZH: "下一步", EN: "Next"}
	// ConsolePageFinish: a button: after the last step.
	ConsolePageFinish = Phrase{ZH: "做好了", EN: "Done"}
	// ConsolePageIngredients: a heading.
	ConsolePageIngredients = Phrase{ZH: "用料", EN: "Ingredients"}
	// ConsolePageIngredientsFor: a heading; %d people.
	ConsolePageIngredientsFor = Phrase{ZH: "%d 人份的用料", EN: "Ingredients for %d"}
	// ConsolePageForPeople: for how many people.
	ConsolePageForPeople = Phrase{ZH: "%d 人份", EN: "serves %d"}
	// ConsolePageNothingCooking: no dish is in work.
	ConsolePageNothingCooking = Phrase{ZH: "现在没有在做的菜。", EN: "No dish is in work."}
	// ConsolePageDishDone: a dish is finished; %s is its name.
	ConsolePageDishDone = Phrase{ZH: "%s做好了，慢慢享用。", EN: "%s is done. Enjoy."}
	// ConsolePageChooseRecipe: a link to the recipes.
	ConsolePageChooseRecipe = Phrase{ZH: "选一道菜", EN: "Choose a recipe"}
	// ConsolePageCookHint: below ChooseRecipe. The page does not know which
	// recogniser listens: it quotes set phrases, which each of them understands.
	ConsolePageCookHint = Phrase{ZH: "开始做菜以后，说“下一步”“上一步”也能翻页。", EN: "While a dish is on, “next step” and “previous step” do as well as the buttons."}
)

// What the console's pages show: the words of the recipes.
var (
	// ConsolePageNewRecipe: a link and the title of a page.
	ConsolePageNewRecipe = Phrase{ZH: "新菜谱", EN: "New recipe"}
	// ConsolePageNoRecipes: there is no recipe.
	ConsolePageNoRecipes = Phrase{ZH: "还没有菜谱。", EN: "There are no recipes yet."}
	// ConsolePageBrokenRecipes: above the files that cannot be read.
	ConsolePageBrokenRecipes = Phrase{ZH: "这些菜谱文件读不懂：", EN: "These recipe files cannot be read:"}
	// ConsolePageCookThis: a button: begin this recipe.
	ConsolePageCookThis = Phrase{ZH: "开始做", EN: "Cook this"}
	// ConsolePagePrint: a button.
	ConsolePagePrint = Phrase{ZH: "打印", EN: "Print"}
	// ConsolePageDeleteRecipeSure: before a recipe is deleted; %s is its title.
	ConsolePageDeleteRecipeSure = Phrase{ZH: "要删除“%s”吗？", EN: "Delete “%s”?"}
	// ConsolePagePeople: for how many people.
	ConsolePagePeople = Phrase{ZH: "几人份", EN: "People"}
	// ConsolePageFewer: a button: one person less.
	ConsolePageFewer = Phrase{ZH: "少一人", EN: "One fewer"}
	// ConsolePageMore: a button: one person more.
	ConsolePageMore = Phrase{ZH: "多一人", EN: "One more"}
	// ConsolePageSteps: a heading.
	ConsolePageSteps = Phrase{ZH: "步骤", EN: "Steps"}
	// ConsolePageNotes: a heading.
	ConsolePageNotes = Phrase{ZH: "备注", EN: "Notes"}
	// ConsolePageEditRecipe: the title of a page; %s is the recipe.
	ConsolePageEditRecipe = Phrase{ZH: "修改：%s", EN: "Edit: %s"}
	// ConsolePageRecipeTitle: a field.
	ConsolePageRecipeTitle = Phrase{ZH: "菜名", EN: "Title"}
	// ConsolePageTags: a field.
	ConsolePageTags = Phrase{ZH: "标签", EN: "Tags"}
	// ConsolePageIngredientsHow: how to write the field.
	ConsolePageIngredientsHow = Phrase{ZH: "每行一样，例如“鸡蛋: 3 个”。", EN: "One a line, like “eggs: 3”."}
	// ConsolePageStepsHow: how to write the field.
	ConsolePageStepsHow = Phrase{ZH: "每行一步，时间写在最后的括号里，例如“（3 分钟）”。", EN: "One a line; how long it takes in brackets at its end, like “(3 min)”."}
	// ConsolePageNotesHow: how to write the field.
	ConsolePageNotesHow = Phrase{ZH: "每行一条，可以不写。", EN: "One a line. May stay empty."}
	// ConsolePageImport: a part of the page.
	ConsolePageImport = Phrase{ZH: "从别处导入", EN: "Take one from elsewhere"}
	// ConsolePageImportHow: how to import.
	ConsolePageImportHow = Phrase{ZH: "粘贴一段菜谱文字，或者选一个保存下来的网页。", EN: "Paste the text of a recipe, or choose a web page that you saved."}
	// ConsolePageImportPaste: the field to paste into.
	ConsolePageImportPaste = Phrase{ZH: "粘贴菜谱", EN: "Paste a recipe"}
	// ConsolePageImportRead: a button: read what was pasted.
	ConsolePageImportRead = Phrase{ZH: "读取", EN: "Read it"}
	// ConsolePageImportFile: a button: choose a file.
	ConsolePageImportFile = Phrase{ZH: "选择文件", EN: "Choose a file"}
	// ConsolePageImportTooLarge: a file that is too large.
	ConsolePageImportTooLarge = Phrase{ZH: "文件超过 1 MB，太大了。", EN: "That file is over 1 MB, too large."}
	// ConsolePageImported: a recipe was read, not yet saved.
	ConsolePageImported = Phrase{ZH: "读好了，请看一遍再保存。", EN: "Done. Look it over, then save it."}
)

// What the console's pages show: the words of finished sessions.
var (
	// ConsolePageNoHistory: no session is finished yet.
	ConsolePageNoHistory = Phrase{ZH: "还没有结束的记录，模式结束后会归档到这里。", EN: "Nothing here yet. A mode is archived here when it ends."}
	// ConsolePageSummary: a heading.
	ConsolePageSummary = Phrase{ZH: "摘要", EN: "Summary"}
	// ConsolePageConfirmed: a heading of a summary.
	ConsolePageConfirmed = Phrase{ZH: "已确认", EN: "Confirmed"}
	// ConsolePageDialogue: a heading.
	ConsolePageDialogue = Phrase{ZH: "对话内容", EN: "What was said"}
	// ConsolePageNothingSaid: a session without words.
	ConsolePageNothingSaid = Phrase{ZH: "什么都没有记下来。", EN: "Nothing was noted down."}
	// ConsolePageExportText: a button: the session as a text.
	ConsolePageExportText = Phrase{ZH: "导出文字", EN: "Export text"}
	// ConsolePageExportJSON: a button: the session as JSON.
	ConsolePageExportJSON = Phrase{ZH: "导出 JSON 数据", EN: "Export JSON"}
	// ConsolePageDeleteSessionSure: before a session is deleted.
	ConsolePageDeleteSessionSure = Phrase{ZH: "要删除这次记录吗？", EN: "Delete this session?"}
	// ConsolePageDeleteForGood: below DeleteSessionSure.
	ConsolePageDeleteForGood = Phrase{ZH: "摘要和对话都会删掉，找不回来。", EN: "Its summary and dialogue are gone for good."}
)

// What the console's pages show: the words of who is let in and who is known.
var (
	// ConsolePageAccess: the card of who is let in.
	ConsolePageAccess = Phrase{ZH: "可以使用的设备", EN: "Who is let in"}
	// ConsolePageABrowser: a browser without a name.
	ConsolePageABrowser = Phrase{ZH: "一个浏览器", EN: "A browser"}
	// ConsolePageAProgram: a token without a name.
	ConsolePageAProgram = Phrase{ZH: "一个程序", EN: "A program"}
	// ConsolePageThisBrowser: the browser that shows this.
	ConsolePageThisBrowser = Phrase{ZH: "本机", EN: "this one"}
	// ConsolePageSeenAt: when it was used last; %s is a date.
	ConsolePageSeenAt = Phrase{ZH: "最近使用：%s", EN: "last seen %s"}
	// ConsolePageRevoke: a button; %s is a browser or program.
	ConsolePageRevoke = Phrase{ZH: "不再允许%s", EN: "Let %s in no more"}
	// ConsolePageRevokeSure: before somebody is let in no more; %s is who.
	ConsolePageRevokeSure = Phrase{ZH: "不再允许“%s”使用吗？", EN: "Let “%s” in no more?"}
	// ConsolePageRevokeYes: the button of that question.
	ConsolePageRevokeYes = Phrase{ZH: "不再允许", EN: "Shut out"}
	// ConsolePageMembers: the card of the people it knows.
	ConsolePageMembers = Phrase{ZH: "家人", EN: "People it knows"}
	// ConsolePageNoMembers: it knows nobody.
	ConsolePageNoMembers = Phrase{ZH: "还不认识任何人。", EN: "It knows nobody yet."}
	// ConsolePageForget: a button.
	ConsolePageForget = Phrase{ZH: "忘掉", EN: "Forget"}
	// ConsolePageForgetMember: a button; %s is a person.
	ConsolePageForgetMember = Phrase{ZH: "忘掉%s", EN: "Forget %s"}
	// ConsolePageForgetMemberSure: before a person is forgotten; %s is who.
	ConsolePageForgetMemberSure = Phrase{ZH: "要忘掉“%s”吗？", EN: "Forget “%s”?"}
	// ConsolePageForgetMemberHint: below that question.
	ConsolePageForgetMemberHint = Phrase{ZH: "这个人的资料和说过的话都会删掉，找不回来。", EN: "Their profile and all they said are gone for good."}
	// ConsolePageForgetAll: a button.
	ConsolePageForgetAll = Phrase{ZH: "忘掉一切", EN: "Forget everything"}
	// ConsolePageForgetAllSure: before everything is forgotten.
	ConsolePageForgetAllSure = Phrase{ZH: "真的要忘掉一切吗？", EN: "Really forget everything?"}
	// ConsolePageForgetAllHint: what that means.
	ConsolePageForgetAllHint = Phrase{ZH: "所有记录、对话和家人资料都会删掉，菜谱和设置会留下。", EN: "All sessions, dialogues and people are gone for good. Recipes and settings stay."}
	// ConsolePageForgetAllWord: the word to be typed for it.
	ConsolePageForgetAllWord = Phrase{ZH: "全部忘掉", EN: "forget"}
	// ConsolePageForgotten: everything was forgotten.
	ConsolePageForgotten = Phrase{ZH: "都忘掉了。", EN: "All is forgotten."}
	// ConsolePageTypeWord: a field; %s is what must be typed into it.
	ConsolePageTypeWord = Phrase{ZH: "请输入“%s”来确认", EN: "Type “%s” to confirm"}
	// ConsolePageCATitle: a heading.
	ConsolePageCATitle = Phrase{ZH: "让手机信任这台设备", EN: "Let a phone trust this device"}
)

// What the console's pages show: the words of talking.
var (
	// ConsolePageTalkHint: an empty talk.
	ConsolePageTalkHint = Phrase{ZH: "打字，或者用麦克风说话。", EN: "Type, or use the microphone."}
	// ConsolePageTryCooking: a suggestion.
	ConsolePageTryCooking = Phrase{ZH: "打开做饭模式吧", EN: "Open the cooking mode"}
	// ConsolePageTryTimer: a suggestion.
	ConsolePageTryTimer = Phrase{ZH: "定时五分钟", EN: "Set a timer for five minutes"}
	// ConsolePageTryTime: a suggestion.
	ConsolePageTryTime = Phrase{ZH: "现在几点了", EN: "What time is it?"}
	// ConsolePageYourWords: the field to type into.
	ConsolePageYourWords = Phrase{ZH: "说点什么", EN: "Say something"}
	// ConsolePageSend: a button.
	ConsolePageSend = Phrase{ZH: "发送", EN: "Send"}
	// ConsolePageHoldToTalk: a button that is held while one speaks.
	ConsolePageHoldToTalk = Phrase{ZH: "按住说话", EN: "Hold to talk"}
	// ConsolePageLetGo: that button while it is held.
	ConsolePageLetGo = Phrase{ZH: "松开结束", EN: "Let go when done"}
	// ConsolePageWakeWord: a button: listen for the wake word.
	ConsolePageWakeWord = Phrase{ZH: "叫名字", EN: "Wake word"}
	// ConsolePageSayPhrase: it waits for the wake word %s.
	ConsolePageSayPhrase = Phrase{ZH: "说“%s”", EN: "Say “%s”"}
	// ConsolePageMicOff: a button.
	ConsolePageMicOff = Phrase{ZH: "关掉麦克风", EN: "Microphone off"}
	// ConsolePageMicNeedsHTTPS: why there is no microphone.
	ConsolePageMicNeedsHTTPS = Phrase{ZH: "浏览器只在安全连接（https）下才给麦克风。", EN: "A browser gives the microphone only over a secure connection (https)."}
	// ConsolePageMicRefused: the user or the browser refused.
	ConsolePageMicRefused = Phrase{ZH: "浏览器没有允许使用麦克风，请在地址栏里打开权限。", EN: "The browser did not allow the microphone. Please allow it in the address bar."}
	// ConsolePageMicMissing: the machine has none.
	ConsolePageMicMissing = Phrase{ZH: "这台设备没有麦克风。", EN: "This machine has no microphone."}
	// ConsolePageToHTTPS: a link to the same page over https.
	ConsolePageToHTTPS = Phrase{ZH: "打开安全连接", EN: "Open the secure page"}
	// ConsolePageGetCA: a link: the root certificate.
	ConsolePageGetCA = Phrase{ZH: "下载证书", EN: "Get the certificate"}
	// ConsolePageCAHint: what the certificate is for.
	ConsolePageCAHint = Phrase{ZH: "浏览器会先警告。在手机上安装并信任这张证书，就不再警告了。", EN: "The browser will warn first. Install this certificate on the phone and trust it, and the warnings end."}
	// ConsolePageNoHTTPS: https is switched off.
	ConsolePageNoHTTPS = Phrase{ZH: "设备没有打开 https，请在 homebot.toml 的 console 里设置。", EN: "The device has no https. See [console] in homebot.toml."}
	// ConsolePageTalkGone: the talk's connection ended.
	ConsolePageTalkGone = Phrase{ZH: "语音连接断了，请再试一次。", EN: "The voice connection ended. Please try again."}
)

// What the console's pages show: the words of being let in.
var (
	// ConsolePagePairTitle: the title of the page.
	ConsolePagePairTitle = Phrase{ZH: "配对", EN: "Pairing"}
	// ConsolePagePairIntro: what to do.
	ConsolePagePairIntro = Phrase{ZH: "第一次使用，需要输入设备说出的六位数字。", EN: "Once for each browser: give the six digits that the device speaks."}
	// ConsolePagePairNoVoice: what to do where it cannot speak.
	ConsolePagePairNoVoice = Phrase{ZH: "在设备上运行 homebot pair，输入它显示的数字。", EN: "Run “homebot pair” on the device and give the digits it shows."}
	// ConsolePagePairSpeak: a button: let it speak the code.
	ConsolePagePairSpeak = Phrase{ZH: "让它说出数字", EN: "Let it speak the code"}
	// ConsolePagePairSpoken: it speaks the code now.
	ConsolePagePairSpoken = Phrase{ZH: "它正在说，请听。", EN: "It is speaking. Listen."}
	// ConsolePagePairShown: the code can be had on the terminal.
	ConsolePagePairShown = Phrase{ZH: "数字已经生成，在设备上运行 homebot pair 就能看到。", EN: "The code is made. “homebot pair” on the device shows it."}
	// ConsolePagePairCode: the field.
	ConsolePagePairCode = Phrase{ZH: "六位数字", EN: "Six digits"}
	// ConsolePagePairToken: a field for the token instead.
	ConsolePagePairToken = Phrase{ZH: "或者令牌", EN: "Or the token"}
	// ConsolePagePairName: the field of the browser's name.
	ConsolePagePairName = Phrase{ZH: "这个浏览器叫什么", EN: "A name for this browser"}
	// ConsolePagePairNameExample: an example in that field.
	ConsolePagePairNameExample = Phrase{ZH: "厨房的手机", EN: "Kitchen phone"}
	// ConsolePagePairEnter: a button.
	ConsolePagePairEnter = Phrase{ZH: "进入", EN: "Let me in"}
)

// What the console's pages show: the words of errors.
var (
	// ConsolePageErrorBack: a link on the page of an error.
	ConsolePageErrorBack = Phrase{ZH: "回到首页", EN: "Back to the start"}
)
