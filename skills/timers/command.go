package timers

import (
	"context"
	"encoding/json"
	"time"

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
	Label string `json:"label,omitempty"` // set: with Seconds, instead of Words
	Timer string `json:"timer,omitempty"` // cancel: id or name
	All   bool   `json:"all,omitempty"`   // cancel

	Seconds int64 `json:"seconds,omitempty"` // set: a length

	Lang string `json:"lang,omitempty"` // of the answer
}

// maxSeconds is far above the longest timer, and fits into a time.Duration.
const maxSeconds = 1 << 31

// Do carries out a command. Any goroutine may call it.
func (d *Desk) Do(ctx context.Context, c Command) Result {
	lang := c.Lang
	if lang == "" {
		lang = text.Lang(c.Words+c.Timer+c.Label, d.lang)
	}
	ctx = skills.WithLang(ctx, lang)
	var out string
	switch c.Do {
	case DoList:
		out, _ = d.list(ctx, struct{}{})
	case DoSet:
		if c.Seconds > 0 {
			span := time.Duration(min(c.Seconds, maxSeconds)) * time.Second
			return d.result(d.order(Order{Label: clean(c.Label), Lang: lang, Span: span}, lang), lang)
		}
		return d.setAll(c.Words, lang)
	case DoCancel:
		out, _ = d.cancel(ctx, cancelIn{Timer: c.Timer, All: c.All})
	case DoStop:
		return d.stop(lang)
	default:
		return Result{Reason: "unknown", Say: d.Status(lang)}
	}
	return d.result(out, lang)
}

func (d *Desk) result(out, lang string) Result {
	var r Result
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		return Result{Reason: "unknown", Say: d.Status(lang)}
	}
	return r
}

// setAll sets every timer that words speak of; at the first that fails it stops.
func (d *Desk) setAll(words, lang string) Result {
	all, ok := text.ParseTimers(words, d.now())
	if !ok {
		return d.result(d.order(Order{Lang: lang}, lang), lang)
	}
	var sum Result
	for _, p := range all {
		if say, wrong := phrases.TimerFault(string(p.Fault), p.Label, lang); wrong {
			return Result{Reason: string(p.Fault), Say: say}
		}
		r := d.result(d.order(Order{Label: clean(p.Label), Lang: lang, Span: max(0, p.Span), At: p.At}, lang), lang)
		sum.OK, sum.Reason, sum.Timers = r.OK, r.Reason, append(sum.Timers, r.Timers...)
		if sum.Say != "" {
			sum.Say += " "
		}
		if sum.Say += r.Say; !r.OK {
			return sum
		}
	}
	return sum
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
