package agent

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/store"
	"homebot/internal/text"
	"homebot/voice"
)

// normalGap is how long a text or web session may rest and still go on (R1).
const normalGap = 30 * time.Minute

// normalSessions are the conversations outside run modes: one log a session
// (R1). Each is used under its own lock.
type normalSessions struct {
	agent *Agent
	mu    sync.Mutex // the two below
	// prompts of voice sessions: they end with the process, so nothing on disk
	// needs to know them. Only the newest is kept.
	voiceChat, voicePrompt string
}

// normalSession is one of them, read for a turn. Nothing is on disk of a session
// in which nothing was recorded yet.
type normalSession struct {
	chatID  string
	dir     string
	system  string
	records []conversation.Record
	fs      store.FS
	keep    bool // the prompt must survive the process
	remade  bool // the prompt on disk could not be used
}

// open finds or begins the session that a turn belongs to.
func (n *normalSessions) open(t voice.Turn) (*normalSession, error) {
	s := &normalSession{chatID: t.ChatID, dir: n.agent.path("sessions", t.Channel), fs: n.agent.cfg.FS}
	s.keep = t.Channel != voice.ChannelVoice
	if s.chatID == "" {
		s.chatID = n.chatID(t)
	}
	if strings.ContainsAny(s.chatID, "/\\") || strings.HasPrefix(s.chatID, ".") {
		return nil, fmt.Errorf("chat id %q is not a name of ours", s.chatID)
	}
	var err error
	s.records, _, err = conversation.Load(s.fs, s.logPath())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	s.system = n.prompt(s, t)
	return s, nil
}

func (s *normalSession) logPath() string { return filepath.Join(s.dir, s.chatID+".jsonl") }
func (s *normalSession) cutPath() string { return filepath.Join(s.dir, s.chatID+"."+cutFile) }
func (s *normalSession) promptPath() string {
	return filepath.Join(s.dir, s.chatID+".system_prompt.md")
}

// prompt is frozen for the session: made at its first turn, the same ever after.
// A voice session ends with the process, so its prompt need not be on disk. One on
// disk that cannot be used is made once more: nobody need repair it (S3).
func (n *normalSessions) prompt(s *normalSession, t voice.Turn) string {
	if !s.keep {
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.voiceChat != s.chatID {
			n.voiceChat, n.voicePrompt = s.chatID, n.agent.normalPrompt(s.chatID, t)
		}
		return n.voicePrompt
	}
	data, err := s.fs.ReadFile(s.promptPath())
	if err == nil && text.IsText(data) {
		return string(data)
	}
	if s.remade = len(s.records) > 0; s.remade {
		n.agent.cfg.Logger.Warn("prompt made once more", "session", s.chatID, "err", err)
	}
	return n.agent.normalPrompt(s.chatID, t)
}

// record makes a turn durable, and before the first one the prompt it was
// answered with.
func (s *normalSession) record(r conversation.Record) error {
	if err := store.MkdirAll(s.fs, s.dir, 0o700); err != nil {
		return err
	}
	if s.keep && len(s.records) == 0 {
		if err := store.Replace(s.fs, s.promptPath(), []byte(s.system), 0o600); err != nil {
			return err
		}
	}
	if s.remade { // the turn does not need it: the next one makes it once more
		_ = store.Replace(s.fs, s.promptPath(), []byte(s.system), 0o600)
	}
	log, err := conversation.Open(s.fs, s.logPath())
	if err != nil {
		return err
	}
	return errors.Join(log.Append(r), log.Close())
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
