package modes

import "homebot/internal/text"

// SetPhrase is something people say to a mode, for a recogniser that knows set
// phrases only.
// Those of one Kin mean the same and may sound alike.
type SetPhrase struct{ Text, Lang, Kin string }

// setVerbs are the verbs of the set phrases: the plainest of those the gate
// accepts. A recogniser of set phrases pays for each one with attention.
var setVerbs = map[string][]string{
	"zh": {"打开", "进入", "开始", "退出", "关闭", "结束"},
	"en": {"open ", "start ", "enter ", "exit ", "close ", "leave ", "stop "},
}

// Phrases lists what enters and leaves the modes of the catalogue, in both
// languages.
func (c *Catalogue) Phrases() []SetPhrase {
	var all []SetPhrase
	for _, m := range c.Modes {
		for _, name := range m.Names() {
			lang := "en"
			if text.HasHan(name) {
				lang = "zh"
			}
			for _, verb := range setVerbs[lang] {
				all = append(all, SetPhrase{Text: verb + name, Lang: lang, Kin: m.ID + " " + verb})
			}
		}
	}
	return all
}
