package timers

import (
	"context"
	"errors"
	"strings"
	"time"

	"homebot/internal/phrases"
	"homebot/internal/text"
	"homebot/skills"
)

// Names of the tools (R37).
const (
	ToolSet    = "set_timer"
	ToolChange = "change_timer"
	ToolCancel = "cancel_timer"
	ToolList   = "list_timers"
)

// Desk is the Book as it is spoken to.
type Desk struct {
	book *Book
	lang string // where a turn has none
}

// NewDesk returns the desk of a book; lang is spoken where no turn says
// otherwise.
func NewDesk(b *Book, lang string) *Desk { return &Desk{book: b, lang: lang} }

// Tools are the four tools of the timers.
func (d *Desk) Tools() []skills.Tool {
	return []skills.Tool{
		skills.NewTool(ToolSet,
			"Set a timer, or an alarm with at.", d.set),
		skills.NewTool(ToolChange,
			"Give a timer more or less time; pause or resume it. Without timer the only one.", d.changeTimer),
		skills.NewTool(ToolCancel,
			"Cancel a timer or alarm, or all; also ends a ring.", d.cancel),
		skills.NewTool(ToolList,
			"What is set and how long is left.", d.list),
	}
}

type setIn struct {
	Hours   float64 `json:"hours,omitempty"`
	Minutes float64 `json:"minutes,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	At      string  `json:"at,omitempty" jsonschema:"description=local HH:MM or YYYY-MM-DD HH:MM"`
	Label   string  `json:"label,omitempty" jsonschema:"description=what for in the user's words"`
}

type changeIn struct {
	Timer   string  `json:"timer,omitempty" jsonschema:"description=id or name"`
	Action  string  `json:"action" jsonschema:"required,enum=add,enum=pause,enum=resume"`
	Minutes float64 `json:"minutes,omitempty" jsonschema:"description=negative for less"`
	Seconds float64 `json:"seconds,omitempty"`
}

type cancelIn struct {
	Timer string `json:"timer,omitempty" jsonschema:"description=id or name"`
	All   bool   `json:"all,omitempty"`
}

// NoLength is a Result's Reason where neither a length nor a time was said.
const NoLength = "no_length"

// Result is what every tool answers. Say is the sentence that is true now.
type Result struct {
	OK     bool   `json:"ok"`
	Reason string `json:"reason,omitempty"` // which_one, unknown, past, too_long, too_many, no_length, not_saved
	Say    string `json:"say"`
	Timers []Row  `json:"timers,omitempty"`
}

// Row is one timer for the model and the command line.
type Row struct {
	ID      string `json:"id"`
	Label   string `json:"label,omitempty"`
	Left    int64  `json:"seconds_left"`
	RingsAt string `json:"rings_at"`
	State   string `json:"state"` // running, paused, ringing
	Kind    string `json:"kind"`  // timer, alarm
}

func (d *Desk) row(l Left) Row {
	r := Row{ID: l.ID, Label: l.Label, Left: int64(max(0, l.Left) / time.Second), State: "running", Kind: "timer"}
	r.RingsAt = d.now().Add(l.Left).Format(time.RFC3339)
	if l.Alarm() {
		r.Kind, r.RingsAt = "alarm", l.Due.In(d.now().Location()).Format(time.RFC3339)
	}
	switch {
	case l.Ringing():
		r.State = "ringing"
	case l.Paused > 0:
		r.State = "paused"
	}
	return r
}

// Rows lists what is set.
func (d *Desk) Rows() []Row {
	var rows []Row
	for _, l := range d.book.List() {
		rows = append(rows, d.row(l))
	}
	return rows
}

func (d *Desk) now() time.Time { return d.book.cfg.Now() }

func (d *Desk) set(ctx context.Context, in setIn) (string, error) {
	lang := skills.LangOf(ctx, d.lang)
	o := Order{Label: clean(in.Label), Lang: lang}
	o.Span = time.Duration((in.Hours*3600+in.Minutes*60+in.Seconds)*1000) * time.Millisecond
	if o.Span == 0 && in.At != "" {
		at, err := d.readAt(in.At)
		if err != nil {
			return "", err
		}
		o.At = at
	}
	return d.order(o, lang), nil
}

func (d *Desk) order(o Order, lang string) string {
	t, err := d.book.Set(o)
	if err != nil {
		return d.refuse(err, lang, "")
	}
	return d.confirm(saySet(t, d.now(), lang), t)
}

// readAt reads a time as tools write it: of today or, when that is over, of
// tomorrow; with a date exactly that.
func (d *Desk) readAt(s string) (time.Time, error) {
	now := d.now()
	if at, err := time.Parse(time.RFC3339, s); err == nil {
		return at.In(now.Location()), nil
	}
	for _, layout := range []string{"2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
		if at, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return at, nil
		}
	}
	at, err := time.Parse("15:04", s)
	if err != nil {
		return time.Time{}, errors.New("at must be HH:MM or YYYY-MM-DD HH:MM")
	}
	y, m, day := now.Date()
	t := time.Date(y, m, day, at.Hour(), at.Minute(), 0, 0, now.Location())
	if !t.After(now) {
		t = time.Date(y, m, day+1, at.Hour(), at.Minute(), 0, 0, now.Location())
	}
	return t, nil
}

func clean(label string) string { return strings.Join(strings.Fields(label), " ") }

func (d *Desk) changeTimer(ctx context.Context, in changeIn) (string, error) {
	lang := skills.LangOf(ctx, d.lang)
	by := (time.Duration((in.Minutes*60+in.Seconds)*1000) * time.Millisecond).Round(time.Second)
	l, refusal := d.pick(in.Timer, lang, func(l Left) bool {
		switch in.Action {
		case "pause":
			return !l.Alarm() && l.Paused == 0 && !l.Ringing()
		case "resume":
			return l.Paused > 0
		}
		return true
	})
	if refusal != "" {
		return refusal, nil
	}
	var t Timer
	var err error
	switch in.Action {
	case "add":
		if by == 0 {
			return d.refuse(ErrNoLength, lang, ""), nil
		}
		t, err = d.book.Add(l.ID, by)
	case "pause":
		t, err = d.book.Pause(l.ID)
	case "resume":
		t, err = d.book.Resume(l.ID)
	default:
		return "", errors.New("action must be add, pause or resume")
	}
	if err != nil {
		return d.refuse(err, lang, in.Timer), nil
	}
	return d.confirm(d.sayChange(t, in.Action, by, lang), t), nil
}

func (d *Desk) sayChange(t Timer, action string, by time.Duration, lang string) string {
	left, name := sayLeft(t.left(d.book.read()), lang), t.name(lang)
	switch {
	case action == "pause":
		return phrases.TimerPaused.In(lang, name, left)
	case action == "resume":
		return phrases.TimerResumed.In(lang, name, left)
	case t.Alarm():
		return phrases.AlarmMoved.In(lang, name, text.SayMoment(t.Due, d.now(), lang))
	case by < 0:
		return phrases.TimerShortened.In(lang, name, text.SaySpan(-by, lang), left)
	}
	return phrases.TimerAdded.In(lang, name, text.SaySpan(by, lang), left)
}

func (d *Desk) cancel(ctx context.Context, in cancelIn) (string, error) {
	lang := skills.LangOf(ctx, d.lang)
	if in.All {
		return d.cancelAll(lang), nil
	}
	l, refusal := d.pick(in.Timer, lang, func(Left) bool { return true })
	if refusal != "" {
		return refusal, nil
	}
	gone, err := d.book.Cancel(l.ID)
	if err != nil {
		return d.refuse(err, lang, in.Timer), nil
	}
	return d.confirm(phrases.TimerCancelled.In(lang, gone[0].name(lang)), gone...), nil
}

func (d *Desk) cancelAll(lang string) string {
	var ids []string
	for _, l := range d.book.List() {
		ids = append(ids, l.ID)
	}
	if len(ids) == 0 {
		return d.confirm(phrases.TimersNone.In(lang))
	}
	gone, err := d.book.Cancel(ids...)
	if err != nil {
		return d.refuse(err, lang, "")
	}
	return d.confirm(phrases.TimersCancelled.In(lang), gone...)
}

func (d *Desk) list(ctx context.Context, _ struct{}) (string, error) {
	lang := skills.LangOf(ctx, d.lang)
	return skills.Answer(Result{OK: true, Say: d.Status(lang), Timers: d.Rows()}), nil
}

// Status says in one sentence what is set.
func (d *Desk) Status(lang string) string { return sayList(d.book.List(), d.now(), lang) }

func (d *Desk) confirm(say string, ts ...Timer) string {
	r := Result{OK: true, Say: say}
	read := d.book.read()
	for _, t := range ts {
		r.Timers = append(r.Timers, d.row(Left{t, t.left(read)}))
	}
	return skills.Answer(r)
}

// refuse says why nothing was changed.
func (d *Desk) refuse(err error, lang, named string) string {
	r := Result{Reason: "unknown"}
	switch {
	case errors.Is(err, ErrNotSaved):
		r.Reason, r.Say = "not_saved", phrases.TimerNotSaved.In(lang)
	case errors.Is(err, ErrNoLength):
		r.Reason, r.Say = NoLength, phrases.TimerNoLength.In(lang)
	case errors.Is(err, ErrPast):
		r.Reason, r.Say = "past", phrases.TimerPast.In(lang)
	case errors.Is(err, ErrTooLong):
		r.Reason, r.Say = "too_long", phrases.TimerTooLong.In(lang)
	case errors.Is(err, ErrTooMany):
		r.Reason, r.Say = "too_many", phrases.TimersTooMany.In(lang)
	default:
		r.Say = d.Status(lang)
		if named != "" {
			r.Say = phrases.TimerUnknown.In(lang, cleanLabel(named), r.Say)
		}
	}
	return skills.Answer(r)
}
