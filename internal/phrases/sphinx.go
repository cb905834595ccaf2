package phrases

// Why the recogniser of set phrases cannot know a phrase, and what becomes of its
// models.
var (
	// WordUnknown: the pronunciation dictionary lacks a word (%s) of
	// the phrase, or there is nothing to say in it.
	WordUnknown = Phrase{
		ZH: "发音词典里没有“%s”，请换个说法。",
		EN: "The dictionary does not know “%s”. Please use other words.",
	}
	// SoundsAlike: the phrase differs from another (%s) in one sound only.
	SoundsAlike = Phrase{
		ZH: "听起来和“%s”太像，请换个说法。",
		EN: "It sounds too much like “%s”. Please use other words.",
	}
	// ModelsStopped: getting models was told to end (Ctrl-C).
	ModelsStopped = Phrase{
		ZH: "停下了，没有损坏什么，用同一条命令就能接着来。",
		EN: "Stopped. Nothing is broken, and the same command goes on.",
	}
	// LanguageMissing: the model of the phrase's language is not installed.
	LanguageMissing = Phrase{
		ZH: "还没有这种语言的语音模型，请先安装。",
		EN: "There is no speech model for its language. Please install it.",
	}
	// SphinxNoEnglish: the English model is not where (%s) it should be.
	SphinxNoEnglish = Phrase{
		ZH: "%s 里没有英语语音模型：请安装软件包 pocketsphinx-en-us",
		EN: "the English speech model is missing in %s: install the package pocketsphinx-en-us",
	}
	// SphinxNoMandarin: the Mandarin model is not where (%s) it should be.
	SphinxNoMandarin = Phrase{
		ZH: "%s 里没有中文语音模型：请把 tdt_sc_8k/ 和 mandarin.dic 放进去",
		EN: "the Mandarin speech model is missing in %s: put tdt_sc_8k/ and mandarin.dic there",
	}
	// SphinxNoPlace: nobody said where the Mandarin model is.
	SphinxNoPlace = Phrase{
		ZH: "没有设置中文语音模型的目录：请设成放着 tdt_sc_8k/ 和 mandarin.dic 的目录",
		EN: "no directory is set for the Mandarin speech model: set it to one that holds tdt_sc_8k/ and mandarin.dic",
	}
	// SphinxNoLanguage: a language without any model.
	SphinxNoLanguage = Phrase{
		ZH: "没有 %q 这种语言的语音模型：请用 en 或 zh",
		EN: "there is no speech model for the language %q: use en or zh",
	}
	// SphinxNotBuilt: a build without cgo.
	SphinxNotBuilt = Phrase{
		ZH: "这个版本没有语音识别：编译时请打开 CGO_ENABLED=1，并装好 libpocketsphinx-dev",
		EN: "this build has no speech recogniser: build it with CGO_ENABLED=1 and libpocketsphinx-dev",
	}
)
