package text

import "homebot/internal/lazyregexp"

// phantoms are what recognisers make up from silence and noise (field reports
// 53 to 55: subtitles they were trained on), flattened: letters and digits only.
var phantoms = compile(
	`^(本)?(中文|英文)?字幕(由|by|制作|提供|组|志愿者|校对|翻译|组双语|君).*$`,
	`^.*amaraorg(社区|community)?(提供)?(的)?(字幕)?$`,
	`^(中文|双语|简体|繁体)?字幕$`,
	`^(非常)?(谢谢|感谢|多谢)(大家|各位|你们|您|你)?(的)?(观看|收看|收听|观赏|聆听)(本?(视频|节目|影片))?((我们)?下(期|次|集)再见)?$`,
	`^(请)?不吝(点赞|订阅|转发|打赏|支持|关注).*$`,
	`^请不吝.*$`,
	`^.*打赏支持明镜.*$`,
	`^.*明镜(与|和|需要|火拍)?点点(栏目|频道)?.*$`,
	`^(请|记得|欢迎|别忘了|不要忘记|喜欢的话请)?(大家)?(点赞|订阅|关注)(我的|我们的|本)?(频道)?(点赞|订阅|转发|分享|关注|评论|收藏|投币|和|并|加|打赏)*(频道)?$`,
	`^(今天的|本期|这期|本集)(视频|节目)?(内容)?就(到这里|到这儿)(了|啦)?((我们)?下(期|次|集)再见)?$`,
	`^(我们)?下(期|集)(视频|节目)?(再见|见)$`,
	`^.*独播剧场.*$`,
	`^(词曲|作词|作曲|编曲)[^0-9]{0,12}(作曲|编曲|李宗盛)[^0-9]{0,8}$`,
	`^by索兰娅$`, `^.*小编.*字幕.*$`, `^mingpao(canada|toronto).*$`,
	`^(片尾|片头)?(音乐|掌声|笑声)$`,

	`^(thanks|thankyou)(you)?(all|guys|everyone|everybody)?(so|very)?(much)?for(watching|listening|viewing|yourattention)(this|the|my)?(video)?(everyone|everybody|guys)?((and)?(i'?llsee|see)youinthenext(video|one|time))?$`,
	`^(i'?ll)?see(you|ya)(guys)?(all)?(in|on)thenext(video|one|episode)?$`,
	`^(please|pleaseremember|and|dontforgetto|donotforgetto|besureto|makesureto)*(like|subscribe)(and|like|subscribe|comment|share|to|my|our|the|channel|hit|bell|button|if|you|enjoyed|this|video)*(channel|subscribe|button|video|share|comment|like)$`,
	`^(please)?subscribe(tomychannel|toourchannel|tothechannel)?$`,
	`^(subtitles|captions|captioning|subtitled|transcription|transcribed|translation|translatedby)(are|were|and)?(by|provided|made|created|performed|edited).*$`,
	`^.*(subtitles|captions)bythe.*community$`,
	`^wwwm?oo?jiorg$`, `^copyright.*allrightsreserved$`, `^.*castingwords.*$`, `^.*otterai$`,
	`^(you)+$`, `^(blankaudio|music|musicplaying|applause|silence|inaudible|laughter|noise|foreign)$`,
)

// weakPhantoms are made up often and said often: only bad signals give them away.
var weakPhantoms = []string{
	"静音", "谢谢", "谢谢大家", "谢谢你", "再见", "拜拜", "嗯", "好", "好的", "对", "是", "啊", "哦", "我", "的", "是的",
	"thankyou", "thanks", "thankyouverymuch", "bye", "byebye", "goodbye", "yeah", "yes", "okay", "ok", "oh", "so", "the", "i", "no", "hmm", "mm", "uhhuh", "right", "hello", "hi",
}

func compile(patterns ...string) []*lazyregexp.Regexp {
	all := make([]*lazyregexp.Regexp, len(patterns))
	for i, p := range patterns {
		all[i] = lazyregexp.New(p)
	}
	return all
}

// strictFillers are dropped wherever they stand by themselves.
var strictFillers = []string{
	"嗯", "嗯嗯", "呃", "额", "唔", "诶", "欸", "哎", "呃呃", "嗯哼",
	"um", "umm", "ummm", "uh", "uhh", "uhm", "er", "err", "erm", "hmm", "hm", "mm", "mmm", "ah", "eh",
}

// openings are dropped at the beginning only, where they mean nothing yet.
var openings = []string{"那个", "这个", "就是", "就是说", "然后", "啊", "哦", "噢", "那什么", "怎么说呢", "well", "so", "like", "oh"}

// gluedFillers may run into the word after them.
var gluedFillers = []string{"嗯嗯", "嗯", "呃"}

// noises are nothing when nothing else was said.
var noises = []string{"呃", "额", "唔", "um", "umm", "uh", "uhh", "uhm", "er", "err", "erm", "hm", "mm", "mmm", "ah", "eh"}

// wakeResidue is what recognisers leave of the default wake phrases, and the
// homophones they write.
var wakeResidue = []string{
	"你好小出", "你好小初", "你好小楚", "你好小除", "你好小处", "你好晓厨", "你好小锄", "你好小橱", "您好小厨", "你好 小厨", "好小厨", "小厨",
	"hey homebot", "hey home but", "hey home bots", "hay home bot", "hi home bot", "a home bot", "home bot", "homebot",
}
