package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/event"
	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/internal/text"
	"homebot/modes"
	"homebot/skills"
	"homebot/voice"
)

// turn is one turn while it runs. It belongs to the goroutine of Handle.
type turn struct {
	*Agent
	voice.Turn
	asked     voice.Turn // before a conversation was chosen for it
	givenID   bool       // by the client, which may repeat it
	reply     voice.Reply
	began     time.Time
	normal    *normalSession // nil in a mode
	switching *modes.Switching
	visible   []conversation.Record // of this conversation, oldest first
	id        string                // of the conversation, for the prefix watch and the cache key
	system    string
	toolsSent []byte
	names     []string   // of the tools in this request
	tools     skills.Set // that can be called
	places    places     // the conversations this turn holds
	mode      modes.Mode // of the session, as its skill is now
	hasMode   bool

	view     viewing              // what the model is shown of the conversation
	recorded *conversation.Record // once it is durable
	notices  []modes.Notice       // told in this turn

	fields    []field           // of the header
	shown     map[string]string // header fields that the visible history shows
	sent      string            // the exact user content
	lead      string            // said by the device before the model's own words
	said      strings.Builder
	raw       strings.Builder
	written   int // bytes that the model wrote
	facts     []conversation.Fact
	note      string // what the last accepted switch did, for a reply that stays empty
	refusal   string // what the last refused switch has to be told with, "" when other words would do
	proposed  string // the mode of the last switch that was proposed
	failed    string
	fresh     bool // nothing of the current answer was spoken yet
	offline   bool // answers come from the fallback now
	usedTools bool // a tool was called in this turn
	timers    timerTurn
	loudness  volumeTurn
	result    voice.Result
}

// Handle answers one turn (voice.Handler).
func (a *Agent) Handle(ctx context.Context, in voice.Turn, reply voice.Reply) error {
	began := time.Now()
	full := a.complete(in)
	t := &turn{Agent: a, Turn: full, asked: full, givenID: full.ID == in.ID, reply: reply, began: began}
	t.result = a.undecided(t.Turn)
	a.upkeep.interrupt()
	if strings.TrimSpace(t.Text) == "" {
		t.refuse("empty", phrases.EmptyLine)
		return t.untouched()
	}
	if len(t.Text) > maxWordsBytes {
		t.refuseLong()
		return t.untouched()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	t.places = places{agent: a, claim: claimOf(t.Turn, reply, cancel)}
	defer t.places.drop("")
	s, err := t.arrive(ctx)
	t.result.Latency.Queued = time.Since(began)
	if errors.Is(err, errBusy) || err != nil && ctx.Err() != nil {
		return t.notHeard(ctx, err)
	}
	t.run(ctx, s, err)
	t.result.Latency.Total = time.Since(began)
	reply.Done(t.result)
	t.afterReply()
	return nil
}

// untouched ends a turn that changed nothing: the mode goes on, and is told.
func (t *turn) untouched() error {
	t.result.Mode = t.modeNow()
	t.reply.Done(t.result)
	return nil
}

// run is the turn in its conversation; err is why that could not be opened.
func (t *turn) run(ctx context.Context, s *modes.Session, err error) {
	if err == nil {
		err = t.open(s)
	}
	if err != nil {
		t.cannotSave(err, true)
		t.result.Mode = t.modeNow()
		return
	}
	defer t.close()
	if t.repeated() {
		return
	}
	t.openContext()
	t.assemble(ctx)
	t.readTimers()
	t.mayFill()
	t.readVolume()
	t.lead = t.tellNotices()
	t.present()
	next, answered := t.atOnce(ctx)
	if !answered {
		next = t.converse(skills.WithLang(context.WithValue(ctx, turnKey{}, t), t.Lang))
	}
	heard, whole := t.reply.Finish(ctx, next)
	t.result.Reply, t.result.Next = heard, next
	if !whole {
		t.failed = conversation.FailedInterrupted
	}
	t.record(heard, whole)
	t.result.Mode = t.modeNow()
}

// open reads the conversation that this turn belongs to (R32): the mode's
// session s, or a normal one.
func (t *turn) open(s *modes.Session) (err error) {
	t.switching = t.modes.Begin(s, t.Text, t.Lang)
	t.tools = t.Agent.tools
	if s != nil {
		t.id, t.system, t.toolsSent, t.visible = s.SessionID, s.System, s.Tools, s.Records()
		t.enterMode(s)
		t.view.cutPath = filepath.Join(s.Dir(), cutFile)
	} else if t.normal, err = t.Agent.normal.open(t.Turn); err != nil {
		return errors.Join(err, t.switching.Close())
	} else {
		t.id, t.system, t.toolsSent, t.visible = t.normal.chatID, t.normal.system, t.toolBytes(), t.normal.records
		t.view.cutPath = t.normal.cutPath()
	}
	if t.ChatID == "" {
		t.ChatID = t.id
		if s != nil {
			t.ChatID = conversation.NewChatID(t.Channel, t.Heard)
		}
	}
	t.result.ChatID = t.ChatID
	t.names, err = llm.DecodeTools(t.toolsSent)
	return err
}

func (t *turn) close() {
	if err := t.switching.Close(); err != nil {
		t.cfg.Logger.Warn("conversation not closed", "err", err)
	}
}

// repeated answers a turn that is in the log already, without a model (R43).
func (t *turn) repeated() bool {
	r, found := recordOf(t.visible, t.ID)
	if !found && t.givenID {
		r, found = t.repeatedElsewhere()
	}
	if !found {
		return false
	}
	t.result.Reply = r.Assistant
	t.result.Mode = t.modeNow()
	t.result.Err = &voice.TurnError{Code: "duplicate", Text: r.Assistant}
	return true
}

// repeatedElsewhere looks where the turn was when it was said first: in a mode
// that it ended, or in the normal session before a mode was entered.
func (t *turn) repeatedElsewhere() (conversation.Record, bool) {
	if r, found := t.modes.Recorded(t.ID); found {
		return r, true
	}
	if t.normal != nil {
		return conversation.Record{}, false
	}
	n := &normalSession{chatID: t.Agent.normal.chatID(t.asked), dir: t.path("sessions", t.Channel)}
	records, _, err := conversation.Load(t.cfg.FS, n.logPath())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.cfg.Logger.Warn("repeats not looked for", "session", n.chatID, "err", err)
	}
	return recordOf(records, t.ID)
}

func recordOf(records []conversation.Record, id string) (conversation.Record, bool) {
	i := slices.IndexFunc(records, func(r conversation.Record) bool { return r.ID == id })
	if i < 0 {
		return conversation.Record{}, false
	}
	return records[i], true
}

// assemble makes the header of the current message; what its notices say comes
// with tellNotices.
func (t *turn) assemble(ctx context.Context) {
	t.shown = shownFields(t.sinceCut(), dateOf(t.Heard))
	t.fields = append(fieldsOf(t.Turn), t.modeFields(ctx, t.shown)...)
}

// modeName is the name of a notice's mode in the turn's language, if the mode is
// still there.
func (t *turn) modeName(n modes.Notice) string {
	all := t.Agent.Modes().Modes
	if i := slices.IndexFunc(all, func(m modes.Mode) bool { return m.DisplayName == n.ModeName }); i >= 0 {
		return all[i].NameIn(t.Lang)
	}
	return n.ModeName
}

// tellNotices says once what happened since the last turn (R27); an expiry goes
// into the header instead (R49).
func (t *turn) tellNotices() string {
	var news, lead []string
	t.notices = t.modes.Notices()
	for _, n := range t.notices {
		switch n.Kind {
		case modes.Expired:
			news = append(news, phrases.ModeExpired.In(t.Lang, t.modeName(n), n.At.Format("15:04")))
		case modes.Resumed, modes.Repaired:
			lead = append(lead, phrases.ModeRecovered.In(t.Lang, t.modeName(n)))
		case modes.RecoveredInactive:
			lead = append(lead, phrases.ModeRecoveredInactive.In(t.Lang))
		case modes.Lost:
			lead = append(lead, phrases.ModeLost.In(t.Lang))
		case modes.PluginFailed:
			lead = append(lead, phrases.ModePluginFailed.In(t.Lang, t.modeName(n)))
		}
	}
	if s := t.timerNews(); s != "" {
		lead = append(lead, s)
	}
	t.view.news = news
	s := text.Unmarked(strings.Join(slices.Compact(lead), " "))
	if s != "" {
		t.reply.Write(s + "\n")
	}
	return s
}

// modeNow is the active mode as the disk says it.
func (t *turn) modeNow() *event.Mode {
	a, err := t.modes.Active()
	if err != nil {
		return nil
	}
	return a.Watched()
}

// record makes the turn durable and then carries out what it asked of the mode.
func (t *turn) record(heard string, whole bool) {
	r := conversation.Record{
		Timestamp: t.Heard, Channel: t.Channel, ChatID: t.ChatID, SpeakerID: t.Speaker, User: t.Text, Assistant: heard,
		ID: t.ID, Sent: t.sent, Raw: strings.TrimSpace(t.raw.String()), Facts: t.facts, Failed: t.failed,
	}
	if !whole {
		r.Raw = heard
	}
	var err error
	if t.switching.Session() != nil {
		var recorded bool
		recorded, err = t.switching.Finish(r)
		if recorded && err != nil { // durable; the rest of the exit is made up before the next turn
			t.cfg.Logger.Error("exit not finished", "err", err)
			err = nil
		}
	} else {
		err = t.normal.record(r)
	}
	if err != nil {
		t.cannotSave(err, false)
		return
	}
	t.recorded = &r
	if entered := t.normal != nil && t.switching.Session() != nil; !entered && t.view.first.messages != nil {
		t.watch.keep(t.id, t.view.first)
	}
	t.modes.Told(t.notices)
	t.newsTold()
	t.cfg.Logger.Info("turn", "turn", t.ID, "channel", t.Channel, "profile", t.result.Profile,
		"prompt", t.result.Usage.Prompt, "cached", t.result.Usage.Cached, "dur", time.Since(t.began))
	t.publish(event.TurnDone, event.Turn{
		ID: t.ID, Channel: t.Channel, ChatID: t.ChatID, Speaker: t.Speaker, User: t.Text, Assistant: heard,
		Failed: t.failed, First: t.result.Latency.FirstToken, Total: time.Since(t.began), Context: contextHeader(t.result),
	})
}

// write hands text to the reply and keeps it.
func (t *turn) write(s string) {
	if s == "" {
		return
	}
	if t.result.Latency.FirstToken == 0 {
		t.result.Latency.FirstToken = time.Since(t.began)
	}
	t.said.WriteString(s)
	t.reply.Write(s)
}

// say speaks a sentence of the device's own, as the whole rest of the reply. Names
// in it are others' words and bring no marker (V3).
func (t *turn) say(p string) {
	p = text.Unmarked(p)
	t.fresh = true
	t.writeRound(p)
	t.keepRaw(p)
}

// refuse reports a failure that the user is told about.
func (t *turn) refuse(code string, p phrases.Phrase) {
	t.result.Err = &voice.TurnError{Code: code, Text: p.In(t.Lang)}
}

// converse lets the model and the tools work until there is a reply, and returns
// what the model proposed to come after it. Whatever fails, something true was
// said when it returns, unless ctx ended.
func (t *turn) converse(ctx context.Context) voice.Next {
	msgs := t.messages()
	t.watchFirst(msgs)
	t.offline = t.cfg.Model == nil || t.answersItself(msgs)
	for range maxRounds {
		out, err := t.ask(ctx, msgs)
		if err != nil && t.toFallback(ctx, msgs, err) {
			out, err = t.ask(ctx, msgs)
		}
		if err != nil {
			if !t.lastAnswer(ctx, err) {
				t.fail(ctx, err)
			}
			return voice.Unstated
		}
		if len(out.calls) == 0 {
			return t.conclude(out)
		}
		before := msgs
		msgs = append(msgs, llm.Message{Role: llm.Assistant, Content: out.raw, ToolCalls: out.calls})
		msgs = append(msgs, t.callAll(ctx, out.calls)...)
		t.usedTools = true
		t.watchLater(before, msgs)
	}
	t.failed = conversation.FailedTool
	t.refuse("tool_rounds", phrases.TooManyRounds)
	t.sayFailure(phrases.TooManyRounds)
	return voice.Unstated
}

// conclude ends the reply. A model that said nothing after a tool succeeded is
// helped out with what the tool did.
func (t *turn) conclude(out answer) voice.Next {
	if strings.TrimSpace(t.said.String()) == "" {
		if t.note == "" {
			t.failWith(fmt.Errorf("%w: nothing but a marker", llm.ErrNonsense))
			return voice.Unstated
		}
		t.say(t.note)
	}
	if fix := t.checkTimers(t.spoken()); fix != "" {
		t.say(fix)
	} else if fix := t.checkModeSaid(); fix != "" {
		t.say(fix)
	} else if fix := t.checkDevice(t.spoken()); fix != "" {
		t.say(fix)
	}
	switch out.next {
	case text.MarkerContinue:
		return voice.Continue
	case text.MarkerEnd:
		return voice.End
	}
	return voice.Unstated
}
