package agent

import (
	"context"
	"errors"
	"slices"

	"homebot/internal/contextmode"
	"homebot/internal/conversation"
	"homebot/internal/llm"
	"homebot/internal/phrases"
)

// answerKey is the key of an answer under a profile: for the richer ones the
// whole context before the words, for minimal the core fields alone (C12). The
// header is in neither: it has the time.
func (t *turn) answerKey(p contextmode.Profile) string {
	core := contextmode.Core{
		Kind: "answer", Model: t.cfg.ModelName, Lang: t.Lang, Speaker: t.Speaker, Words: t.Text,
		Facts: contextmode.Fold(t.view.log, t.view.cuts).Facts,
	}
	if t.normal == nil {
		core.Mode = t.mode.ID
	}
	for i := range t.view.log { // facts since the last cut count too
		for _, f := range t.view.log[i].Facts {
			core.Facts = append(core.Facts[:len(core.Facts):len(core.Facts)], f.Text)
		}
	}
	return contextmode.CacheKey(t.view.table, p, core, t.view.view.Messages(t.system, ""))
}

// keepAnswer keeps the reply of a turn that did nothing but answer, for when the
// network is away. What a tool said may be true no longer.
func (t *turn) keepAnswer() {
	if t.cfg.Answers == nil || t.offline || t.usedTools || t.failed != "" || t.result.Reply == "" || t.result.Err != nil {
		return
	}
	p := t.view.profile()
	t.cfg.Answers.Put(t.view.table, p, t.answerKey(p), []byte(t.result.Reply))
}

// lastAnswer says the answer that the same question had, when the model is out
// of reach and nothing was said yet. It says that it is an old one.
func (t *turn) lastAnswer(ctx context.Context, err error) bool {
	away := errors.Is(err, llm.ErrUnreachable) || errors.Is(err, llm.ErrSlow)
	if !away || t.cfg.Answers == nil || t.said.Len() > 0 || t.usedTools || ctx.Err() != nil {
		return false
	}
	profiles := contextmode.Profiles()
	for _, p := range slices.Concat([]contextmode.Profile{t.view.profile()}, profiles[:]) {
		data, ok := t.cfg.Answers.Get(t.view.table, t.answerKey(p))
		if !ok {
			continue
		}
		code, why, _ := t.failure(err)
		t.cfg.Logger.Warn("model failed, its last answer is said", "turn", t.ID, "err", err)
		t.refuse(code, why)
		t.failed = conversation.FailedNetwork
		t.say(phrases.LastAnswer.In(t.Lang, string(data)))
		return true
	}
	return false
}
