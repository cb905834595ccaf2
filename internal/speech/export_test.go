package speech

import (
	"errors"
	"time"
)

// The clockwork, for tests that watch it.
const (
	PingEvery = pingEvery
	DeadAfter = deadAfter
	ReadyWait = readyWait
	LoadLimit = loadLimit
	Queue     = outMessage
)

func stoppedTimer() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

func asRefusal(err error, no **refusal) bool { return errors.As(err, no) }
