package voice

import (
	"context"

	"homebot/internal/event"
)

// Announce speaks a sentence of the device's own in lang, when nobody talks:
// ErrBusy otherwise, and while the microphone is off nothing is said either. It
// is not recorded. Any goroutine may call it; it returns when the Loop has taken
// it.
func (l *Loop) Announce(ctx context.Context, text, lang string) error {
	var busy bool
	err := l.doIn(ctx, func(run context.Context) {
		if busy = l.state != event.Idle || l.current != nil; !busy {
			l.begin(run, announcement{text: text, next: End}, Turn{Lang: lang})
		}
	})
	if err == nil && busy {
		return ErrBusy
	}
	return err
}
