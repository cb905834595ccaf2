package console

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"

	"homebot/internal/phrases"
	"homebot/skills/timers"
	"homebot/voice"
)

// What a command may do.
const (
	doTurn   = "turn"
	doTimer  = "timer"
	doCook   = "cook"
	doMode   = "mode"
	doDevice = "device"
	doPing   = "ping"
)

// command is an order from a page: one message of its websocket.
type command struct {
	ID       string `json:"id"` // of the page's own making, to tell answers apart
	Do       string `json:"do"`
	Action   string `json:"action"`
	Text     string `json:"text"`
	Speaker  string `json:"speaker_id"`
	ChatID   string `json:"chat_id"`
	Lang     string `json:"lang"`
	Profile  string `json:"profile"`
	TurnID   string `json:"turn_id"`
	Words    string `json:"words"`
	Label    string `json:"label"`
	Seconds  int64  `json:"seconds"`
	Timer    string `json:"timer"`
	All      bool   `json:"all"`
	Recipe   string `json:"recipe"`
	Servings int    `json:"servings"`
	Step     int    `json:"step"`
	Volume   *int   `json:"volume"`
}

// maxID bounds a command's id, which comes back with each answer.
const maxID = 64

// parseCommand reads one message of a page. The error is a refusal; the command
// beside it has the ID if there was one.
func parseCommand(data []byte) (command, error) {
	var cmd command
	d := json.NewDecoder(bytes.NewReader(data))
	err := d.Decode(&cmd)
	if len(cmd.ID) > maxID {
		return command{}, badCommand(phrases.ConsoleLong, "id")
	}
	if err != nil {
		return command{ID: cmd.ID}, badJSON(err) // a field of the wrong type does not hide the others
	}
	if d.More() {
		return command{}, badJSON(nil)
	}
	switch cmd.Do {
	case doTurn, doTimer, doCook, doMode, doDevice, doPing:
		return cmd, nil
	}
	return cmd, badCommand(phrases.ConsoleOneOf, "do", "turn, timer, cook, mode, device, ping")
}

func badCommand(what phrases.Phrase, args ...any) error {
	return refusal{http.StatusBadRequest, "bad_request", what, args}
}

// badJSON says which field of a request is of the wrong type; err is of
// encoding/json. Anything else is no object, or more than one.
func badJSON(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) || wrong.Field == "" {
		return badCommand(phrases.ConsoleNotJSON)
	}
	takes := phrases.ConsoleTakesObject
	switch wrong.Type.Kind() {
	case reflect.String:
		takes = phrases.ConsoleTakesText
	case reflect.Bool:
		takes = phrases.ConsoleTakesBool
	case reflect.Slice:
		takes = phrases.ConsoleTakesList
	case reflect.Int, reflect.Int64:
		takes = phrases.ConsoleTakesNumber
	}
	return badCommand(takes, wrong.Field)
}

// result ends a command.
type result struct {
	Type    string       `json:"type"` // "result"
	ID      string       `json:"id"`
	OK      bool         `json:"ok"`
	Say     string       `json:"say,omitempty"`
	Outcome *Outcome     `json:"outcome,omitempty"`
	Timers  []timers.Row `json:"timers,omitempty"`
	Cooking *Cooking     `json:"cooking,omitempty"`
	Error   *problem     `json:"error,omitempty"`
}

// deltaMessage is more of a reply.
type deltaMessage struct {
	Type string `json:"type"` // "delta"
	ID   string `json:"id"`
	Text string `json:"text"`
}

func problemIn(err error, lang string) *problem {
	var e refusal
	if !errors.As(err, &e) {
		e = refusal{http.StatusInternalServerError, "failed", phrases.ConsoleFailed, nil}
	}
	return &problem{e.code, e.in(lang)}
}

// do carries out a command. It runs on a goroutine of its own; delta gets the
// reply of a turn as it is written.
func (c *Console) do(ctx context.Context, cmd command, lang string, delta func(string)) result {
	if cmd.Lang == "" && cmd.Do != doTurn { // a Chinese page may be typed English into
		cmd.Lang = lang
	}
	out := result{Type: "result", ID: cmd.ID, OK: true}
	var err error
	switch cmd.Do {
	case doTurn:
		out.Outcome, err = c.turn(ctx, voice.Turn{
			ID: cmd.TurnID, ChatID: cmd.ChatID, Speaker: cmd.Speaker, Text: cmd.Text, Lang: cmd.Lang, Profile: cmd.Profile,
		}, delta)
	case doCook:
		out.Outcome, err = c.cook(ctx, cmd, delta)
		out.Cooking = c.hub.readCooking()
	case doTimer:
		var r timers.Result
		r, err = c.timer(ctx, cmd)
		out.OK, out.Say, out.Timers = r.OK, r.Say, r.Timers
		if err == nil && !r.OK {
			out.Error = &problem{r.Reason, r.Say}
		}
	case doMode:
		_, err = c.exitMode(ctx, cmd.Action)
	case doDevice:
		err = c.device(ctx, cmd)
	}
	if err != nil {
		c.logFailure(cmd.Do, err)
		out.OK, out.Error = false, problemIn(err, lang)
	}
	return out
}

func (c *Console) logFailure(what string, err error) {
	var e refusal
	if errors.As(err, &e) {
		c.meters.refused(e.code)
		return
	}
	c.Log.Error("a page's command failed", "command", what, "err", err)
}
