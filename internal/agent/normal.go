package agent

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/store"
	"homebot/voice"
)

// normalGap is how long a text or web session may rest and still go on (R1).
const normalGap = 30 * time.Minute

// normalSessions are the conversations outside run modes: one log a session
// (R1). Used under the turn lock.
type normalSessions struct {
	agent *Agent
	// prompts of voice sessions: they end with the process, so nothing on disk
	// needs to know them. Only the newest is kept.
	voiceChat, voicePrompt string
}

// normalSession is one of them, opened for a turn.
type normalSession struct {
	chatID string
	system string
	log    *conversation.Log
}

// open finds or begins the session that a turn belongs to.
func (n *normalSessions) open(t voice.Turn) (*normalSession, error) {
	dir := n.agent.path("sessions", t.Channel)
	if err := store.MkdirAll(n.agent.cfg.FS, dir, 0o700); err != nil {
		return nil, err
	}
	id := t.ChatID
	if id == "" {
		id = n.recent(dir, t)
	}
	if id == "" {
		id = conversation.NewChatID(t.Channel, t.Heard)
	}
	if strings.ContainsAny(id, "/\\") || strings.HasPrefix(id, ".") {
		return nil, fmt.Errorf("chat id %q is not a name of ours", id)
	}
	system, err := n.prompt(dir, id, t)
	if err != nil {
		return nil, err
	}
	log, err := conversation.Open(n.agent.cfg.FS, filepath.Join(dir, id+".jsonl"))
	if err != nil {
		return nil, err
	}
	return &normalSession{chatID: id, system: system, log: log}, nil
}

// prompt is frozen for the session: made at its first turn, read ever after.
func (n *normalSessions) prompt(dir, id string, t voice.Turn) (string, error) {
	if t.Channel == voice.ChannelVoice {
		if n.voiceChat != id {
			n.voiceChat, n.voicePrompt = id, n.agent.normalPrompt(t.Speaker)
		}
		return n.voicePrompt, nil
	}
	path := filepath.Join(dir, id+".system_prompt.md")
	data, err := n.agent.cfg.FS.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		data = []byte(n.agent.normalPrompt(t.Speaker))
		err = store.Replace(n.agent.cfg.FS, path, data, 0o600)
	}
	return string(data), err
}

// recent is the last session of this channel and speaker whose last record is
// younger than normalGap, "" when there is none.
func (n *normalSessions) recent(dir string, t voice.Turn) string {
	entries, err := n.agent.cfg.FS.ReadDir(dir)
	if err != nil {
		return ""
	}
	type log struct {
		id  string
		mod time.Time
	}
	var logs []log
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".jsonl")
		info, err := e.Info()
		if !ok || strings.HasSuffix(id, ".context") || err != nil {
			continue
		}
		logs = append(logs, log{id, info.ModTime()})
	}
	slices.SortFunc(logs, func(a, b log) int { return cmp.Or(b.mod.Compare(a.mod), strings.Compare(b.id, a.id)) })
	for _, l := range logs[:min(len(logs), recentLooked)] {
		if n.goesOn(filepath.Join(dir, l.id+".jsonl"), t) {
			return l.id
		}
	}
	return ""
}

// recentLooked bounds how many logs are read to find a speaker's own: more
// people than that do not talk within half an hour.
const recentLooked = 16

func (n *normalSessions) goesOn(path string, t voice.Turn) bool {
	records, _, err := conversation.Load(n.agent.cfg.FS, path)
	if err != nil || len(records) == 0 {
		return false
	}
	last := records[len(records)-1]
	return last.SpeakerID == t.Speaker && t.Heard.Sub(last.Timestamp) < normalGap
}
