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
)

// Mode is a run mode as people name it: Names holds the display name and the
// aliases, in any language.
type Mode struct {
	ID    string
	Names []string
}

// Config is what the answers are made from. The zero value has the system clock
// and no modes.
type Config struct {
	Now   func() time.Time // nil means time.Now
	Modes func() []Mode    // asked anew in every turn; nil means none
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
	return &Model{cfg: c}
}

// Stream implements llm.Model. Its only error is ctx.Err().
func (m *Model) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {}
}

// Phrase is one set phrase that a closed-grammar recogniser should know. Phrases
// of one Kin may sound alike.
type Phrase struct{ Text, Lang, Kin string }

// Phrases lists the set phrases understood in lang ("zh" or "en"), without those
// of the modes.
func Phrases(lang string) []Phrase { return nil }
