package modes

import (
	"errors"

	"homebot/internal/conversation"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/internal/store"
)

// Switching is what one turn does to the run mode: the attempts the model made,
// and what is left to do when the turn ends. It belongs to the goroutine of the
// turn.
type Switching struct {
	m     *Manager
	cat   *Catalogue
	raw   string // the user's words as heard
	lang  string
	began *Session // active when the turn began, nil if none
	now   *Session // active now: began, or entered in this turn
	enter *conversation.Enter
	exit  *conversation.Exit // to be carried out when the turn ends (R10)
	next  *Session           // begins after the exit
}

// Result answers a switch (R3). Say is what the user may be told: on refusal the
// words that would work, on success the mode's own line.
type Result struct {
	OK          bool   `json:"ok"`
	Reason      Reason `json:"reason"`
	Say         string `json:"say"`
	DisplayName string `json:"display_name,omitempty"`
	ExpiresAt   string `json:"expires_at,omitempty"`
	Note        string `json:"note,omitempty"`
}

// ReasonStorage: the words were right, but the disk refused. Not one of R3's
// reasons about words; without it the model would claim a mode that is not on.
const ReasonStorage Reason = "storage"

// Begin starts the mode side of a turn whose words, as heard, are raw. s is
// what Current returned; the Switching closes it.
func (m *Manager) Begin(s *Session, raw, lang string) *Switching {
	return &Switching{m: m, raw: raw, lang: lang, began: s, now: s}
}

// catalogue is scanned on the first attempt only: most turns switch nothing.
func (t *Switching) catalogue() *Catalogue {
	if t.cat == nil {
		t.cat = t.m.Registry.Scan()
	}
	return t.cat
}

// Exit asks to leave the active mode; modeID is "" or its id. An accepted exit
// is only a request, carried out by Finish (R10).
func (t *Switching) Exit(modeID, summary string) Result {
	if t.now == nil {
		return Result{Reason: NotActive, Say: phrases.ModeNotActive.In(t.lang)}
	}
	if modeID != "" && modeID != t.now.ModeID {
		return Result{Reason: NotActive, Say: phrases.ModeOtherNotActive.In(t.lang, t.nameOf(modeID))}
	}
	gate := t.catalogue().Gate()
	if v := gate.Exit(t.raw, t.now.ModeID); !v.OK {
		return Result{Reason: v.Reason, Say: gate.Say("exit", t.now.ModeID, t.lang)}
	}
	t.exit = &conversation.Exit{Reason: ExitUser, Summary: summary}
	t.dropNext()
	return Result{OK: true, DisplayName: t.now.DisplayName, Note: phrases.ModeWillEnd.In(t.lang, t.nameOf(t.now.ModeID))}
}

// Enter asks to enter a mode.
func (t *Switching) Enter(modeID string) Result {
	cat := t.catalogue()
	mode, ok := cat.Lookup(modeID)
	switch {
	case !ok && cat.IsBroken(modeID):
		return Result{Reason: BrokenMode, Say: phrases.ModeBroken.In(t.lang, modeID)}
	case !ok:
		return Result{Reason: UnknownMode, Say: phrases.ModeUnknown.In(t.lang, modeID)}
	}
	v := cat.Gate().Enter(t.raw, modeID)
	switch {
	case !v.OK:
		return Result{Reason: v.Reason, Say: cat.Gate().Say("enter", modeID, t.lang)}
	case t.now == nil:
		return t.enterNow(mode)
	case t.now.ModeID == modeID && (!v.Again || t.enter != nil):
		return t.stay(mode) // also one entered in this very turn: it is new already
	case t.next != nil && t.next.ModeID == modeID:
		return t.stayNext(mode)
	case t.now.ModeID == modeID:
		return t.enterNext(mode, ExitUser, phrases.ModeWillBeginAnew.In(t.lang, mode.NameIn(t.lang)))
	case v.SwitchTo:
		return t.enterNext(mode, ExitSwitched, phrases.ModeWillSwitch.In(t.lang, t.nameOf(t.now.ModeID), mode.NameIn(t.lang)))
	default:
		return Result{Reason: OtherActive, Say: phrases.ModeSwitchWords.In(t.lang, mode.NameIn(t.lang))}
	}
}

// stay: entering the active mode again changes nothing.
func (t *Switching) stay(mode Mode) Result {
	return Result{
		OK: true, DisplayName: t.now.DisplayName, ExpiresAt: t.now.ExpiresAt.Format(conversation.TimeLayout),
		Note: phrases.ModeAlreadyActive.In(t.lang, mode.NameIn(t.lang)),
	}
}

// stayNext: asking twice for what begins after this turn makes one session.
func (t *Switching) stayNext(mode Mode) Result {
	note := phrases.ModeWillSwitch.In(t.lang, t.nameOf(t.now.ModeID), mode.NameIn(t.lang))
	if mode.ID == t.now.ModeID {
		note = phrases.ModeWillBeginAnew.In(t.lang, mode.NameIn(t.lang))
	}
	return entered(t.next, mode, note)
}

// enterNow makes the session and then the truth on disk: from here on the mode
// is active, whatever becomes of the turn (R9).
func (t *Switching) enterNow(mode Mode) Result {
	if a, err := t.m.Active(); err == nil && a.Active { // another turn was faster
		return Result{Reason: OtherActive, Say: phrases.ModeSwitchWords.In(t.lang, mode.NameIn(t.lang))}
	}
	s, err := t.prepare(mode)
	if err != nil {
		return t.storageFailed(err)
	}
	t.m.mu.Lock()
	defer t.m.mu.Unlock()
	if err := t.m.write(s.Action); err != nil {
		_ = s.Close()
		return t.storageFailed(err)
	}
	t.now, t.enter = s, &conversation.Enter{ModeID: s.ModeID, SessionID: s.SessionID}
	t.m.Changed(s.Watched(), event.Switch{Action: "enter", ModeID: s.ModeID})
	return entered(s, mode, phrases.ModeEntered.In(t.lang, mode.NameIn(t.lang)))
}

// enterNext makes the session that begins when this turn has ended (R11).
func (t *Switching) enterNext(mode Mode, reason, note string) Result {
	s, err := t.prepare(mode)
	if err != nil {
		return t.storageFailed(err)
	}
	t.dropNext()
	t.next = s
	t.exit = &conversation.Exit{Reason: reason, Next: &conversation.Enter{ModeID: s.ModeID, SessionID: s.SessionID}}
	return entered(s, mode, note)
}

func (t *Switching) prepare(mode Mode) (*Session, error) {
	a := t.m.newAction(mode, t.m.Now())
	if err := t.m.create(a, t.m.Freeze(mode, t.m.staticLocked(mode, a))); err != nil {
		return nil, err
	}
	s, _, err := t.m.open(a)
	return s, err
}

func entered(s *Session, mode Mode, note string) Result {
	return Result{OK: true, Say: mode.OnEnter, DisplayName: s.DisplayName, ExpiresAt: s.ExpiresAt.Format(conversation.TimeLayout), Note: note}
}

func (t *Switching) storageFailed(err error) Result {
	t.m.Logger.Error("mode not entered", "err", err)
	say := phrases.NotSaved
	switch store.Why(err) {
	case store.Full:
		say = phrases.DiskFull
	case store.ReadOnly:
		say = phrases.DiskReadOnly
	}
	return Result{Reason: ReasonStorage, Say: say.In(t.lang)}
}

func (t *Switching) dropNext() {
	if t.next != nil {
		_ = t.next.Close()
		t.next = nil
	}
}

func (t *Switching) nameOf(id string) string {
	if m, ok := t.catalogue().Lookup(id); ok {
		return m.NameIn(t.lang)
	}
	return id
}

// Session is the mode session this turn belongs to: the one it was entered
// from, or the one it entered. Nil means normal mode.
func (t *Switching) Session() *Session { return t.now }

// Finish records the turn in its mode and carries out what was accepted: (1)
// the record with the intent, then (2)–(4) of R46. The turn is durable when
// recorded is true, even when err says that a later step is still to be done;
// it is then finished before the next turn. Without a mode nothing is recorded
// here.
func (t *Switching) Finish(r conversation.Record) (recorded bool, err error) {
	s := t.now
	if s == nil {
		return false, nil
	}
	r.Enter, r.Exit = t.enter, t.exit
	if err := s.Log.Append(r); err != nil {
		return false, err
	}
	if t.exit == nil {
		return true, nil
	}
	t.m.mu.Lock()
	defer t.m.mu.Unlock()
	t.dropNext()
	next, err := t.m.finishExit(s, r)
	return true, errors.Join(err, closeSession(next))
}

// Close lets go of the files. Call it when the turn is over, whatever happened.
func (t *Switching) Close() error {
	t.dropNext()
	err := closeSession(t.began)
	if t.now != t.began {
		err = errors.Join(err, closeSession(t.now))
	}
	return err
}

// Attempted reports whether the words hold a mode's name: only then may a
// switch be in the air.
func (t *Switching) Attempted() bool { return t.named() != "" }
