package agent

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"homebot/internal/contextmode"
	"homebot/modes"
	"homebot/voice"
)

// base is the system prompt that all conversations share.
//
//go:embed base.md
var base string

// modeText is the fixed text between the base prompt and the SKILL.md of a mode
// (R30). It names no speaker and no time: a mode is shared by the family and its
// prompt must stay the same for the whole session (R34).
const modeText = `# Run mode
"%s" (mode_id %s) is active until the user leaves it by name. It is one conversation that lasts across wake-ups, restarts and speakers: go on from where it is.

`

// freeze makes what a mode session's requests begin with (R31); static is what
// the mode's plugin adds.
func (a *Agent) freeze(m modes.Mode, static string) modes.Frozen {
	var b strings.Builder
	table := a.tables.Current()
	b.WriteString(base)
	b.WriteString(a.style(table, a.expect(table, contextmode.Signals{Turns: 1, Mode: m.ContextProfile})))
	b.WriteString(a.modesText(m.ID))
	fmt.Fprintf(&b, modeText, m.DisplayName, m.ID)
	b.WriteString(m.Skill.Body)
	b.WriteString("\n")
	if static != "" {
		b.WriteString("\n" + static + "\n")
	}
	return modes.Frozen{System: asText(b.String()), Tools: encodeTools(a.toolsOf(m))}
}

// normalPrompt is the system prompt of a normal session: base, the profile of
// the speaker of its first turn, t, and the names of the skills (R1).
func (a *Agent) normalPrompt(session string, t voice.Turn) string {
	var b strings.Builder
	table := a.tables.For(session)
	b.WriteString(base)
	b.WriteString(a.style(table, a.expect(table, contextmode.Signals{
		Words: contextmode.ReadWords(t.Text), Request: t.Profile, Tier: a.memberTier(t.Speaker),
	})))
	b.WriteString(a.modesText(""))
	if profile := a.memberProfile(t.Speaker); profile != "" {
		b.WriteString("# The person speaking\n")
		b.WriteString(profile)
		b.WriteString("\n")
	}
	return asText(b.String())
}

// asText is a prompt that text.IsText holds for, whatever a plugin or a member's
// file put into it: a prompt on disk that is none counts as damaged.
func asText(prompt string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(prompt, "\uFFFD"), "\x00", "")
}

// modesText lists the run modes: the model proposes a switch by these ids. What
// the active one does stands in its own text.
func (a *Agent) modesText(active string) string {
	var b strings.Builder
	b.WriteString("# Run modes (skills)\n")
	for _, m := range a.cfg.Registry.Scan().Modes {
		if m.ID == active {
			fmt.Fprintf(&b, "- mode_id %s: %s, active\n", m.ID, m.DisplayName)
			continue
		}
		fmt.Fprintf(&b, "- mode_id %s: %s — %s\n", m.ID, strings.Join(m.Names(), " / "), m.Skill.Description)
	}
	b.WriteString("\n")
	return b.String()
}

func (a *Agent) toolBytes() json.RawMessage { return encodeTools(a.tools) }

// memberProfile is the text of a member's USER.md without its front matter, ""
// for somebody unknown.
func (a *Agent) memberProfile(id string) string {
	body := strings.ReplaceAll(string(a.userFile(id)), "\r\n", "\n")
	if rest, ok := strings.CutPrefix(body, "---\n"); ok {
		if _, after, ok := strings.Cut(rest, "\n---\n"); ok {
			body = after
		}
	}
	return strings.TrimSpace(body)
}
