// Package phrases is the one catalogue of what homebot says to a person, each
// sentence in Chinese and in English.
//
// One exported variable is one sentence; it lives in the file named after the
// room that says it (agent.go, modes.go, engine.go, speech.go, …). Sentences are
// made for the ear: short, no jargon, what is wrong and then the way out. A test
// holds every sentence to the rules of Phrase.
package phrases

import "fmt"

// The two languages of the catalogue.
const (
	Chinese = "zh"
	English = "en"
)

// Phrase is one sentence in both languages. It may hold printf verbs; both
// languages then hold the same ones in the same order.
type Phrase struct{ ZH, EN string }

// In returns the sentence in lang ("zh"; anything else is English) with args put
// into its verbs.
func (p Phrase) In(lang string, args ...any) string {
	text := p.EN
	if lang == Chinese {
		text = p.ZH
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}
