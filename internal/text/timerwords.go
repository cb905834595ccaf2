package text

// The words of timers, in both languages. Each list is data: longer words stand
// before shorter ones that they begin with.

var timerNouns = []string{
	"定时器", "计时器", "定时", "计时", "闹钟", "闹铃", "倒计时", "倒数", "提醒", "铃声",
	"timers", "timer", "alarms", "alarm", "countdown", "reminders", "reminder",
}

// alertWords ask to be told.
var alertWords = []string{
	"叫我", "喊我", "叫醒", "提醒", "通知我", "告诉我", "提示我", "remind", "wake me", "alert me", "tell me", "let me know", "notify me", "call me",
}

var wakingWords = []string{"起床", "叫醒", "wake me", "wake up", "get up", "wake us"}

var stopWords = []string{
	"停下来", "停下", "停止响铃", "停止", "停一下", "停了", "停吧", "停", "别响了", "别再响了", "不要再响了", "不要响了", "别吵了", "别叫了", "别闹了", "关掉铃声", "关了吧", "安静",
	"我知道了", "知道了", "我听到了", "听到了", "收到",
	"stop ringing", "stop it", "stop that", "stop the alarm", "stop the timer", "stop the ringing", "stop", "be quiet", "quiet", "shut up",
	"turn it off", "turn off the alarm", "that's enough", "enough", "silence", "dismiss", "i hear you", "i heard you", "got it",
}

var stopFillers = []string{
	"你好小厨", "小厨", "好了", "好的", "好", "快", "请", "别", "吧", "了", "啊", "呀", "啦", "可以", "行了", "行",
	"hey home bot", "home bot", "homebot", "okay", "ok", "please", "all right", "alright", "hey", "now", "yes", "thanks", "thank you",
}

var cancelWords = []string{
	"取消", "撤销", "删掉", "删除", "关掉", "关闭", "关了", "去掉", "清除", "清空", "停掉", "不用定时", "不要定时", "不用提醒", "不要提醒", "不用叫我", "不用闹钟", "不要闹钟",
	"cancel", "delete", "remove", "clear", "turn off", "get rid of", "kill", "forget", "never mind", "stop all", "stop every", "stop both", "停止所有", "停止全部", "所有定时都停",
}

// sureCancelWords need no timer named beside them.
var sureCancelWords = []string{"取消", "撤销", "cancel", "全部"}

var allWords = []string{
	"全部", "所有", "全都", "全", "都", "每个", "all", "every", "everything", "both", "each",
}

var pauseWords = []string{"暂停", "先停一下", "停一下定时", "停一下计时", "定时停一下", "计时停一下", "pause", "hold the", "freeze the", "put on hold"}

var resumeWords = []string{
	"继续", "恢复", "接着计时", "接着定时", "接着走", "resume", "continue", "unpause", "start again", "restart the", "carry on",
}

var queryWords = []string{
	"还剩", "还有多少", "还要多久", "还有多久", "还有多长", "还要多长", "还有几分钟", "还要几分钟", "剩多久", "剩多少", "剩下多", "剩几分", "多久才到", "多久到时间", "到时间了吗", "还需要多久", "还得多久", "还多久", "什么时候响", "几点响", "什么时候到", "时间到了吗", "到点了吗",
	"how long is left", "how long left", "how much time", "how much longer", "how many minutes", "how many seconds", "how long until", "how long till", "how long do", "how long does", "how long before", "how long for",
	"time left", "time is left", "is left", "are left", "remaining", "left on", "left for", "when will", "when does", "when do", "when is",
}

// How long a thing takes: a lead, and a word of cooking, without one of what is left.
var (
	needLeads = []string{"how long do", "how long does", "how long for", "how many minutes", "how much time"}
	needWords = []string{
		"take", "takes", "do i", "do we", "do you", "should", "boil", "cook", "bake", "fry", "roast", "simmer", "steam", "stew", "rise", "rest", "soak", "keep", "last",
	}
	leftWords = []string{"left", "more", "still", "longer", "remain", "remaining", "have"}
)

var queryNamedWords = []string{
	"哪些", "几个", "多少", "看看", "看一下", "查看", "查一下", "查", "列出", "有什么", "多久", "有没有", "什么", "怎么样", "状态", "吗", "列表",
	"list", "show", "what", "which", "how long", "how many", "how's", "how is", "check", "status", "are there", "do i have", "is there", "tell me about",
}

var addWords = []string{
	"再加", "多加", "多定", "多设", "加上", "加多", "再多", "再来", "再等", "再煮", "再蒸", "再炒", "再烤", "再炖", "再焖", "再泡", "再睡", "延长", "推迟", "延后", "增加", "追加", "延迟", "贪睡", "加个", "加",
	"add", "extend", "lengthen", "snooze", "prolong", "give me another", "give it another", "give me", "give it", "minutes more", "more minutes", "more minute", "more seconds", "more hours", "more hour", "additional", "longer", "extra", "increase",
}

var lessWords = []string{
	"减少", "减掉", "减去", "减", "少", "缩短", "提前",
	"subtract", "take off", "take away", "shorten", "minus", "reduce", "decrease", "less", "fewer", "knock off",
}

// setAgainWords make a new timer although a word of adding stands there.
var setAgainWords = []string{
	"再定", "再设", "再来一个", "再来个", "再加一个", "再加个", "加一个定时", "加个定时", "加一个闹钟", "加个闹钟", "加定时", "再过", "加个提醒", "加一个提醒",
	"add a timer", "add another timer", "add an alarm", "add a new", "set", "start", "add another alarm", "create", "add a reminder",
	"minute timer", "hour timer", "second timer", "minutes timer", "wake me", "remind me",
}

// setVerbs wish for a timer of which nothing else was said.
var setVerbs = []string{
	"定时", "设个", "设一个", "设置", "定个", "定一个", "来个", "来一个", "开始计时", "set", "start a", "start the timer", "create", "i need a", "i want a",
}

var wonderWords = []string{
	"吗", "怎么", "为什么", "要不要", "多少", "几个", "是不是", "够不够", "什么", "可以吗", "行不行",
	"how", "why", "what", "should", "does", "is it", "do i", "is that", "would it", "which",
}

// notRefusals look like a negation and are none.
var notRefusals = []string{
	"别忘了", "别忘记", "不要忘了", "不要忘记", "不能忘", "能不能", "可不可以", "要不要", "don't forget to", "don't forget", "do not forget to", "do not forget", "don't let me forget to",
}

var negators = []string{
	"不要", "不用", "不想", "不必", "不能", "不可以", "别", "没有", "没", "don't", "do not", "never", "dont", "not",
}

// refusable are orders that a negator before them takes back.
var refusable = []string{
	"取消", "删", "关掉", "暂停", "继续", "加", "延长", "减", "定一", "定个", "定十", "设",
	"cancel", "delete", "remove", "clear", "pause", "resume", "continue", "add", "extend", "set", "start", "stop",
}

// labelLeads stand directly before what a timer is for.
var labelLeads = []string{
	"提醒我们", "提醒我一下", "提醒我", "提醒一下我", "提醒", "叫我们", "叫我", "喊我", "通知我", "告诉我", "提示我",
	"called", "named", "labelled", "labeled", "label", "reminding me to", "to remind me to", "remind me to", "remind me that", "remind us to", "remind me about",
}

// timerWords are no part of a label.
var timerWords = []string{
	"设置一个", "设置", "设定一个", "设定", "设一个", "设个", "定一个", "定个", "订一个", "订个", "来一个", "来个", "开一个", "开个", "弄一个", "弄个", "建一个", "新建", "加一个", "加个", "再来一个", "再定一个", "再设一个", "再定", "再设", "做一个", "给个", "我想要", "我想", "我要", "开始", "启动", "请帮我", "帮我", "给我", "麻烦你", "麻烦", "请", "能不能", "可不可以", "可以", "别忘了", "别忘记", "记得", "到时候", "的时候", "时候",
	"倒计时", "倒数", "定时器", "计时器", "定时", "计时", "闹钟", "闹铃", "叫醒我", "叫醒", "喊醒", "响铃", "响一下", "一下", "之后", "以后", "再过", "谢谢", "好吗", "好不好", "行吗", "铃声",
	"两个定时", "两个闹钟", "三个定时", "三个闹钟", "两个", "三个", "two timers", "three timers", "two alarms", "three alarms", "ring me", "ring the bell", "ring",
	"you", "set up", "set", "start", "create", "make", "put on", "begin", "countdown", "count down", "timers", "timer", "alarms", "alarm", "reminders", "reminder", "remind me", "remind us", "remind",
	"wake me up", "wake me", "wake us up", "wake us", "tell me when", "tell me", "let me know when", "let me know", "notify me", "alert me", "call me", "give me", "can", "could", "would", "will", "please", "i want", "i'd like", "i need", "new", "another", "from now", "thanks", "thank you", "don't forget to", "don't forget",
}

// orderWords are no part of a label in an order about a timer that runs.
var orderWords = []string{
	"取消掉", "取消", "撤销", "删掉", "删除", "关掉", "关闭", "关了", "去掉", "清除", "清空", "停止", "停掉", "停了", "停一下", "停", "结束", "不用", "不要", "全部", "所有的", "所有", "全都", "每个", "那个", "这个",
	"暂停", "继续", "恢复", "接着", "再加上", "再加", "多加", "加上", "加多", "再多", "再来", "再等", "再煮", "再蒸", "再炒", "再烤", "再炖", "再焖", "再泡", "再睡", "多定", "多设", "延长", "推迟", "延后", "增加", "追加", "延迟", "贪睡", "减少", "减掉", "减去", "减", "少", "缩短", "提前",
	"还剩下", "还剩", "还有多少", "还要", "还有", "还需要", "还得", "剩下", "剩", "多久", "多长时间", "多长", "多少时间", "多少分钟", "几分钟", "多少秒", "什么时候", "时间", "哪些", "几个", "有什么", "有没有", "看看", "看一下", "查看", "查一下", "列出", "现在", "响", "时间到了吗", "到点了吗", "到时间", "才好", "能好", "吗", "才到",
	"cancel", "delete", "remove", "clear", "turn off", "get rid of", "never mind", "forget", "kill", "stop", "end", "dismiss", "all of", "all", "every", "everything", "both", "pause", "hold", "freeze", "resume", "continue", "unpause", "start again", "restart", "add", "extend", "lengthen", "snooze", "prolong", "more", "additional", "extra", "longer", "increase", "plus", "subtract", "take off", "take away", "shorten", "minus", "reduce", "decrease", "less", "fewer", "knock",
	"how long is left", "how long", "how much time", "how much longer", "how much", "how many minutes", "how many", "time", "left", "remaining", "remains", "when will", "when does", "when is", "when do", "until", "till", "before", "list", "show", "what's", "what is", "what", "which", "how's", "how is", "check", "status", "are there", "is there", "do i have", "do", "does", "go off", "goes off", "going off", "ring", "done", "ready", "finished", "currently", "running", "now", "still",
}

// softLeads and softTails are taken off the ends of a label.
var softLeads = []string{
	"的", "了", "把", "给", "要", "有", "我们", "我", "你", "在", "等", "用", "就", "先", "再", "后", "过", "到", "个", "一个", "为", "是", "关于", "那", "和", "对", "让", "让我", "叫", "去",
	"for", "the", "my", "our", "a", "an", "to", "on", "of", "in", "at", "and", "is", "are", "it", "that", "this", "with", "by", "about", "me", "i'm", "i", "so", "hey", "um", "from", "after", "when", "if", "there", "be", "off", "up", "have", "has",
}

var sureLeads = []string{"要", "去", "一下", "的", "to", "that", "about"}

var softTails = []string{
	"的", "了", "吧", "呢", "啊", "呀", "吗", "后", "过", "再", "个", "要", "就", "也", "还", "定", "设", "计", "响", "叫", "好", "都", "把", "给", "加", "又", "到", "用", "等", "在", "先",
	"for", "the", "a", "an", "to", "on", "of", "in", "at", "and", "is", "are", "it", "that", "please", "after", "with", "off", "up", "by", "have", "has", "from", "about", "be", "need",
}

// partedVerbs and verbParts are the two ends of a verb: turn it off.
var (
	partedVerbs = []string{"turn", "switch", "shut", "put", "take", "pick", "wake", "get", "warm", "heat", "clean", "wash"}
	verbParts   = []string{"off", "on", "up"}
)
