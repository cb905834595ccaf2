package modes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"homebot/internal/conversation"
	"homebot/internal/lazyregexp"
	"homebot/internal/store"
)

// goneSuffix marks a session that is being forgotten: from that rename on nobody
// finds it any more, and Recover removes what a power cut left.
const goneSuffix = ".forgotten"

var gonePattern = lazyregexp.New(`\.forgotten$`)

// ErrActive: the session to be forgotten still goes on.
var ErrActive = errors.New("the mode session is active")

// Forget removes an ended session: its directory, and what its mode's plugin
// keeps of it. fs.ErrNotExist: there is none. Called under the turn lock.
func (m *Manager) Forget(sessionID string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, err := m.ended(sessionID)
	if err != nil {
		return err
	}
	if err := m.forgotten(a, ""); err != nil {
		return err
	}
	dir := m.sessionDir(a.ModeID, a.SessionID)
	if err := m.FS.Rename(dir, dir+goneSuffix); err != nil {
		return err
	}
	if err := m.FS.SyncDir(filepath.Dir(dir)); err != nil {
		return err
	}
	return store.RemoveAll(m.FS, dir+goneSuffix)
}

// ended is a session on disk that is not the active one.
func (m *Manager) ended(sessionID string) (Action, error) {
	active, err := m.readPlain()
	if err != nil {
		return Action{}, err
	}
	if active.Active && active.SessionID == sessionID {
		return Action{}, ErrActive
	}
	all, err := m.sessionsOnDisk()
	if err != nil {
		return Action{}, err
	}
	i := slices.IndexFunc(all, func(a Action) bool { return a.SessionID == sessionID })
	if i < 0 {
		return Action{}, fmt.Errorf("session %q: %w", sessionID, fs.ErrNotExist)
	}
	return all[i], nil
}

// Sessions are the ids of all sessions on disk, oldest first. Called under the
// turn lock.
func (m *Manager) Sessions() ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all, err := m.sessionsOnDisk()
	var ids []string
	for _, a := range all {
		ids = append(ids, a.SessionID)
	}
	return ids, err
}

// ForgetSpeaker takes a person's turns out of an ended session. Where nobody else
// said anything the whole session goes; else its summary is made anew from what
// is left. Called under the turn lock.
func (m *Manager) ForgetSpeaker(sessionID, speaker string) error {
	m.mu.Lock()
	a, err := m.ended(sessionID)
	m.mu.Unlock()
	if err != nil {
		return err
	}
	path := filepath.Join(m.sessionDir(a.ModeID, a.SessionID), conversationFile)
	records, _, err := conversation.Load(m.FS, path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	switch who := conversation.Speakers(records); {
	case !slices.Contains(who, speaker):
		return nil
	case len(who) == 1:
		return m.Forget(sessionID)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.rewrite(a, path, speaker)
}

// rewrite leaves a session without one speaker: log, cuts, summary, the plugin's
// copy of it. What is kept aside of damaged files goes too.
func (m *Manager) rewrite(a Action, path, speaker string) error {
	if err := conversation.Forget(m.FS, path, speaker); err != nil {
		return err
	}
	dir := filepath.Dir(path)
	entries, err := m.FS.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if keep := []string{promptFile, toolsFile, conversationFile}; slices.Contains(keep, e.Name()) {
			continue
		}
		if err := store.RemoveAll(m.FS, filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	records, _, err := conversation.Load(m.FS, path)
	if err != nil {
		return err
	}
	end := conversation.Record{Timestamp: m.Now(), Exit: &conversation.Exit{Reason: ExitRecovered}}
	for _, r := range records {
		if r.Exit != nil {
			end = r
		}
	}
	text := summary(a, records, end)
	if err := store.Replace(m.FS, filepath.Join(dir, summaryFile), text, filePerm); err != nil {
		return err
	}
	return m.forgotten(a, string(text))
}

// forgotten lets the plugin forget: a session that is gone (""), or what its
// summary said before.
func (m *Manager) forgotten(a Action, summary string) error {
	mode, ok := m.Registry.Scan().Lookup(a.ModeID)
	if !ok || mode.Plugin == nil || mode.Plugin.Forgotten == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), hookTime)
	defer cancel()
	return mode.Plugin.Forgotten(ctx, m.scope(a, nil, ""), summary)
}

// finishForgetting removes what a power cut left of forgotten sessions.
func (m *Manager) finishForgetting() error {
	root := filepath.Join(m.dir(), "sessions")
	modes, err := m.folders(root, idPattern)
	if err != nil {
		return err
	}
	for _, mode := range modes {
		left, err := m.folders(filepath.Join(root, mode), gonePattern)
		if err != nil {
			return err
		}
		for _, name := range left {
			if strings.HasSuffix(name, goneSuffix) {
				err = errors.Join(err, store.RemoveAll(m.FS, filepath.Join(root, mode, name)))
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
