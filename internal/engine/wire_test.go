package engine

import (
	"context"
	"testing"

	"homebot/internal/phrases"
)

// What an engine refuses is told in the language of who asked; what is in one
// language only stays as it is.
func TestErrorsCrossTheSocketInBothLanguages(t *testing.T) {
	r := run(t, t.TempDir())
	for words, want := range map[string]phrases.Phrase{"full": phrases.DiskFull, "fail": {ZH: "workspace lost", EN: "workspace lost"}} {
		_, err := r.connect(t).Turn(context.Background(), Turn{Channel: "text", Text: words}, nil)
		if err == nil || err.Error() != want.EN || phrases.Told(err, phrases.Chinese) != want.ZH {
			t.Errorf("%s: %v, want %v", words, err, want)
		}
	}
}

// What is wrong with a request likewise.
func TestRefusalsInTheClientsLanguage(t *testing.T) {
	r := run(t, t.TempDir())
	for zh, ask := range map[string]func(c *Client) error{
		"正在运行的 homebot 没有声音（它是 chat，或者 run --no-sound）；请结束它，再启动 homebot run": func(c *Client) error { _, err := c.Control(Control{Do: DoStop}); return err },
		"正在运行的 homebot 答不了这个问题": func(c *Client) error { return c.Inspect("console/code", nil, &struct{}{}) },
		`没有操作 "fly"`:            func(c *Client) error { _, err := c.ask(request{Op: "fly"}); return err },
	} {
		if err := ask(r.connect(t)); err == nil || phrases.Told(err, phrases.Chinese) != zh || err.Error() == zh {
			t.Errorf("%v (%q), want %q", err, phrases.Told(err, phrases.Chinese), zh)
		}
	}
}
