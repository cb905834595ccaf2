package console

import (
	"net/http"

	"homebot/internal/phrases"
)

// Talks makes the dialogues of browsers that have a microphone.
type Talks interface {
	Phrases() []string // that wake
}

// talk serves a browser's microphone.
func (c *Console) talk(http.ResponseWriter, *http.Request) error {
	free, ok := c.limits.take(true)
	if !ok {
		return refusal{http.StatusServiceUnavailable, "talks_busy", phrases.ConsoleTalksBusy, nil}
	}
	defer free()
	return refusal{http.StatusServiceUnavailable, "no_speech", phrases.ConsoleNoTalk, nil}
}
