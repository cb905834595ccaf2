package console

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"homebot/internal/contextmode"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/skills/timers"
	"homebot/voice"
)

// contextHeader tells how a turn's context was chosen (C4).
const contextHeader = "X-Homebot-Context"

// guest is the speaker nobody named.
const guest = "guest"

// turn lets the agent answer. What was begun is done, also when the page has
// gone: only the end of the console cancels it.
func (c *Console) turn(ctx context.Context, t voice.Turn, delta func(string)) (*Outcome, error) {
	t.Channel = voice.ChannelWeb
	if t.Speaker == "" {
		t.Speaker = guest
	}
	if t.Lang != "" && t.Lang != phrases.Chinese && t.Lang != phrases.English {
		return nil, badCommand(phrases.ConsoleOneOf, "lang", "zh, en")
	}
	r := &textReply{delta: delta}
	if err := c.Agent.Handle(ctx, t, r); err != nil {
		return nil, err
	}
	return outcomeOf(r.result), nil
}

// outcomeOf tells a page what comes next.
func outcomeOf(r voice.Result) *Outcome {
	o := &Outcome{
		ID: r.ID, Reply: r.Reply, Dialogue: event.Idle, ChatID: r.ChatID, Mode: r.Mode, Switch: r.Switches, Usage: r.Usage,
		Context: contextmode.HeaderValue(contextmode.Decision{
			Profile: contextmode.Profile(r.Profile), Reason: contextmode.Reason(r.ProfileReason), Table: r.Table,
		}, contextmode.Trimmed(r.Trimmed)),
		Latency: Latency{r.Latency.Queued.Milliseconds(), r.Latency.FirstToken.Milliseconds(), r.Latency.Total.Milliseconds()},
		Error:   r.Err,
	}
	if voice.After(r.Next, r.Reply, 0) {
		o.Dialogue = event.Listening
	}
	if o.Switch == nil {
		o.Switch = []voice.Switch{}
	}
	return o
}

// textReply is a reply that is read, not heard: all of it at once.
type textReply struct {
	delta  func(string)
	text   strings.Builder
	result voice.Result
}

var _ voice.Reply = (*textReply)(nil)

func (r *textReply) Write(s string) {
	r.text.WriteString(s)
	if r.delta != nil {
		r.delta(s)
	}
}

func (r *textReply) Finish(context.Context, voice.Next) (string, bool) {
	return strings.TrimSpace(r.text.String()), true
}

func (r *textReply) Done(res voice.Result) { r.result = res }

// cook moves through a recipe. It is a turn whose words stand on the button, so
// that touch and voice do the same and stand in the same log; the device answers
// it by itself, as it does without a network.
func (c *Console) cook(ctx context.Context, cmd command, delta func(string)) (*Outcome, error) {
	cmd = c.dishNamed(cmd)
	words, err := cookWords(cmd)
	if err != nil {
		return nil, err
	}
	if !c.cooks() && cmd.Action == "start" && c.Bus.Snapshot().Mode == nil { // the button says both
		if o, err := c.turn(ctx, voice.Turn{Speaker: cmd.Speaker, Text: phrases.ConsoleSayCooking.In(cmd.Lang), Lang: cmd.Lang, Direct: true}, nil); err != nil || o.Mode == nil {
			return o, err
		}
	}
	if !c.cooks() {
		return nil, refusal{http.StatusConflict, "not_cooking", phrases.ConsoleNotCooking, nil}
	}
	return c.turn(ctx, voice.Turn{Speaker: cmd.Speaker, Text: words, Lang: cmd.Lang, Direct: true}, delta)
}

// cooks reports whether the cooking mode is on.
func (c *Console) cooks() bool {
	m := c.Bus.Snapshot().Mode
	return m != nil && c.Kitchen != nil && c.Kitchen.Cooks(m.ID)
}

// dishNamed speaks of a recipe by its title, in its own language.
func (c *Console) dishNamed(cmd command) command {
	if cmd.Action != "start" || c.Kitchen == nil {
		return cmd
	}
	if r, _, err := c.Kitchen.Recipe(cmd.Recipe); err == nil {
		cmd.Recipe, cmd.Lang = r.Title, r.Lang
	}
	return cmd
}

// cookWords are what the buttons of the cooking page say.
func cookWords(cmd command) (string, error) {
	say := func(p phrases.Phrase, args ...any) (string, error) { return p.In(cmd.Lang, args...), nil }
	switch cmd.Action {
	case "next":
		return say(phrases.ConsoleSayNext)
	case "back":
		return say(phrases.ConsoleSayBack)
	case "repeat":
		return say(phrases.ConsoleSayRepeat)
	case "where":
		return say(phrases.ConsoleSayWhere)
	case "finish":
		return say(phrases.ConsoleSayFinish)
	case "goto":
		if cmd.Step < 1 || cmd.Step > 999 {
			return "", badCommand(phrases.ConsoleRange, "step", 1, 999)
		}
		return say(phrases.ConsoleSayGoto, cmd.Step)
	case "start":
		dish := strings.Join(strings.Fields(cmd.Recipe), " ")
		if dish == "" || len(dish) > 200 {
			return "", badCommand(phrases.ConsoleRecipeTitle)
		}
		if cmd.Servings > 0 {
			return say(phrases.ConsoleSayStartFor, dish, cmd.Servings)
		}
		return say(phrases.ConsoleSayStart, dish)
	}
	return "", badCommand(phrases.ConsoleOneOf, "action", "start, next, back, repeat, where, goto, finish")
}

// timer carries out an order about the timers.
func (c *Console) timer(ctx context.Context, cmd command) (timers.Result, error) {
	if c.Timers == nil {
		return timers.Result{}, refusal{http.StatusServiceUnavailable, "no_timers", phrases.ConsoleNoTimers, nil}
	}
	switch cmd.Action {
	case timers.DoSet, timers.DoCancel, timers.DoStop, timers.DoList:
	default:
		return timers.Result{}, badCommand(phrases.ConsoleOneOf, "action", "set, cancel, stop, list")
	}
	if len(cmd.Words)+len(cmd.Label) > 1<<10 {
		return timers.Result{}, badCommand(phrases.ConsoleLong, "words")
	}
	r := c.Timers.Do(ctx, timers.Command{
		Do: cmd.Action, Words: cmd.Words, Label: cmd.Label, Seconds: cmd.Seconds, Timer: cmd.Timer, All: cmd.All, Lang: cmd.Lang,
	})
	r.Timers = c.timerRows()
	return r, nil
}

// timerRows are never nil: pages count on a list.
func (c *Console) timerRows() []timers.Row {
	if c.Timers == nil {
		return []timers.Row{}
	}
	return append([]timers.Row{}, c.Timers.Rows()...)
}

// exitMode ends the active mode by a person's own act (R45).
func (c *Console) exitMode(ctx context.Context, action string) (*event.Mode, error) {
	if action != "exit" {
		return nil, badCommand(phrases.ConsoleOneOf, "action", "exit")
	}
	return c.Agent.ExitMode(ctx)
}

// deviceWait bounds an order to the device: its loop takes one within
// milliseconds, or is stuck.
const deviceWait = 5 * time.Second

// device carries out an order about the device's own sound.
func (c *Console) device(ctx context.Context, cmd command) error {
	if c.Device == nil {
		return refusal{http.StatusServiceUnavailable, "no_sound", phrases.ConsoleNoSound, nil}
	}
	ctx, cancel := context.WithTimeout(ctx, deviceWait)
	defer cancel()
	switch cmd.Action {
	case "mute":
		return c.Device.Mute(ctx, true)
	case "unmute":
		return c.Device.Mute(ctx, false)
	case "stop":
		return c.Device.Stop(ctx)
	case "repeat":
		return c.deviceError(c.Device.Repeat(ctx))
	case "volume":
		if cmd.Volume == nil || *cmd.Volume < 0 || *cmd.Volume > 100 {
			return badCommand(phrases.ConsoleRange, "volume", 0, 100)
		}
		return c.Device.SetVolume(ctx, *cmd.Volume)
	}
	return badCommand(phrases.ConsoleOneOf, "action", "mute, unmute, volume, stop, repeat")
}

// sound is the device's own as pages show it.
func (c *Console) sound(s event.State) Sound {
	return Sound{Present: c.Device != nil, Muted: s.Muted, Volume: s.Volume}
}

// postTurn is POST /api/v1/turns.
func (c *Console) postTurn(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		ID      string `json:"id"`
		Text    string `json:"text"`
		Speaker string `json:"speaker_id"`
		ChatID  string `json:"chat_id"`
		Lang    string `json:"lang"`
		Profile string `json:"profile"`
	}
	if err := c.body(w, r, maxBody, &in); err != nil {
		return err
	}
	t := voice.Turn{ID: in.ID, ChatID: in.ChatID, Speaker: in.Speaker, Text: in.Text, Lang: in.Lang, Profile: in.Profile}
	patient(w)
	if strings.Contains(r.Header.Get("Accept"), "application/x-ndjson") {
		return c.streamTurn(w, t)
	}
	o, err := c.turn(c.stopped, t, nil)
	if err != nil {
		return err
	}
	w.Header().Set(contextHeader, o.Context)
	reply(w, http.StatusOK, o)
	return nil
}

// streamTurn sends the reply as it is written, a line of JSON a piece.
func (c *Console) streamTurn(w http.ResponseWriter, t voice.Turn) error {
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Trailer", contextHeader)
	w.WriteHeader(http.StatusOK)
	out, control := json.NewEncoder(w), http.NewResponseController(w)
	o, err := c.turn(c.stopped, t, func(delta string) {
		_ = out.Encode(map[string]string{"delta": delta}) // who has gone hears nothing
		_ = control.Flush()
	})
	if err != nil {
		c.logFailure(doTurn, err)
		return out.Encode(map[string]any{"error": problemIn(err, t.Lang)})
	}
	w.Header().Set(contextHeader, o.Context)
	return out.Encode(map[string]any{"outcome": o})
}

// patient gives an answer time to be thought of.
func patient(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(turnTime))
}
