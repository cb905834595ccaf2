// Package offline is an llm.Model that answers without a network, in Chinese and
// English: it switches run modes through the same switch_mode tool as any model
// (and so through the same gate), tells time and date, repeats, helps, and says
// of everything else that it cannot.
package offline

import (
	"context"
	"iter"
	"time"

	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/internal/text"
)

// Mode is a run mode as people name it: Names holds the display name and the
// aliases, in any language; Tools are the tools that are offered only in it.
type Mode struct {
	ID    string
	Names []string
	Tools []string
}

// Config is what the answers are made from. The zero value has the system clock
// and no modes.
type Config struct {
	Now   func() time.Time // nil means time.Now
	Modes func() []Mode    // asked anew for every request; nil means none
	// Dishes are the titles of the recipes there are. It is asked where recipes
	// are at hand, for words that are nothing else; nil means none.
	Dishes func() []string
	// Active is the ID of the active mode, "" for none. nil: it is not known.
	Active func() string
	// NoModel: no language model is configured, so nothing was tried.
	NoModel bool
}

// Model answers without a network. It is safe for several goroutines.
type Model struct{ cfg Config }

var _ llm.Model = (*Model)(nil)

// New makes a Model.
func New(c Config) *Model {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Modes == nil {
		c.Modes = func() []Mode { return nil }
	}
	if c.Dishes == nil {
		c.Dishes = func() []string { return nil }
	}
	return &Model{cfg: c}
}

// Markers that end a reply (V3).
const (
	proposeContinue = "[[continue]]"
	proposeEnd      = "[[end]]"
)

// reply is what a Model has to say: text with its marker, or tool calls.
type reply struct {
	text   string
	calls  []llm.ToolCall
	cannot bool // no more than that it cannot
}

// ends and asks make replies that end the dialogue and that wait for an answer.
func ends(text string) reply { return reply{text: text + proposeEnd} }
func asks(text string) reply { return reply{text: text + proposeContinue} }

// Stream implements llm.Model: some deltas of text that end in a marker (V3), or
// calls of tools. Its only error is ctx's. There is no usage: nothing
// was billed.
func (m *Model) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		if ctx.Err() != nil {
			yield(llm.Delta{}, ctx.Err())
			return
		}
		a := m.answer(r)
		for i := range a.calls {
			if !yield(llm.Delta{ToolCall: &a.calls[i]}, nil) {
				return
			}
		}
		for _, piece := range pieces(a.text) {
			if ctx.Err() != nil {
				yield(llm.Delta{}, ctx.Err())
				return
			}
			if !yield(llm.Delta{Text: piece}, nil) {
				return
			}
		}
	}
}

// Understands reports whether the answer to r is more than that it cannot.
func (m *Model) Understands(r llm.Request) bool { return !m.answer(r).cannot }

// answer decides what to say. A switch of mode in this turn comes first: what it
// did must be told, whoever called it.
func (m *Model) answer(r llm.Request) reply {
	t := readTurn(r.Messages)
	if a, ok := m.goesOn(r, t); ok {
		return a
	}
	if t.switched != nil || len(t.answered) > 0 {
		return m.tellAll(r, t)
	}
	said := plain(t.words)
	if said == "" {
		return asks(phrases.EmptyLine.In(t.lang))
	}
	if a, ok := m.modeWords(r, t, said); ok {
		return a
	}
	said = m.said(t)
	if bareCancel.MatchString(said) {
		if a, ok := callTool(r, t, cancelTimer, object()); ok {
			return a
		}
	}
	switch askedFor(said) {
	case askTime:
		return ends(m.time(t.lang))
	case askDate:
		return ends(m.date(t.lang, said))
	case askRepeat:
		return repeat(t)
	case askHelp:
		return asks(m.help(r, t.lang))
	case askThanks:
		return ends(phrases.OfflineWelcome.In(t.lang))
	case askStop:
		return ends(phrases.OfflineAllRight.In(t.lang))
	}
	if a, ok := m.timerWords(r, t); ok {
		return a
	}
	if a, ok := m.kitchenWords(r, t, said); ok {
		return a
	}
	cannot := m.sentence(phrases.OfflineCannot, phrases.NoModelCannot)
	if offers(r, cookStep) {
		cannot = m.sentence(phrases.OfflineCannotCooking, phrases.NoModelCannotCooking)
	}
	return reply{text: cannot.In(t.lang) + proposeEnd, cannot: true}
}

// said is what was said, cleaned of what is only heard, in the form of plain.
func (m *Model) said(t turn) string {
	if bare := plain(text.Heard(t.words, t.lang, text.Signals{})); bare != "" {
		return bare
	}
	return plain(t.words)
}

func (m *Model) time(lang string) string {
	spoken := text.EnglishTime
	if lang == text.Chinese {
		spoken = text.ChineseTime
	}
	return phrases.OfflineTime.In(lang, spoken(m.cfg.Now()))
}

func (m *Model) date(lang, said string) string {
	sentence, days := dayAsked(said)
	spoken := text.EnglishDate
	if lang == text.Chinese {
		spoken = text.ChineseDate
	}
	return sentence.In(lang, spoken(m.cfg.Now().AddDate(0, 0, days)))
}

// help says what works: in a mode how to leave it, else how to enter one.
func (m *Model) help(r llm.Request, lang string) string {
	if m.cfg.Active != nil && m.cfg.Active() != "" {
		leave := words(exit, modeOf(m.cfg.Modes(), m.cfg.Active()), lang)
		if offers(r, cookStep) {
			return m.sentence(phrases.OfflineHelpCooking, phrases.NoModelHelpCooking).In(lang, leave)
		}
		return m.sentence(phrases.OfflineHelp, phrases.NoModelHelp).In(lang, leave)
	}
	for _, mode := range m.cfg.Modes() {
		if name := nameIn(mode, lang); name != "" {
			return m.sentence(phrases.OfflineHelp, phrases.NoModelHelp).In(lang, phrases.ModeEnterWords.In(lang, name))
		}
	}
	return m.sentence(phrases.OfflineHelpNoModes, phrases.NoModelHelpNoModes).In(lang)
}

// sentence chooses by why there is no model to answer.
func (m *Model) sentence(noNetwork, noModel phrases.Phrase) phrases.Phrase {
	if m.cfg.NoModel {
		return noModel
	}
	return noNetwork
}

// pieceRunes is the length of one delta: short enough that markers are torn, as
// they are by any model.
const pieceRunes = 7

func pieces(s string) []string {
	var all []string
	for runes := []rune(s); len(runes) > 0; {
		n := min(pieceRunes, len(runes))
		all = append(all, string(runes[:n]))
		runes = runes[n:]
	}
	return all
}
