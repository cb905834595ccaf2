package health

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"homebot/internal/event"
	"homebot/internal/phrases"
)

// clockEvery is how often the clock is looked at.
const clockEvery = 10 * time.Second

// earliest is before this program can have been built, for one that does not know
// when it was: a clock without a battery begins in 1970.
var earliest = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

var noTime = Finding{event.FaultClock, phrases.ClockUnset, phrases.ClockSet}

// Clock is the wall clock.
type Clock struct {
	Now          func() time.Time // nil: time.Now
	Built        time.Time        // an earlier time cannot be right
	Synchronised func() bool      // it was set from outside since the power came
	// Kept reports whether this machine's clock runs without power. nil: the
	// machine has a clock chip, or is no small board.
	Kept func() bool
}

// Check is what a Monitor looks at.
func (c *Clock) Check() *Check {
	return &Check{Codes: []string{event.FaultClock}, Every: clockEvery, Again: clockEvery, Ask: c.ask}
}

func (c *Clock) ask(context.Context) []Finding {
	if c.Wrong() {
		return []Finding{noTime}
	}
	return nil
}

// Wrong: a clock that says a time before this program was built is wrong; one that
// nobody has set and no battery kept may be.
func (c *Clock) Wrong() bool {
	now, kept := c.Now, c.Kept
	if now == nil {
		now = time.Now
	}
	if kept == nil {
		kept = func() bool { return clockChip("/") }
	}
	return now().Before(c.Built) || now().Before(earliest) || !kept() && !c.Synchronised()
}

// clockChip reports whether the kernel has a real-time clock. A machine that is
// no board with a device tree is believed to have one: containers hide it.
func clockChip(root string) bool {
	if _, err := os.Stat(filepath.Join(root, "proc/device-tree/model")); err != nil {
		return true
	}
	chips, err := filepath.Glob(filepath.Join(root, "sys/class/rtc/rtc*"))
	return err == nil && len(chips) > 0
}
