package agent

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"homebot/internal/conversation"
	"homebot/internal/store"
	"homebot/modes"
	"homebot/voice"
)

// Member is somebody who has a profile or said something.
type Member struct {
	ID      string
	Profile bool
}

// ErrModeActive: what would be forgotten belongs to a mode that is still on.
var ErrModeActive = errors.New("a run mode is active")

// Members lists who is known, by id. Any goroutine may call it.
func (a *Agent) Members() ([]Member, error) {
	known := map[string]bool{} // whether they have a profile
	entries, err := a.cfg.FS.ReadDir(a.path("members"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() && memberID.MatchString(e.Name()) {
			known[e.Name()] = true
		}
	}
	err = a.eachLog(func(path string) error {
		records, _, err := conversation.Load(a.cfg.FS, path)
		for _, id := range conversation.Speakers(records) {
			if !known[id] {
				known[id] = false
			}
		}
		return there(err)
	})
	var all []Member
	for id, profile := range known {
		if memberID.MatchString(id) {
			all = append(all, Member{id, profile})
		}
	}
	slices.SortFunc(all, func(x, y Member) int { return strings.Compare(x.ID, y.ID) })
	return all, err
}

// there: a conversation that is gone meanwhile is none.
func there(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// eachLog calls do with the log of every conversation on disk.
func (a *Agent) eachLog(do func(path string) error) error {
	if err := a.eachChat(func(dir, id string) error { return do(filepath.Join(dir, id+".jsonl")) }); err != nil {
		return err
	}
	modeDirs, err := a.cfg.FS.ReadDir(a.path("modes", "sessions"))
	if err = there(err); err != nil {
		return err
	}
	for _, m := range modeDirs {
		sessions, err := a.cfg.FS.ReadDir(a.path("modes", "sessions", m.Name()))
		if err != nil || !m.IsDir() {
			continue
		}
		for _, s := range sessions {
			if err := do(a.path("modes", "sessions", m.Name(), s.Name(), "conversation.jsonl")); err != nil {
				return err
			}
		}
	}
	return nil
}

// eachChat calls do with every normal conversation.
func (a *Agent) eachChat(do func(dir, id string) error) error {
	for _, channel := range []string{voice.ChannelVoice, voice.ChannelText, voice.ChannelWeb} {
		dir := a.path("sessions", channel)
		entries, err := a.cfg.FS.ReadDir(dir)
		if err = there(err); err != nil {
			return err
		}
		for _, e := range entries {
			id, ok := strings.CutSuffix(e.Name(), ".jsonl")
			if !ok || strings.HasSuffix(id, ".context") {
				continue
			}
			if err := do(dir, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// ForgetSession forgets a mode session that ended, with what was kept of its
// answers. fs.ErrNotExist: there is none. Any goroutine may call it; it waits for
// the turn in progress.
func (a *Agent) ForgetSession(ctx context.Context, sessionID string) error {
	err := a.withMode(ctx, func() error { return a.modes.Forget(sessionID) })
	if errors.Is(err, modes.ErrActive) {
		return ErrModeActive
	}
	return errors.Join(err, a.forgetTraces())
}

// ForgetMember forgets a person: the profile, and every turn in which they spoke.
// fs.ErrNotExist: nobody of that name; ErrModeActive: end the mode first.
func (a *Agent) ForgetMember(ctx context.Context, id string) error {
	all, err := a.Members()
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(all, func(m Member) bool { return m.ID == id }) {
		return fs.ErrNotExist
	}
	return a.forget(ctx, id)
}

// ForgetAll forgets everybody and everything said. Recipes, timers and settings
// stay. ErrModeActive: end the mode first.
func (a *Agent) ForgetAll(ctx context.Context) error { return a.forget(ctx, "") }

// forget forgets one person, or with "" everybody.
func (a *Agent) forget(ctx context.Context, who string) error {
	err := a.withMode(ctx, func() error {
		active, err := a.modes.Active()
		if err == nil && active.Active {
			return ErrModeActive
		}
		return errors.Join(err, a.forgetSessions(who))
	})
	if err != nil {
		return err
	}
	if err := a.eachChat(func(dir, id string) error { return a.forgetChat(ctx, dir, id, who) }); err != nil {
		return err
	}
	err = errors.Join(store.RemoveAll(a.cfg.FS, filepath.Join(a.path("members"), who)), a.forgetTraces())
	if who == "" {
		err = errors.Join(err, a.forgetRestored())
	}
	return err
}

// asidePrefix begins the names of what a restore kept aside (package backup).
const asidePrefix = "before-restore-"

// forgetRestored forgets the workspaces that backups took the place of.
func (a *Agent) forgetRestored() error {
	entries, err := a.cfg.FS.ReadDir(a.cfg.Workspace)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), asidePrefix) {
			err = errors.Join(err, store.RemoveAll(a.cfg.FS, filepath.Join(a.cfg.Workspace, e.Name())))
		}
	}
	return err
}

func (a *Agent) forgetSessions(who string) error {
	ids, err := a.modes.Sessions()
	for _, id := range ids {
		if who == "" {
			err = errors.Join(err, a.modes.Forget(id))
		} else {
			err = errors.Join(err, a.modes.ForgetSpeaker(id, who))
		}
	}
	return err
}

// forgetChat forgets a normal conversation, or one person in it. Its frozen
// prompt has the profile of who spoke first: when that is the person, or nobody
// else spoke, all of it goes.
func (a *Agent) forgetChat(ctx context.Context, dir, id, who string) error {
	key := "chat " + id
	if err := a.locks.take(ctx, key, &claim{kind: job}); err != nil {
		return err
	}
	defer a.locks.release(key)
	log := filepath.Join(dir, id+".jsonl")
	if who != "" {
		records, _, err := conversation.Load(a.cfg.FS, log)
		if err != nil {
			return there(err)
		}
		speakers := conversation.Speakers(records)
		if !slices.Contains(speakers, who) {
			return nil
		}
		if speakers[0] != who {
			return errors.Join(conversation.Forget(a.cfg.FS, log, who), a.removeOf(dir, id, func(name string) bool {
				return name != id+".jsonl" && name != id+".system_prompt.md"
			}))
		}
	}
	return a.removeOf(dir, id, func(string) bool { return true })
}

// removeOf removes those files of a conversation that gone chooses, also what was
// kept aside of damaged ones.
func (a *Agent) removeOf(dir, id string, gone func(name string) bool) error {
	entries, err := a.cfg.FS.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), id+".") && gone(e.Name()) {
			if err := store.RemoveAll(a.cfg.FS, filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// forgetTraces throws away what else may hold somebody's words: kept answers,
// spoken sentences, and the log of contexts with its confirmed facts.
func (a *Agent) forgetTraces() error {
	for _, c := range []interface{ Clear() error }{a.cfg.Answers, a.cfg.Audio} {
		if err := c.Clear(); err != nil {
			return err
		}
	}
	return a.turnLog.clear()
}

// clear forgets all lines.
func (l *turnLog) clear() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.recent, l.unsaid, l.size = nil, 0, -1
	return errors.Join(store.RemoveAll(l.fs, l.path), store.RemoveAll(l.fs, l.path+".1"))
}
