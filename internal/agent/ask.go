package agent

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/internal/store"
	"homebot/internal/text"
	"homebot/skills"
	"homebot/voice"
)

// Bounds of one turn: no real request needs more, and a model that loops must
// not spend the family's money.
const (
	maxRounds = 8 // requests
	maxCalls  = 8 // tool calls of one answer that are carried out
)

// answer is what the model said to one request.
type answer struct {
	raw   string // its text as it came
	calls []llm.ToolCall
	next  text.Marker
}

// ask sends one request and speaks its text as it comes. While a switch of mode
// is in the air the text is held back until it is clear that no tool call
// follows: what was said before a tool ran might not be true after it.
func (t *turn) ask(ctx context.Context, msgs []llm.Message) (answer, error) {
	var out answer
	var raw, held strings.Builder
	var marker text.MarkerParser
	hold := t.mayClaimSwitch() || t.holdsTimers() || t.loudness.asked || t.deviceAsked()
	speak := func(s string) {
		if hold {
			held.WriteString(s)
		} else {
			t.writeRound(s)
		}
	}
	t.fresh = true
	var failure error
	began := time.Now()
	if t.result.Latency.Request == 0 && !t.offline {
		t.result.Latency.Request = max(1, began.Sub(t.began))
	}
	limited, done := context.WithTimeoutCause(ctx, t.view.table.Spec(t.view.profile()).Timeout, errSlowProfile)
	defer done()
stream:
	for d, err := range t.model().Stream(limited, llm.Request{Messages: msgs, Tools: json.RawMessage(t.toolsSent), CacheKey: t.id}) {
		switch {
		case err != nil:
			failure = err
		case d.ToolCall != nil:
			out.calls = append(out.calls, *d.ToolCall)
		case d.Usage != nil:
			t.addUsage(*d.Usage)
			t.learn(msgs, *d.Usage)
		case d.Text != "":
			t.waited(raw.Len(), began)
			piece, whole := t.taken(d.Text)
			raw.WriteString(piece)
			speak(marker.Write(piece))
			if !whole {
				failure = errEndless
				break stream
			}
		}
	}
	speak(marker.Close())
	out.raw, out.next = raw.String(), marker.Next()
	if len(out.calls) == 0 || !hold {
		t.release(&out, held.String())
	}
	failure = tooLong(ctx, limited, failure)
	if failure == nil && out.raw == "" && len(out.calls) == 0 {
		failure = llm.ErrNonsense
	}
	return out, failure
}

// release speaks what was held back, or what is true instead of it (V9).
func (t *turn) release(out *answer, held string) {
	if fix := t.checkTimers(held); fix != "" {
		t.cfg.Logger.Warn("a reply claimed what no tool confirmed", "turn", t.ID, "reply", held)
		held, out.raw = fix, fix+out.next.String()
		t.timers.corrected = true
	}
	if fix := t.checkVolume(held); fix != "" {
		t.cfg.Logger.Warn("a reply claimed a loudness that no tool set", "turn", t.ID, "reply", held)
		held, out.raw = fix, fix+out.next.String()
	}
	if fix := t.checkMode(held); fix != "" {
		t.cfg.Logger.Warn("a reply claimed a switch of mode that there was not", "turn", t.ID, "reply", held)
		held, out.raw = fix, fix+out.next.String()
	}
	if fix := t.checkDevice(held); fix != "" {
		t.cfg.Logger.Warn("a reply claimed what the device did not do", "turn", t.ID, "reply", held)
		held, out.raw = fix, fix+out.next.String()
	}
	t.writeRound(held)
	t.keepRaw(out.raw)
}

// writeRound speaks text of one answer, on a line of its own after what an
// earlier answer said.
func (t *turn) writeRound(s string) {
	if s == "" {
		return
	}
	if t.fresh && t.said.Len() > 0 {
		s = "\n" + s
	}
	t.fresh = false
	t.write(s)
}

// keepRaw keeps the text to replay, marker included (R36).
func (t *turn) keepRaw(s string) {
	if t.raw.Len() > 0 && s != "" {
		t.raw.WriteString("\n")
	}
	t.raw.WriteString(s)
}

func (t *turn) model() llm.Model {
	if t.offline {
		return t.cfg.Offline
	}
	return t.cfg.Model
}

func (t *turn) addUsage(u llm.Usage) {
	t.result.Usage.Prompt += u.Prompt
	t.result.Usage.Cached += u.Cached
	t.result.Usage.Completion += u.Completion
}

// answersItself: a button was pressed whose words the device understands. The
// model would say the same, later; it sees the turn with the next one.
func (t *turn) answersItself(msgs []llm.Message) bool {
	return t.Direct && t.cfg.Offline != nil && t.cfg.Offline.Understands(llm.Request{Messages: msgs, Tools: t.toolsSent})
}

// toFallback goes over to the answers that need no network, when the model is
// out of reach or makes no sense, nothing was said yet, and they have something to say.
func (t *turn) toFallback(ctx context.Context, msgs []llm.Message, err error) bool {
	out := errors.Is(err, llm.ErrUnreachable) || errors.Is(err, llm.ErrRefused) || errors.Is(err, llm.ErrSlow) ||
		errors.Is(err, llm.ErrNonsense) // the page of a network that wants a login, too
	if !out || t.offline || ctx.Err() != nil || t.said.Len() > 0 || t.cfg.Offline == nil {
		return false
	}
	if !t.cfg.Offline.Understands(llm.Request{Messages: msgs, Tools: t.toolsSent}) {
		return false
	}
	t.cfg.Logger.Warn("model failed, answering offline", "turn", t.ID, "err", err)
	t.offline = true
	code, p, _ := t.failure(err)
	t.refuse(code, p)
	return true
}

// fail ends the reply after a model's error with one true sentence (R10).
func (t *turn) fail(ctx context.Context, err error) {
	if ctx.Err() != nil {
		t.failed = conversation.FailedInterrupted
		t.cutOff(ctx)
		return
	}
	t.failWith(err)
}

// cutOff tells why ctx ended the turn. Who spoke into a reply knows.
func (t *turn) cutOff(ctx context.Context) {
	switch {
	case errors.Is(context.Cause(ctx), errGaveWay):
		t.refuse("cancelled", phrases.TurnWaitedTooLong)
	case t.Channel == voice.ChannelVoice:
		t.result.Err = &voice.TurnError{Code: "cancelled"}
	default:
		t.refuse("cancelled", phrases.TurnStopped)
	}
}

func (t *turn) failWith(err error) {
	t.cfg.Logger.Warn("model failed", "turn", t.ID, "err", err)
	code, p, failed := t.failure(err)
	t.failed = failed
	t.refuse(code, p)
	t.sayFailure(p)
}

// sayFailure says what was done after all, then what failed.
func (t *turn) sayFailure(p phrases.Phrase) {
	s := p.In(t.Lang)
	if t.note != "" {
		s = t.note + " " + s
	}
	t.say(s)
}

// failure gives a model's error its code, its sentence and its name in the
// record.
func (t *turn) failure(err error) (code string, p phrases.Phrase, failed string) {
	switch {
	case errors.Is(err, llm.ErrUnreachable) && t.said.Len() > 0:
		return "llm_unreachable", phrases.LLMBroken, conversation.FailedNetwork
	case errors.Is(err, llm.ErrUnreachable):
		return "llm_unreachable", phrases.LLMDown, conversation.FailedNetwork
	case errors.Is(err, llm.ErrBusy):
		return "llm_refused", phrases.LLMBusy, conversation.FailedLLM
	case errors.Is(err, llm.ErrRefused):
		return "llm_refused", phrases.LLMRefused, conversation.FailedLLM
	case errors.Is(err, llm.ErrSlow):
		return "llm_slow", phrases.LLMSlow, conversation.FailedLLM
	default:
		return "llm_nonsense", phrases.LLMNonsense, conversation.FailedLLM
	}
}

// callAll runs the tools of one answer in order; each call has a result, also
// when the turn was cancelled meanwhile (C22).
func (t *turn) callAll(ctx context.Context, calls []llm.ToolCall) []llm.Message {
	msgs := make([]llm.Message, len(calls))
	for i, c := range calls {
		msgs[i] = llm.Message{Role: llm.ToolRole, ToolCallID: c.ID, Content: t.call(ctx, i, c)}
	}
	return msgs
}

func (t *turn) call(ctx context.Context, i int, c llm.ToolCall) string {
	tool, known := t.tools.Lookup(c.Name)
	switch {
	case ctx.Err() != nil:
		return failed(phrases.ToolCancelled.In(t.Lang))
	case i >= maxCalls:
		return failed(phrases.TooManyRounds.In(t.Lang))
	case !slices.Contains(t.names, c.Name):
		return failed(phrases.ToolUnknown.In(t.Lang, c.Name))
	case !known:
		return failed(phrases.ToolUnavailable.In(t.Lang, c.Name))
	}
	out := tool.Call(t.scope(ctx), json.RawMessage(c.Arguments))
	t.noteTimer(c, out)
	t.noteVolume(c, out)
	t.cfg.Logger.Info("tool", "turn", t.ID, "tool", c.Name, "result", out)
	return out
}

func failed(reason string) string { return skills.Failed(errors.New(reason)) }

// cannotSave reports a disk that refuses. When nothing was said yet the sentence
// is the reply.
func (t *turn) cannotSave(err error, speak bool) {
	t.cfg.Logger.Error("turn not saved", "turn", t.ID, "err", err)
	code, p := "disk_failed", phrases.NotSaved
	switch store.Why(err) {
	case store.Full:
		code, p = "disk_full", phrases.DiskFull
	case store.ReadOnly, store.Denied:
		code, p = "disk_readonly", phrases.DiskReadOnly
	case store.Broken:
		p = phrases.DiskFailing
	}
	t.refuse(code, p)
	if speak {
		t.write(p.In(t.Lang))
		t.result.Reply, _ = t.reply.Finish(context.Background(), voice.End)
	}
}
