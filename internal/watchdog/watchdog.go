// Package watchdog tells systemd that homebot lives, and only when it does: every
// feed is preceded by a question to each part that could hang, which has to go
// through that part's own loop. A hung part means no feed, and systemd starts the
// service anew; a part that knows what it lacks (an unplugged microphone) answers,
// because a restart would not bring it back.
//
// Outside a service of Type=notify nothing is sent; a part that hangs is then
// only logged.
package watchdog

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// untold is how often the parts are asked where systemd named no limit.
const untold = 10 * time.Second

// Probe is one part that must answer.
type Probe struct {
	Name string
	// Ask returns nil when the part has taken a message. It must return when ctx
	// ends; until then it may wait.
	Ask func(ctx context.Context) error
}

// Config is what a Dog needs. The zero value of every field means what its
// comment says.
type Config struct {
	Probes []Probe
	// Ready returns when the service is ready: nil, or an error for never. nil:
	// at once.
	Ready func(ctx context.Context) error
	// Status is one line for `systemctl status`. nil: none.
	Status func() string
	// Limit is how long systemd waits between two feeds: WATCHDOG_USEC when 0.
	Limit time.Duration
	// Notify sends to systemd; nil: over NOTIFY_SOCKET.
	Notify func(state string) error
	Log    *slog.Logger // nil: no log
}

// Dog is the watchdog of one process.
type Dog struct {
	cfg    Config
	log    *slog.Logger
	every  time.Duration
	hung   string // what did not answer the last time
	status string // as it was sent last
	silent bool   // systemd could not be reached, which was logged
}

// New returns a Dog that does nothing until Run. It reads the environment.
func New(c Config) *Dog {
	d := &Dog{cfg: c, log: c.Log}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
	if d.cfg.Notify == nil {
		d.cfg.Notify = func(state string) error { _, err := daemon.SdNotify(false, state); return err }
	}
	if d.cfg.Limit == 0 {
		limit, err := daemon.SdWatchdogEnabled(false)
		if err != nil {
			d.log.Warn("the service's watchdog is not fed", "err", err)
		}
		d.cfg.Limit = limit
	}
	// A third: the answers may take as long as the wait, and one feed may be late.
	if d.every = d.cfg.Limit / 3; d.every == 0 {
		d.every = untold
	}
	return d
}

// Run says READY=1 once Config.Ready returns nil, then asks the parts and feeds
// until ctx ends, then says STOPPING=1. It returns nil; an error only when the
// service can never be ready.
func (d *Dog) Run(ctx context.Context) error {
	defer d.send(daemon.SdNotifyStopping)
	if d.cfg.Ready != nil {
		if err := d.cfg.Ready(ctx); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
	}
	d.send(daemon.SdNotifyReady + d.news())
	tick := time.NewTicker(d.every)
	defer tick.Stop()
	for {
		d.feed(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// feed asks every part, and feeds if all have answered.
func (d *Dog) feed(ctx context.Context) {
	asked, cancel := context.WithTimeout(ctx, d.every)
	defer cancel()
	hung := d.ask(asked)
	if ctx.Err() != nil {
		return
	}
	if hung != d.hung {
		d.hung = hung
		if hung != "" {
			d.log.Error("a part does not answer; the watchdog is not fed", "part", hung)
		} else {
			d.log.Info("all parts answer again")
		}
	}
	if hung != "" {
		d.send("STATUS=no answer from " + hung)
		d.status = ""
		return
	}
	d.send(daemon.SdNotifyWatchdog + d.news())
}

// ask returns what did not answer, "" for nothing. All are asked at once, so that
// one that hangs does not use up the others' time.
func (d *Dog) ask(ctx context.Context) string {
	errs := make([]error, len(d.cfg.Probes))
	var all sync.WaitGroup
	for i, p := range d.cfg.Probes {
		all.Go(func() { errs[i] = p.Ask(ctx) })
	}
	all.Wait()
	var hung []string
	for i, err := range errs {
		if err != nil {
			hung = append(hung, fmt.Sprintf("%s (%v)", d.cfg.Probes[i].Name, err))
		}
	}
	return strings.Join(hung, ", ")
}

// news is a STATUS= line when there is another one than before.
func (d *Dog) news() string {
	if d.cfg.Status == nil {
		return ""
	}
	s := strings.Join(strings.Fields(d.cfg.Status()), " ")
	if s == d.status {
		return ""
	}
	d.status = s
	return "\nSTATUS=" + s
}

// send tells systemd; a socket that cannot be reached is logged once.
func (d *Dog) send(state string) {
	err := d.cfg.Notify(state)
	if err != nil && !d.silent {
		d.log.Warn("systemd cannot be told", "err", err)
	}
	d.silent = err != nil
}
