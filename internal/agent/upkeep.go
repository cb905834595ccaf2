package agent

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"homebot/internal/contextmode"
	"homebot/internal/conversation"
	"homebot/internal/llm"
)

// upkeepJob is a cut that is due after a reply was spoken (C20): nobody waits for
// it.
type upkeepJob struct {
	id, key string // of the conversation, and of its lock
	logPath string
	cutPath string
	mode    bool // of the active mode
	system  string
	tools   []byte
	lang    string
	in      contextmode.Input // After; with the turn that just ended
	ranges  []contextmode.Range
}

// upkeep works off jobs one by one, the newest only. A turn that begins ends the
// one at work: the model's time belongs to the user.
type upkeep struct {
	agent *Agent
	wake  chan struct{} // capacity 1

	mu     sync.Mutex
	job    *upkeepJob
	cancel context.CancelFunc // of the job at work
}

func newUpkeep(a *Agent) *upkeep { return &upkeep{agent: a, wake: make(chan struct{}, 1)} }

// due hands over a job.
func (u *upkeep) due(j *upkeepJob) {
	u.mu.Lock()
	u.job = j
	u.mu.Unlock()
	u.nudge()
}

// nudge lets the worker look around: a job, or lines to write.
func (u *upkeep) nudge() {
	select {
	case u.wake <- struct{}{}:
	default:
	}
}

// interrupt gives way to a turn: what was planned before it no longer holds.
func (u *upkeep) interrupt() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.job = nil
	if u.cancel != nil {
		u.cancel()
	}
}

// take begins the next job; its context ends when a turn begins.
func (u *upkeep) take(ctx context.Context) (*upkeepJob, context.Context, context.CancelFunc) {
	u.mu.Lock()
	defer u.mu.Unlock()
	j := u.job
	u.job = nil
	if j == nil {
		return nil, ctx, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	u.cancel = cancel
	return j, ctx, cancel
}

// run works until ctx ends. Summaries are asked, cuts made, the new prefix is
// warmed up; the turns' lines are written.
func (u *upkeep) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			u.agent.flushTurns(ctx)
			return
		case <-u.wake:
		}
		u.agent.flushTurns(ctx)
		if j, jctx, done := u.take(ctx); j != nil {
			u.do(jctx, j)
			done()
		}
	}
}

func (u *upkeep) do(ctx context.Context, j *upkeepJob) {
	a := u.agent
	if len(j.ranges) > 0 && a.cfg.Model != nil {
		j.in.Summaries = u.summaries(ctx, j)
		if ctx.Err() != nil {
			return // what was summarised is kept for the cut to come
		}
	}
	done, err := u.commit(ctx, j)
	if err != nil && ctx.Err() == nil {
		a.cfg.Logger.Error("cut after the reply", "session", j.id, "err", err)
	}
	if done && ctx.Err() == nil {
		u.warm(ctx, j)
	}
}

// summaries asks the model for the blocks, behind the live prefix. A model that
// fails, hangs or says something else gives none: the blocks are then extractive
// (C9, C10).
func (u *upkeep) summaries(ctx context.Context, j *upkeepJob) map[contextmode.Range]string {
	a := u.agent
	ctx, cancel := context.WithTimeout(ctx, j.in.Table.Spec(j.in.Profile).Timeout)
	defer cancel()
	view := contextmode.Fold(j.in.Log, j.in.Cuts).Messages(j.system, contextmode.Instruction(j.in.Log, j.ranges, j.lang))
	var answer strings.Builder
	for d, err := range a.cfg.Model.Stream(ctx, llm.Request{Messages: llmMessages(view), Tools: j.tools, CacheKey: j.id}) {
		if err != nil {
			a.cfg.Logger.Warn("summary", "session", j.id, "err", err)
			break
		}
		if d.Usage != nil {
			u.count(j, *d.Usage)
		}
		answer.WriteString(d.Text)
		if answer.Len() > maxSummaryBytes {
			break
		}
	}
	found := contextmode.ReadSummaries(answer.String(), j.ranges)
	a.summaries.keep(j, found)
	return found
}

// maxSummaryBytes is far above any summary asked for.
const maxSummaryBytes = 64 << 10

func (u *upkeep) count(j *upkeepJob, use llm.Usage) {
	u.agent.counters.note(j.in.Table.Version, j.in.Profile, func(c *Counts) {
		c.Billed += use.Prompt
		c.Cached += use.Cached
	})
}

// commit plans once more, on what the disk holds now and under the conversation's
// lock, and makes the cut durable. The lock is held for that alone.
func (u *upkeep) commit(ctx context.Context, j *upkeepJob) (bool, error) {
	a := u.agent
	if err := a.locks.take(ctx, j.key, &claim{kind: job}); err != nil {
		return false, err
	}
	defer a.locks.release(j.key)
	if j.mode && !a.isActive(j.id) {
		return false, nil // the mode has ended meanwhile: nobody goes on from here
	}
	records, _, err := conversation.Load(a.cfg.FS, j.logPath)
	if err != nil {
		return false, err
	}
	j.in.Log = turnsOf(records)
	j.in.Cuts = a.readCuts(j.cutPath, j.in.Log)
	out := contextmode.Plan(j.in)
	if out.Cut == nil {
		return false, nil
	}
	if err := a.writeCut(j.cutPath, *out.Cut); err != nil {
		return false, err
	}
	j.in.Cuts = append(j.in.Cuts, *out.Cut)
	a.counters.note(j.in.Table.Version, j.in.Profile, func(c *Counts) { c.Cuts++; c.Fallbacks += out.Fallback })
	return true, nil
}

// isActive reports whether a mode session is the active one.
func (a *Agent) isActive(session string) bool {
	active, err := a.modes.Active()
	return err == nil && active.Active && active.SessionID == session
}

// warmWords end the request that warms up a prefix; servers want a user message
// at the end.
const warmWords = "[系统 system] …"

// warm sends the new prefix once, so that the next turn finds it in the
// provider's cache, and hangs up at the first word.
func (u *upkeep) warm(ctx context.Context, j *upkeepJob) {
	if u.agent.cfg.Model == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, j.in.Table.Spec(j.in.Profile).Timeout)
	defer cancel()
	view := contextmode.Fold(j.in.Log, j.in.Cuts).Messages(j.system, warmWords)
	for d, err := range u.agent.cfg.Model.Stream(ctx, llm.Request{Messages: llmMessages(view), Tools: j.tools, CacheKey: j.id}) {
		if err != nil {
			u.agent.cfg.Logger.Debug("warm-up", "session", j.id, "err", err)
		}
		if d.Usage != nil {
			u.count(j, *d.Usage)
		}
		break
	}
}

// afterReply is what a turn leaves to be done when its reply was spoken.
func (t *turn) afterReply() {
	if t.recorded == nil {
		return
	}
	t.account()
	t.keepAnswer()
	if j := t.upkeepDue(); j != nil {
		t.upkeep.due(j)
		return
	}
	t.upkeep.nudge()
}

// upkeepDue is the cut that the conversation needs after this turn, nil if none.
func (t *turn) upkeepDue() *upkeepJob {
	s := t.switching.Session()
	if s != nil && (s.SessionID != t.id || !t.isActive(t.id)) {
		return nil // the turn began or ended a mode
	}
	in := t.planInput("")
	in.After = true
	in.Log = append(slices.Clip(in.Log), turnOfRecord(t.recorded))
	out := contextmode.Plan(in)
	if out.Cut == nil {
		return nil
	}
	j := &upkeepJob{
		id: t.id, key: "chat " + t.id, cutPath: t.view.cutPath, system: t.system, tools: t.toolsSent, lang: t.Lang,
		in: in, ranges: out.Ranges,
	}
	if s != nil {
		j.key, j.mode, j.logPath = modeKey, true, filepath.Join(s.Dir(), "conversation.jsonl")
	} else {
		j.logPath = t.normal.logPath()
	}
	return j
}

// summaryCache keeps summaries whose cut was not made yet: the turn that came in
// between may need them on its own path. The zero value is empty.
type summaryCache struct {
	mu    sync.Mutex
	texts map[string]string
}

// maxSummaries are kept; more are of conversations that went on without them.
const maxSummaries = 128

// summaryKey has profile and table version in it (C12).
func summaryKey(id string, in contextmode.Input, r contextmode.Range) string {
	return contextmode.CacheKey(in.Table, in.Profile, contextmode.Core{Kind: "summary", Mode: id, Words: fmt.Sprintf("%d-%d", r.From, r.To)}, nil)
}

func (c *summaryCache) keep(j *upkeepJob, found map[contextmode.Range]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.texts == nil || len(c.texts)+len(found) > maxSummaries {
		c.texts = map[string]string{}
	}
	for r, text := range found {
		c.texts[summaryKey(j.id, j.in, r)] = text
	}
}

func (c *summaryCache) find(id string, in contextmode.Input, ranges []contextmode.Range) map[contextmode.Range]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := map[contextmode.Range]string{}
	for _, r := range ranges {
		if text, ok := c.texts[summaryKey(id, in, r)]; ok {
			found[r] = text
		}
	}
	return found
}

// planWithSummaries plans, and once more with summaries that are at hand.
func (t *turn) planWithSummaries(in contextmode.Input) contextmode.Outcome {
	out := contextmode.Plan(in)
	if found := t.summaries.find(t.id, in, out.Ranges); len(found) > 0 {
		in.Summaries = found
		out = contextmode.Plan(in)
	}
	return out
}

// calibration corrects estimates by what the model billed. The zero value
// corrects nothing.
type calibration struct {
	mu sync.Mutex
	k  contextmode.Calibration
}

func (c *calibration) learn(usage, estimate int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.k = c.k.Adjust(usage, estimate)
}

func (c *calibration) value() contextmode.Calibration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.k
}
