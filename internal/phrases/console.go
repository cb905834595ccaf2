package phrases

// What the console answers when it refuses, and what its buttons say.
var (
	// ConsoleNotPaired: a browser that was not let in.
	ConsoleNotPaired = Phrase{ZH: "请先配对这个浏览器。", EN: "Pair this browser first."}
	// ConsoleTokenUnknown: a program whose token is none.
	ConsoleTokenUnknown = Phrase{
		ZH: "没有这个令牌；在设备上用 homebot pair --token 名字 可以做一个。",
		EN: "This token is not known; homebot pair --token NAME on the device makes one.",
	}
	// ConsoleNotAllowed: a token whose scope is too small.
	ConsoleNotAllowed = Phrase{ZH: "这个令牌没有这项权限。", EN: "This token may not do that."}
	// ConsoleWrongHost: the request is for another name.
	ConsoleWrongHost = Phrase{ZH: "这个网址不是本设备的；请用设备的名字或地址，或在 [console] hosts 里加上它。", EN: "This is not a name of this device; use its name or address, or add it to [console] hosts."}
	// ConsoleWrongOrigin: another site's page asked.
	ConsoleWrongOrigin = Phrase{ZH: "来自其他网站的请求已被拒绝。", EN: "A request from another site was refused."}
	// ConsoleTooMany: an address asks too often.
	ConsoleTooMany = Phrase{ZH: "请求太频繁，请稍等几秒。", EN: "Too many requests; wait a few seconds."}
	// ConsoleTooManyPages: no more websockets.
	ConsoleTooManyPages = Phrase{ZH: "打开的页面太多了，请先关掉几个。", EN: "Too many pages are open; close some first."}
	// ConsoleTooLarge: a body over its limit, in KiB.
	ConsoleTooLarge = Phrase{ZH: "内容太大，最多 %d KiB。", EN: "That is too large; at most %d KiB."}
	// ConsoleOneOf: a field that must be one of a few words.
	ConsoleOneOf = Phrase{ZH: "请求有误：%s 要写其中一个：%s。", EN: "The request is wrong: %s takes one of: %s."}
	// ConsoleLong: a field with too many characters.
	ConsoleLong = Phrase{ZH: "请求有误：%s 太长了。", EN: "The request is wrong: %s is too long."}
	// ConsoleRange: a number out of range.
	ConsoleRange = Phrase{ZH: "请求有误：%s 要写 %d 到 %d 的数。", EN: "The request is wrong: %s takes a number from %d to %d."}
	// ConsoleRecipeTitle: a dish that cannot be one.
	ConsoleRecipeTitle = Phrase{ZH: "请求有误：recipe 要写菜名。", EN: "The request is wrong: recipe takes the title of a dish."}
	// ConsoleTextOnly: a binary frame where none belongs.
	ConsoleTextOnly = Phrase{ZH: "请求有误：这里只收文字帧。", EN: "The request is wrong: only text frames belong here."}
	// ConsoleContentType: a body that says to be something else.
	ConsoleContentType = Phrase{ZH: "请求有误：Content-Type 要写 application/json。", EN: "The request is wrong: Content-Type must be application/json."}
	// ConsoleNotJSON: what came is no JSON object.
	ConsoleNotJSON = Phrase{ZH: "请求有误：需要一个 JSON 对象。", EN: "The request is wrong: it takes one JSON object."}
	// ConsoleTakesText: a field of another JSON type, by its name.
	ConsoleTakesText = Phrase{ZH: "请求有误：%s 要写文字。", EN: "The request is wrong: %s takes text."}
	// ConsoleTakesNumber likewise.
	ConsoleTakesNumber = Phrase{ZH: "请求有误：%s 要写整数。", EN: "The request is wrong: %s takes a whole number."}
	// ConsoleTakesBool likewise.
	ConsoleTakesBool = Phrase{ZH: "请求有误：%s 要写 true 或 false。", EN: "The request is wrong: %s takes true or false."}
	// ConsoleTakesList likewise.
	ConsoleTakesList = Phrase{ZH: "请求有误：%s 要写列表。", EN: "The request is wrong: %s takes a list."}
	// ConsoleTakesObject likewise.
	ConsoleTakesObject = Phrase{ZH: "请求有误：%s 要写 JSON 对象。", EN: "The request is wrong: %s takes a JSON object."}
	// ConsoleNotFound: nothing of that name.
	ConsoleNotFound = Phrase{ZH: "这里没有这个页面或内容。", EN: "There is nothing of that name here."}
	// ConsoleFailed: something that should work did not.
	ConsoleFailed = Phrase{ZH: "出了点问题，请再试一次；设备日志里有原因。", EN: "That did not work; try again. The device's log has the reason."}
	// ConsoleBusy: a page has ordered more than one can do at once.
	ConsoleBusy = Phrase{ZH: "上一件事还没做完，请稍等。", EN: "The things before are not done yet; wait a moment."}
	// ConsoleNoSound: the device runs without a sound card.
	ConsoleNoSound = Phrase{ZH: "设备现在没有声音。", EN: "The device runs without sound now."}
	// ConsoleNoTimers: the file of the timers cannot be read.
	ConsoleNoTimers = Phrase{ZH: "计时器现在用不了。", EN: "Timers do not work now."}
	// ConsoleNotCooking: a cooking button outside the cooking mode.
	ConsoleNotCooking = Phrase{ZH: "现在不在做饭模式；请说“打开做饭模式”。", EN: "The cooking mode is not on; say: open cooking mode."}
	// ConsoleNotNow: Repeat while a turn is thought about or something rings.
	ConsoleNotNow = Phrase{ZH: "现在不行，请等这一句结束。", EN: "Not now; wait until this is over."}
	// ConsoleExists: a new recipe with an old name.
	ConsoleExists = Phrase{ZH: "已经有同名的菜谱了。", EN: "There is a recipe of that name already."}
	// ConsoleChanged: an edit of something that was changed meanwhile.
	ConsoleChanged = Phrase{ZH: "这个菜谱刚被改过；请重新打开再修改。", EN: "The recipe was changed meanwhile; open it again, then edit."}
	// ConsoleBadRecipe: a recipe that cannot be read, and why.
	ConsoleBadRecipe = Phrase{ZH: "菜谱有误：%s。", EN: "The recipe is not right: %s."}
	// ConsoleTitleWithoutLetter: a title that gives no name for a file.
	ConsoleTitleWithoutLetter = Phrase{ZH: "菜名里没有文字，请换一个。", EN: "The title has no letter in it. Please choose another."}
	// FileLine: what is wrong in which line of a file.
	FileLine = Phrase{ZH: "第 %d 行：%s", EN: "line %d: %s"}
	// RecipeNoHead: a recipe's file has no front matter.
	RecipeNoHead = Phrase{ZH: "文件要以两行 --- 开头，中间写 title 和 servings", EN: "the file must begin with two lines ---, with title and servings between them"}
	// RecipeNoTitle: the head of a recipe's file names no dish.
	RecipeNoTitle = Phrase{ZH: "开头两行 --- 之间缺少 title（菜名）", EN: "title is missing between the two lines --- at the beginning"}
	// RecipeServings: how many people a recipe's file is for is missing or wrong.
	RecipeServings = Phrase{ZH: "servings（人数）要写 1 到 %d 的数", EN: "servings must be a number of people from 1 to %d"}
	// RecipeNoIngredients: a recipe's file lists none.
	RecipeNoIngredients = Phrase{ZH: "没有用料；请在“## 用料”下面写成“- 鸡蛋: 3 个”这样", EN: "no ingredients; write them like “- eggs: 3” below “## Ingredients”"}
	// RecipeNoSteps: a recipe's file has none.
	RecipeNoSteps = Phrase{ZH: "没有步骤；请在“## 步骤”下面写成“1. ……”这样", EN: "no steps; write them like “1. …” below “## Steps”"}
	// ConsoleNoRecipeInText: an import that holds none.
	ConsoleNoRecipeInText = Phrase{ZH: "里面没有找到菜谱：需要标题、用料和步骤。", EN: "No recipe in it: a title, ingredients and steps are needed."}
	// ConsoleModeActive: what cannot be forgotten while a mode goes on.
	ConsoleModeActive = Phrase{ZH: "请先结束当前模式，再删除。", EN: "End the active mode first, then delete."}
	// ConsoleConfirm: forgetting everything wants a word.
	ConsoleConfirm = Phrase{ZH: "删除全部内容需要确认。", EN: "Forgetting everything must be confirmed."}
	// ConsoleWrongCode: not the code.
	ConsoleWrongCode = Phrase{ZH: "配对码不对。", EN: "That is not the code."}
	// ConsoleNoCode: no code waits, or it is over.
	ConsoleNoCode = Phrase{ZH: "没有等待中的配对码，请重新获取。", EN: "No code is waiting; ask for a new one."}
	// ConsoleTooManyCodes: more codes than anybody needs.
	ConsoleTooManyCodes = Phrase{ZH: "配对码要得太频繁；请过一会儿再试，或在设备上运行 homebot pair。", EN: "Too many codes were asked for; wait a while, or run homebot pair on the device."}
	// ConsoleTooManyPaired: the list is full.
	ConsoleTooManyPaired = Phrase{ZH: "配对的浏览器太多了，请先在设置里删掉几个。", EN: "Too many browsers are paired; revoke some first."}
	// ConsoleNoScope: a scope that a token cannot have.
	ConsoleNoScope = Phrase{ZH: "没有权限 %q；请写其中一个：all、read、metrics", EN: "scope %q is not known; write one of all, read, metrics"}
	// DoorUnknown: what should be let in no more is not in the list.
	DoorUnknown = Phrase{ZH: "名单里没有这一项；请用 homebot pair --list 查看", EN: "there is no such entry; see homebot pair --list"}
	// DoorFull: the list is full.
	DoorFull = Phrase{ZH: "名单满了；请先撤销几项", EN: "too many are let in; revoke some first"}
	// ConsoleSpokenCode is what the device speaks: the code, digit by digit.
	ConsoleSpokenCode = Phrase{ZH: "配对码是：%s。再说一遍：%s。", EN: "The pairing code is: %s. Again: %s."}
	// ConsoleNoCA: no certificate of our own making.
	ConsoleNoCA = Phrase{ZH: "这台设备没有自制的证书。", EN: "This device has no certificate of its own making."}
	// ConsoleNoTalk: no speech server for a browser's microphone.
	ConsoleNoTalk = Phrase{ZH: "设备现在听不懂语音，请打字。", EN: "The device cannot understand speech now; please type."}
	// ConsoleTalksBusy: enough browsers talk already.
	ConsoleTalksBusy = Phrase{ZH: "已经有别的浏览器在用麦克风，请稍后再试。", EN: "Other browsers are talking already; try again later."}

	// ConsoleSayNext is what the buttons of the cooking page say, as a person would.
	ConsoleSayNext = Phrase{ZH: "到下一步", EN: "next step"}
	// ConsoleSayBack goes back.
	ConsoleSayBack = Phrase{ZH: "回到上一步", EN: "previous step"}
	// ConsoleSayRepeat says the step again.
	ConsoleSayRepeat = Phrase{ZH: "重复这一步", EN: "repeat this step"}
	// ConsoleSayWhere asks for the step.
	ConsoleSayWhere = Phrase{ZH: "现在到第几步", EN: "which step are we on"}
	// ConsoleSayFinish ends the dish.
	ConsoleSayFinish = Phrase{ZH: "这道菜做好了", EN: "the dish is finished"}
	// ConsoleSayGoto goes to a step.
	ConsoleSayGoto = Phrase{ZH: "跳到第%d步", EN: "go to step %d"}
	// ConsoleSayCooking opens the cooking mode.
	ConsoleSayCooking = Phrase{ZH: "进入做饭模式", EN: "open cooking mode"}
	// ConsoleSayStart begins a dish.
	ConsoleSayStart = Phrase{ZH: "开始做%s", EN: "start cooking %s"}
	// ConsoleSayStartFor begins a dish for so many people.
	ConsoleSayStartFor = Phrase{ZH: "开始做%s，%d个人吃", EN: "start cooking %s for %d people"}
)
