package agent

import (
	"context"
	"slices"

	"homebot/internal/conversation"
	"homebot/internal/llm"
	"homebot/modes"
	"homebot/skills"
)

// enterMode makes a turn one of the mode: its tools are the common ones and
// those of the mode's plugin as it is now.
func (t *turn) enterMode(s *modes.Session) {
	t.mode, t.hasMode = t.modes.ModeOf(s)
	t.tools = t.Agent.toolsOf(t.mode)
}

// toolsOf are the tools in a mode. One that is called like a common tool is left
// out: the common one is what every other part of the prompt speaks of.
func (a *Agent) toolsOf(m modes.Mode) skills.Set {
	all := slices.Clone(a.tools.Tools())
	for _, t := range m.Offered() {
		if slices.ContainsFunc(all, func(o skills.Tool) bool { return o.Name == t.Name }) {
			a.cfg.Logger.Warn("tool left out, its name is taken", "mode", m.ID, "tool", t.Name)
			continue
		}
		all = append(all, t)
	}
	return skills.NewSet(all...)
}

// scope is what the mode's tools and hooks may know now: also facts that were
// noted in this very turn.
func (t *turn) scope(ctx context.Context) context.Context {
	s := t.switching.Session()
	if s == nil || !t.hasMode {
		return ctx
	}
	scope := t.modes.ScopeOf(s, t.Lang)
	if len(t.facts) > 0 {
		records := append(slices.Clone(t.visible), conversation.Record{Facts: t.facts})
		scope.Facts = modes.Facts(records)
	}
	return modes.WithScope(ctx, scope)
}

// modeFields are the header fields of a mode: where its files lie, then what its
// plugin gives (R35). A field that the plugin gives no more is shown once as "-".
func (t *turn) modeFields(ctx context.Context, shown map[string]string) []field {
	s := t.switching.Session()
	if s == nil {
		return nil
	}
	data := t.modes.DataDir(s.ModeID)
	index := t.path("modes", "sessions", s.ModeID)
	if t.hasMode && t.mode.Plugin != nil && t.mode.Plugin.HistoryFile != "" {
		index = t.path(s.ModeID, t.mode.Plugin.HistoryFile)
	}
	fields := []field{{"session_dir", s.Dir()}, {"history_file", index}, {"context_dir", data}}
	given, ok := t.modes.RuntimeContext(ctx, t.mode, t.modes.ScopeOf(s, t.Lang))
	if !ok {
		return fields
	}
	for _, f := range given {
		if !isFixed(f.Key) {
			fields = append(fields, field{f.Key, f.Value})
		}
	}
	for _, key := range sortedKeys(shown) {
		known := isFixed(key) || slices.ContainsFunc(given, func(f modes.Field) bool { return f.Key == key })
		if !known {
			fields = append(fields, field{key, "-"})
		}
	}
	return fields
}

// isFixed reports whether a header field is the agent's own.
func isFixed(key string) bool {
	return slices.Contains([]string{"date", "channel", "session_dir", "history_file", "context_dir"}, key)
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func encodeTools(set skills.Set) []byte {
	tools := set.Tools()
	defs := make([]llm.ToolDef, len(tools))
	for i, t := range tools {
		defs[i] = llm.ToolDef{Name: t.Name, Description: t.Description, Schema: t.Schema}
	}
	return llm.EncodeTools(defs)
}
