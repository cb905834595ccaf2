package modes

import (
	"time"
)

// Boot is what the machine knows about its clock. A board without a battery
// starts with a clock that is behind, until the network sets it (R51).
type Boot struct {
	// Synchronised reports whether the clock was set from outside. Nil means
	// that it always is.
	Synchronised func() bool
	// Uptime is the time since the machine was switched on. Nil means: since
	// the Manager was made.
	Uptime func() time.Duration
}

const (
	// noticedStep is a jump of the wall clock that is told: more than slewing
	// and a busy machine ever make of it.
	noticedStep = 2 * time.Second
	// rebasedStep is a jump that moves a session entered before the first
	// synchronisation (R51).
	rebasedStep = 60 * time.Second
	// bootSlack is how exactly uptime and wall clock agree.
	bootSlack = 5 * time.Second
)

// clockWatch compares the wall clock with the monotonic one.
type clockWatch struct {
	began    time.Time // carries the monotonic reading
	wall     time.Time // of the last look
	elapsed  time.Duration
	unsynced bool // nobody had set the clock at the last look
}

func newClockWatch(now time.Time, b Boot) clockWatch {
	return clockWatch{began: time.Now(), wall: now.Round(0), unsynced: b.Synchronised != nil && !b.Synchronised()}
}

// step is how far the wall clock jumped since the last look.
func (c *clockWatch) step(now time.Time) time.Duration {
	elapsed := time.Since(c.began)
	jump := now.Round(0).Sub(c.wall) - (elapsed - c.elapsed)
	c.wall, c.elapsed = now.Round(0), elapsed
	return jump
}

// CheckClock looks whether the wall clock was set since the last look. A session
// entered before the first synchronisation of this boot then gets the times it
// really has. Called every 10 s and before each turn, under the lock of the
// mode's conversation.
func (m *Manager) CheckClock() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.checkClock()
}

func (m *Manager) checkClock() error {
	before := m.clock.wall
	by := m.clock.step(m.Now())
	if by.Abs() < noticedStep {
		m.lookSynchronised()
		return nil
	}
	m.Logger.Warn("the clock was set", "by", by.Round(time.Millisecond))
	m.ClockStepped(by)
	first := m.clock.unsynced && by.Abs() > rebasedStep
	if !first {
		m.lookSynchronised()
		return nil
	}
	m.clock.unsynced = false // what follows is not the first one
	return m.rebase(before, by)
}

func (m *Manager) lookSynchronised() {
	if m.clock.unsynced {
		m.clock.unsynced = !m.Boot.Synchronised()
	}
}

// rebase moves the times of a session that was entered in this boot, when the
// clock showed before at the last look. Its ids and lines stay as they are.
func (m *Manager) rebase(before time.Time, by time.Duration) error {
	a, err := m.readPlain()
	if err != nil || !a.Active {
		return nil // damaged or missing is for the next turn to repair
	}
	up := time.Since(m.clock.began)
	if m.Boot.Uptime != nil {
		up = m.Boot.Uptime()
	}
	booted := m.clock.wall.Add(-by - up - bootSlack)
	if a.StartedAt.Before(booted) || a.StartedAt.After(before.Add(bootSlack)) {
		return nil
	}
	a.StartedAt = a.StartedAt.Add(by.Round(time.Second)).In(m.Now().Location())
	expires := DefaultExpires
	if mode, ok := m.Registry.Scan().Lookup(a.ModeID); ok {
		expires = mode.Expires
	}
	a.ExpiresAt = ExpiresAt(a.StartedAt, expires)
	m.Logger.Info("session moved with the clock", "session", a.SessionID, "started_at", a.StartedAt, "expires_at", a.ExpiresAt)
	return m.write(a)
}
