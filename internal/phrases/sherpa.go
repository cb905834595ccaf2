package phrases

// What is wrong with models and voices when sherpa-onnx is to use them.
var (
	// SherpaNotBuilt: a build without the library.
	SherpaNotBuilt = Phrase{
		ZH: "这个版本没有 sherpa-onnx：请在 64 位 Linux 上编译 homebot-speech，打开 CGO_ENABLED=1，不要加 -tags nosherpa",
		EN: "this build has no sherpa-onnx: build homebot-speech with CGO_ENABLED=1 and without -tags nosherpa, on 64-bit Linux",
	}
	// SherpaFileMissing: a model's file that is not there.
	SherpaFileMissing = Phrase{ZH: "缺少模型文件 %s", EN: "the model file %s is missing"}
	// SherpaFileEmpty: a model's file without content.
	SherpaFileEmpty = Phrase{ZH: "模型文件 %s 是空的", EN: "the model file %s is empty"}
	// SherpaRefuses: what kind of model was not taken, and where it is.
	SherpaRefuses = Phrase{ZH: "sherpa-onnx 加载不了%s（在 %s）：请运行 homebot-speech models check", EN: "sherpa-onnx cannot load the %s in %s: run homebot-speech models check"}
	// SherpaVAD: a kind of model.
	SherpaVAD = Phrase{ZH: "语音检测模型", EN: "voice activity model"}
	// SherpaWake: a kind of model.
	SherpaWake = Phrase{ZH: "唤醒词模型", EN: "wake word model"}
	// SherpaRecogniser: a kind of model.
	SherpaRecogniser = Phrase{ZH: "语音识别模型", EN: "speech recogniser"}
	// SherpaSpeaker: a kind of model.
	SherpaSpeaker = Phrase{ZH: "认人的模型", EN: "speaker model"}
	// SherpaVoice: a kind of model.
	SherpaVoice = Phrase{ZH: "语音合成模型", EN: "voice"}
	// SherpaUnknownRecogniser: a kind of recogniser that nobody knows.
	SherpaUnknownRecogniser = Phrase{ZH: "没有 %q 这一类语音识别模型", EN: "speech recognisers of kind %q are unknown"}
	// SherpaUnknownVoice: a kind of voice that nobody knows.
	SherpaUnknownVoice = Phrase{ZH: "没有 %q 这一类语音合成模型", EN: "voices of kind %q are unknown"}
	// SherpaUnknownPurpose: models that cannot be tried.
	SherpaUnknownPurpose = Phrase{ZH: "%q 用的模型没法试", EN: "models for %q cannot be tried"}
	// SherpaUnusableFile: a file of a model, and what is wrong with it.
	SherpaUnusableFile = Phrase{ZH: "%s 不能用：%v", EN: "%s cannot be used: %v"}
	// SherpaBadTokens: the directory of a model, and what is wrong with its tokens.
	SherpaBadTokens = Phrase{ZH: "%s 里模型的 tokens.txt 不能用：%v", EN: "the tokens.txt of the model in %s cannot be used: %v"}
	// SherpaBadPhones: the directory of a model, and what is wrong with its sounds.
	SherpaBadPhones = Phrase{ZH: "%s 里模型的 en.phone 不能用：%v", EN: "the en.phone of the model in %s cannot be used: %v"}
	// SherpaNoTokens: what is wrong with a file of tokens.
	SherpaNoTokens = Phrase{ZH: "里面没有词元", EN: "no tokens in it"}
	// SherpaNoToken: what is wrong with a file of tokens.
	SherpaNoToken = Phrase{ZH: "%q 不是一个词元加编号", EN: "%q is no token with its number"}
	// SherpaMuteLexicon: a voice that can say nothing.
	SherpaMuteLexicon = Phrase{ZH: "%s 里没有一个词是这个声音能说的", EN: "%s has no word that the voice can say"}
	// SherpaDidNotSpeak: a voice that failed.
	SherpaDidNotSpeak = Phrase{ZH: "sherpa-onnx 没有说出来", EN: "sherpa-onnx did not speak"}
	// SherpaSpellsNothing: why a wake word model is of no use.
	SherpaSpellsNothing = Phrase{ZH: "它的词元拼不出任何默认的唤醒词：%v", EN: "its tokens spell none of the default wake phrases: %v"}
	// SherpaSaysNothing: why a voice is of no use.
	SherpaSaysNothing = Phrase{ZH: "它什么也没说", EN: "it says nothing"}
	// SherpaFindsNoVoice: why a speaker model is of no use.
	SherpaFindsNoVoice = Phrase{ZH: "它在两秒的声音里找不到人声", EN: "it finds no voice in two seconds of sound"}
	// SherpaTooSlow: a model, and how long was waited for it.
	SherpaTooSlow = Phrase{ZH: "模型 %s 过了 %v 还没有加载好", EN: "model %s did not load within %v"}
	// SherpaUnusable: a model, and why it is of no use.
	SherpaUnusable = Phrase{ZH: "模型 %s 不能用：%v", EN: "model %s cannot be used: %v"}
	// SherpaGivesUp: a model that ends the library's process, and how.
	SherpaGivesUp = Phrase{ZH: "模型 %s 不能用：sherpa-onnx 一加载就退出，所以它已损坏，或者是别的种类（%v）", EN: "model %s cannot be used: sherpa-onnx gives up on it, so it is damaged or of another kind (%v)"}
	// SherpaSilentChild: a model of which nothing is known.
	SherpaSilentChild = Phrase{ZH: "模型 %s 没法试：子进程什么也没说", EN: "model %s cannot be tried: the child said nothing"}
	// SherpaVoicesUnreadable: the file of the members' voices, and why.
	SherpaVoicesUnreadable = Phrase{ZH: "成员的声音文件 %s 读不了（%v）：请重新登记，或者把文件移走", EN: "the members' voices in %s cannot be read (%v): enrol them again, or move the file away"}
	// SherpaVoicesNotSaved: why the members' voices are not kept.
	SherpaVoicesNotSaved = Phrase{ZH: "成员的声音存不下来：%v", EN: "the members' voices cannot be saved: %v"}
	// SherpaNoMember: what cannot be a member's id.
	SherpaNoMember = Phrase{ZH: "%q 不能当成员的代号", EN: "%q is no member's id"}
	// SherpaRecordings: how many recordings there are, and how many there should be.
	SherpaRecordings = Phrase{ZH: "给了 %d 段录音：需要 %d 到 %d 段，同一个人说的，每段一句话", EN: "%d recordings given: %d to %d are needed, of one person, a sentence each"}
	// SherpaShortRecording: a recording that is too short to know a voice by.
	SherpaShortRecording = Phrase{ZH: "第 %d 段录音太短：请说两秒以上", EN: "recording %d is too short: speak for two seconds or more"}
	// SherpaUnknownMember: nobody to forget.
	SherpaUnknownMember = Phrase{ZH: "没有登记过 %q 的声音", EN: "no voice of %q is known"}
)
