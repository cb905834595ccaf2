package contextmode

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The importance of items (C5).
const (
	ImportanceFact   = 1.0 // a confirmed fact
	ImportanceDetail = 0.7 // a turn with a timer, an amount or an allergy
	ImportanceTurn   = 0.5 // any other turn; an unconfirmed session item
	ImportanceTalk   = 0.2 // small talk, a failed turn
)

// Importance is the fact's.
func (f Fact) Importance() float64 {
	if f.Unconfirmed {
		return ImportanceTurn
	}
	return ImportanceFact
}

// Importance is the turn's: by plain words of both languages in what was said and
// replied, no model. It errs on the side of keeping: "分钟" in a joke counts as an
// amount.
func (t *Turn) Importance() float64 {
	switch {
	case t.Failed:
		return ImportanceTalk
	case hasDetail(t.User), hasDetail(t.Assistant):
		return ImportanceDetail
	case isSmallTalk(t.User):
		return ImportanceTalk
	}
	return ImportanceTurn
}

// detailWords tell of a timer or an allergy. An amount is told by its number.
var detailWords = []string{
	"计时", "定时", "闹钟", "提醒", "过敏", "忌口", "不能吃", "不吃", "不能碰", "起疹", "乳糖不耐",
	"timer", "alarm", "remind", "allerg", "intoleran", "can't eat", "cannot eat", "can not eat", "doesn't eat", "don't eat",
}

func hasDetail(s string) bool {
	for _, w := range detailWords {
		if containsFold(s, w) {
			return true
		}
	}
	for n := range amounts(s) {
		if n.unit != "" {
			return true
		}
	}
	return false
}

// containsFold reports whether s holds word, which is lower case, ASCII letters
// of s folded. It allocates nothing.
func containsFold(s, word string) bool {
	if word[0] >= utf8.RuneSelf {
		return strings.Contains(s, word)
	}
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// smallTalk is what a turn without content is made of; taken away, nothing is
// left.
var smallTalk = map[string]bool{
	"嗯": true, "好": true, "好的": true, "嗯好的": true, "好吧": true, "行": true, "可以": true, "知道了": true, "明白": true, "明白了": true,
	"谢谢": true, "谢谢你": true, "多谢": true, "辛苦了": true, "不客气": true, "你好": true, "您好": true, "早上好": true, "晚上好": true,
	"哈哈": true, "哈哈哈": true, "真棒": true, "太好了": true, "真不错": true, "晚安": true, "再见": true, "拜拜": true, "没事": true, "哦": true, "对": true,
	"ok": true, "okay": true, "yes": true, "yeah": true, "fine": true, "thanks": true, "thank you": true, "thank you very much": true,
	"hello": true, "hi": true, "hey": true, "good": true, "great": true, "nice": true, "cool": true, "bye": true, "goodbye": true,
	"good morning": true, "good evening": true, "good night": true, "got it": true, "i see": true, "well done": true, "alright": true,
}

// isSmallTalk reports whether s holds nothing but pleasantries.
func isSmallTalk(s string) bool {
	if len(s) > 64 {
		return false
	}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return unicode.IsPunct(r) && r != '\'' }) {
		part = strings.TrimSpace(part)
		if part != "" && !smallTalk[part] && !smallTalk[strings.ToLower(part)] {
			return false
		}
	}
	return true
}
