package timers

import (
	"context"
	"encoding/json"

	"homebot/internal/phrases"
	"homebot/internal/text"
	"homebot/skills"
)

// What a Command may do.
const (
	DoList   = "list"
	DoSet    = "set"
	DoCancel = "cancel"
	DoStop   = "stop"
)

// Command is an order that comes not from a dialogue but from a person's own act
// on the command line, the console or a button.
type Command struct {
	Do    string `json:"do"`
	Words string `json:"words,omitempty"` // set: 鸡蛋八分钟
	Timer string `json:"timer,omitempty"` // cancel: id or name
	All   bool   `json:"all,omitempty"`   // cancel
	Lang  string `json:"lang,omitempty"`  // of the answer
}

// Do carries out a command. Any goroutine may call it.
func (d *Desk) Do(ctx context.Context, c Command) Result {
	lang := c.Lang
	if lang == "" {
		lang = text.Lang(c.Words+c.Timer, d.lang)
	}
	ctx = skills.WithLang(ctx, lang)
	var out string
	switch c.Do {
	case DoList:
		out, _ = d.list(ctx, struct{}{})
	case DoSet:
		p, _ := text.ParseTimer(c.Words, d.now())
		out = d.order(Order{Label: clean(p.Label), Lang: lang, Span: max(0, p.Span), At: p.At}, lang)
	case DoCancel:
		out, _ = d.cancel(ctx, cancelIn{Timer: c.Timer, All: c.All})
	case DoStop:
		return d.stop(lang)
	default:
		return Result{Reason: "unknown", Say: d.Status(lang)}
	}
	var r Result
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		return Result{Reason: "unknown", Say: d.Status(lang)}
	}
	return r
}

func (d *Desk) stop(lang string) Result {
	stopped, err := d.Silence()
	switch {
	case err != nil:
		return Result{Reason: "not_saved", Say: phrases.TimerNotSaved.In(lang)}
	case !stopped:
		return Result{OK: true, Say: phrases.NothingRings.In(lang)}
	}
	return Result{OK: true, Say: phrases.TimerStopped.In(lang)}
}
