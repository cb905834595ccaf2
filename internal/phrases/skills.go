package phrases

// What is wrong with a SKILL.md, and the way out: told after the file and the line.
var (
	// SkillNoFile: a folder, a pipe or a device is in the place of a file.
	SkillNoFile = Phrase{ZH: "不是普通文件", EN: "is not a regular file"}
	// SkillTooLong: a file that is put into every request has no bounds.
	SkillTooLong = Phrase{ZH: "超过 %d 字节；请把细节移到单独的文件里", EN: "longer than %d bytes; move details into files of their own"}
	// SkillNotUTF8: a file in another encoding.
	SkillNotUTF8 = Phrase{ZH: "不是 UTF-8 文字；请把文件存成 UTF-8", EN: "not UTF-8 text; save the file as UTF-8"}
	// SkillNoHead: a SKILL.md without front matter.
	SkillNoHead = Phrase{ZH: "缺少文件头；文件要以一行 --- 开头，接着写 name: 和 description:，再写一行 ---", EN: "no front matter; begin the file with ---, name: and description:, then ---"}
	// SkillBareHead: a front matter that lacks one of its two keys.
	SkillBareHead = Phrase{ZH: "文件头里要有 name 和 description", EN: "the front matter needs name and description"}
	// SkillNoYAML: a front matter that is not YAML, and why (in English: the parser's own words).
	SkillNoYAML = Phrase{ZH: "不符合 YAML 的写法：%s", EN: "%s"}
)
