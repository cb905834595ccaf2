package agent

import (
	"strings"

	"homebot/internal/lazyregexp"
	"homebot/internal/text"
)

// A claim is what the device says of itself and of now. Advice (想做饭的话，打开做
// 饭模式就好了) and what is told in a tale use the same verbs and claim nothing.
var (
	// conditions make advice of what follows them, advises of the clause they are in.
	conditions = lazyregexp.New(`[^你您我]的话|如果|要是|只要|等(你|您)|(你|您)(就|先|可以|只|随时)*(说|讲)(一声|["“「『])|\b(if|whenever|once|as soon as)\b`)
	advises    = lazyregexp.New(`^.{0,6}(你|您)(可以|随时)|就(好|行|可以|能|够)了?[。！!]?$|即可|说["“「『]|(以后|之后|的时候)($|你|您|就|再)|^(\w+ ){0,2}(you can|you could|you may)\b|\b(by \w+ing|start by)\b`)
	// ownDeed marks what the device did itself, in advice too; notOwnDeed are words
	// that only look like that.
	ownDeed    = lazyregexp.New(`我|已|(帮|给|为)(你|您)|这就|正在|成功|\b(i|i've|i'm|we've)\b`)
	notOwnDeed = strings.NewReplacer("我就", "", "我建议", "", "我觉得", "", "我想", "", "我们", "", "告诉我", "", "跟我说", "", "对我说", "", "和我说", "", "叫我", "", "让我", "")
	// otherDeed is a switch that somebody else made, ownDevice are those that are
	// none.
	otherDeed = lazyregexp.New(`[^我已帮给为您你的]{2,}(打开|开启|启动|启用|进入|切换到|关闭|关掉|退出|结束|离开)了[^。！？]{0,8}模式|` +
		`\b(he|she|they|who|the \w+|an? \w+)( (had|has|have|then|just|\w+ly))* (opened|entered|activated|enabled|launched|started|switched|closed|exited|left|ended|turned)\b`)
	ownDevice = lazyregexp.New(`^(好的?|好嘞|没问题|现在|刚刚?|马上|成功|顺利|就|先|也|都|这边|系统|设备)*(打开|开启|启动|启用|进入|切换到|关闭|关掉|退出|结束|离开)|\bthe (\w+ )?(mode|session|device|system)\b`)
	// wantsTale marks words that ask for a tale.
	wantsTale = lazyregexp.New(`故事|童话|寓言|笑话|段子|相声|绕口令|诗|剧本|\b(story|stories|tales?|fable|joke|poem)\b`)
	// ownTale marks what is said beside a tale; quoted are others' words in it.
	ownTale = lazyregexp.New(`我|(帮|给|为)(你|您)|^(好的?|好嘞|行|没问题|搞定)[,，。]|\b(i|i've|i'm|i'll|my)\b`)
	quoted  = lazyregexp.New(`“[^”]*”|「[^」]*」|『[^』]*』|"[^"]*"`)
)

// ownClauses are the clauses of a sentence that may be the device's word of itself,
// in the form in which claims are looked for.
func ownClauses(sentence string) []string {
	var own []string
	conditional := false
	for _, c := range clauses(sentence) {
		conditional = conditional || conditions.MatchString(c)
		if !conditional && !advises.MatchString(c) || ownDeed.MatchString(notOwnDeed.Replace(c)) {
			own = append(own, c)
		}
	}
	return own
}

// othersDeed reports whether a clause tells of a mode that somebody else switched.
func othersDeed(clause string) bool {
	return otherDeed.MatchString(clause) && !ownDevice.MatchString(clause)
}

// tells reports whether a tale was asked for.
func (t *turn) tells() bool { return wantsTale.MatchString(t.plain()) }

// besideTale is what the device itself says in a reply that tells a tale.
func besideTale(reply string) string {
	var own strings.Builder
	for _, s := range text.Sentences(quoted.ReplaceAllString(reply, "")) {
		if ownTale.MatchString(text.JoinHan(text.Normalize(strings.TrimSpace(s)))) {
			own.WriteString(s)
		}
	}
	return own.String()
}
