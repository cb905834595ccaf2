package phrases

// What goes wrong with a backup, and when one is put back.
var (
	// BackupBeside: the directory of the wanted file cannot be used, and why.
	BackupBeside = Phrase{ZH: "没法在 %s 所在的目录里写备份：%s", EN: "make a backup beside %s: %s"}
	// BackupNoFile: something that is no file has the wanted name.
	BackupNoFile = Phrase{ZH: "%s 已经存在，而且不是文件；请换个名字，或者用 - 写到标准输出", EN: "%s is there and is no file; name another, or - for standard output"}
	// BackupInWorkspace: a backup would be part of every later one.
	BackupInWorkspace = Phrase{ZH: "%s 在工作目录里，以后每个备份都会把它带上；请换到别处", EN: "%s is in the workspace, and every later backup would hold it; name a file elsewhere"}
	// BackupOneFile: a file cannot be saved, and why.
	BackupOneFile = Phrase{ZH: "没法备份 %s：%s", EN: "back up %s: %s"}
	// BackupNoPause: somebody talks all the time.
	BackupNoPause = Phrase{ZH: "工作目录 %s 一直在变；请等没人说话的时候再试", EN: "workspace %s changes all the time; try again when nobody talks"}
	// BackupReadWorkspace: the workspace cannot be read, and why.
	BackupReadWorkspace = Phrase{ZH: "没法读工作目录 %s：%s", EN: "read workspace %s: %s"}
	// BackupWrite: the archive cannot be written, and why.
	BackupWrite = Phrase{ZH: "没法写 %s：%s", EN: "write %s: %s"}
	// RestoreFinish: a restore cannot be ended, and why.
	RestoreFinish = Phrase{ZH: "没法把 %s 里的恢复做完：%s", EN: "finish the restore in %s: %s"}
	// RestoreJournal: the notes of a restore were tampered with: their file, and a name in it.
	RestoreJournal = Phrase{ZH: "%s 里有不该有的名字 %q", EN: "%s names %q"}
	// BackupNotTaken: what is wrong with an archive, and that it stays outside.
	BackupNotTaken = Phrase{ZH: "%s，不能用来恢复", EN: "%s: it is not taken"}
	// BackupNoGzip: a file of another kind.
	BackupNoGzip = Phrase{ZH: "这不是 homebot 的备份（不是 gzip 文件）", EN: "this is no backup of homebot (no gzip)"}
	// BackupNoManifest: an archive of somebody else: what ours begins with.
	BackupNoManifest = Phrase{ZH: "这不是 homebot 的备份（开头没有 %s）", EN: "this is no backup of homebot (it does not begin with %s)"}
	// BackupEnds: it is cut off before a file, and why.
	BackupEnds = Phrase{ZH: "备份到 %s 之前就断了（%s）", EN: "the backup ends before %s (%s)"}
	// BackupOtherFile: a file where the manifest has another.
	BackupOtherFile = Phrase{ZH: "备份里是 %q，清单上写的却是 %q", EN: "the backup holds %q where its manifest has %q"}
	// BackupDamagedIn: a file cannot be read, and why.
	BackupDamagedIn = Phrase{ZH: "备份坏了，坏在 %s（%s）", EN: "the backup is damaged in %s (%s)"}
	// BackupDamagedFile: a file with another checksum.
	BackupDamagedFile = Phrase{ZH: "备份坏了：%s 和存的时候不一样", EN: "the backup is damaged: %s is not what was saved"}
	// BackupExtraFile: a file that the manifest does not know.
	BackupExtraFile = Phrase{ZH: "备份里有清单上没有的 %q", EN: "the backup holds %q, which its manifest has not"}
	// BackupDamagedEndWhy: it is not whole, and why.
	BackupDamagedEndWhy = Phrase{ZH: "备份的结尾坏了（%s）", EN: "the backup is damaged at its end (%s)"}
	// BackupDamagedEnd: it is not whole.
	BackupDamagedEnd = Phrase{ZH: "备份的结尾坏了", EN: "the backup is damaged at its end"}
	// BackupManifestDamaged: the list of its files cannot be read, and why.
	BackupManifestDamaged = Phrase{ZH: "备份的清单坏了（%s）", EN: "the backup is damaged in its manifest (%s)"}
	// BackupManifestUnread: the list of its files is no JSON.
	BackupManifestUnread = Phrase{ZH: "备份坏了：清单读不懂", EN: "the backup is damaged: its manifest cannot be read"}
	// BackupNewer: it is of a later homebot.
	BackupNewer = Phrase{ZH: "备份的格式是 %d，这个 homebot 只认得 %d；请升级 homebot", EN: "the backup has format %d and this homebot reads %d; update homebot"}
	// BackupTooMany: more files than a workspace has.
	BackupTooMany = Phrase{ZH: "备份里有 %d 个文件，超过了 %d 个", EN: "the backup has %d files, more than %d"}
	// BackupOddName: a file that does not belong into a workspace.
	BackupOddName = Phrase{ZH: "备份里有个叫 %q 的文件，工作目录里不会有", EN: "the backup has a file with the name %q, which no workspace has"}
	// BackupOutOfOrder: a manifest that homebot did not write.
	BackupOutOfOrder = Phrase{ZH: "备份里 %q 的次序不对", EN: "the backup has %q out of order"}
	// BackupBelowFile: a name below a file.
	BackupBelowFile = Phrase{ZH: "备份里的 %q 在一个文件下面", EN: "the backup has %q below a file"}
	// BackupTooLarge: more than a workspace can be, in MB.
	BackupTooLarge = Phrase{ZH: "备份解开后超过 %d MB", EN: "the backup is larger than %d MB when unpacked"}
)
