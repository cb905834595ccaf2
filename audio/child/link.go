package child

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"time"

	"homebot/audio"
	"homebot/audio/internal/proc"
	"homebot/internal/phrases"
)

// Config says how to start a child and which device it opens. The zero value
// is the default device through this very program.
type Config struct {
	// Exe is the program, by default this one.
	Exe string
	// Args come before the child's own ("source", "--device", …), by default
	// audio-io.
	Args []string
	// Env is added to this process's environment.
	Env []string
	// Device is a device's name or a part of it; "" is the default device.
	Device string
	// Tap is told what a Sink plays. May be nil.
	Tap Tap
	// Log gets warnings: a device lost or back, samples lost. May be nil.
	Log *slog.Logger
}

const (
	// frameTimeout is how long a healthy card may be silent. It must cover one
	// 80 ms frame and the pauses of a busy Pi. Where it did not, it grows up to
	// longFrame for the calm time (see retry).
	frameTimeout = 500 * time.Millisecond
	longFrame    = 4 * time.Second
	// firstTimeout is the same for a device just opened: the library's start
	// takes up to 1.5 s on some machines. A Pi that is starting takes longer.
	firstTimeout = 3 * time.Second
	longFirst    = 24 * time.Second
	// calm is how long a device must not have been silent to be trusted again.
	calm = time.Minute
	// grace is the second look at a pipe that seemed silent.
	grace = 30 * time.Millisecond
	// flushTimeout leaves some of V6's 200 ms to the way there and back.
	flushTimeout = 120 * time.Millisecond
	// minPause and maxPause bound the time from one attempt's start to the
	// next: a device back is found within maxPause and the attempt's own time,
	// so within 5 s.
	minPause = 250 * time.Millisecond
	maxPause = 3 * time.Second
)

func (c Config) log() *slog.Logger {
	if c.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return c.Log
}

func (c Config) tap() Tap {
	if c.Tap == nil {
		return noTap{}
	}
	return c.Tap
}

// command is the child's command line for a role.
func (c Config) command(role string, frame int) (*exec.Cmd, error) {
	exe := c.Exe
	if exe == "" {
		var err error
		if exe, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	args := c.Args
	if args == nil {
		args = []string{"audio-io"}
	}
	args = append(args[:len(args):len(args)], role, "--device", c.Device, "--frame", strconv.Itoa(frame))
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), c.Env...)
	return cmd, nil
}

// link is a running child and the pipes to it.
type link struct {
	*reader
	*writer
	in, out  *os.File
	process  *proc.Process
	starting bool // it said that it initialises the library, and no more yet
	ready    *Ready
}

// dial starts a child.
func (c Config) dial(role string, frame int) (*link, error) {
	cmd, err := c.command(role, frame)
	if err != nil {
		return nil, err
	}
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer childIn.Close()
	out, childOut, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	defer childOut.Close()
	cmd.Stdin, cmd.Stdout = childIn, childOut
	p, err := proc.Start(cmd)
	if err != nil {
		in.Close()
		out.Close()
		return nil, phrases.Errorf(phrases.SoundNoStart, audio.ErrLost, err)
	}
	return &link{reader: newReader(out), writer: &writer{w: in}, in: in, out: out, process: p}, nil
}

// receive returns the next message that is not about the start, within the
// time; else an error that wraps ErrLost and says why.
func (l *link) receive(within time.Duration) (message, error) {
	for {
		if err := l.await(within); err != nil {
			return message{}, l.lost(err, within)
		}
		m, err := l.next()
		if err != nil {
			return m, l.lost(err, within)
		}
		switch m.kind {
		case kindStarting:
			l.starting = true
		case kindReady:
			l.ready = &Ready{}
			_ = json.Unmarshal(m.payload, l.ready) // ours; a bad one leaves zeroes
		case kindError:
			f := &failure{}
			if json.Unmarshal(m.payload, f) != nil {
				f.Text = "the sound child failed"
			}
			return m, f
		default:
			return m, nil
		}
	}
}

// errSilent is within an error that says that nothing came.
var errSilent = phrases.Errorf(phrases.SoundSilent)

// await waits until a message begins, and then allows it as long again. When the
// time is over it looks once more: if it was this process that was kept from
// running, the message is there.
func (l *link) await(within time.Duration) error {
	for _, d := range []time.Duration{within, grace} {
		_ = l.out.SetReadDeadline(time.Now().Add(d))
		_, err := l.reader.r.Peek(headerSize)
		if err == nil {
			return l.out.SetReadDeadline(time.Now().Add(within))
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return err
		}
	}
	return os.ErrDeadlineExceeded
}

// lost explains a broken or silent pipe.
func (l *link) lost(err error, within time.Duration) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return phrases.Errorf(phrases.SoundSilentFor, audio.ErrLost, errSilent, within)
	case l.starting && l.ready == nil:
		return phrases.Errorf(phrases.SoundGaveUp, audio.ErrLost)
	}
	return phrases.Errorf(phrases.SoundEnded, audio.ErrLost)
}

// kill ends the child at once. It does not wait for one that hangs in the
// kernel; proc reaps it.
func (l *link) kill() {
	l.process.Kill()
	l.in.Close()
	l.out.Close()
}

// Devices lists the sound devices as a fresh child sees them: they are read
// anew each time, so a device just plugged in is there.
func Devices(ctx context.Context, c Config) ([]Device, error) {
	l, err := c.dial("devices", 0)
	if err != nil {
		return nil, err
	}
	defer l.kill()
	stop := context.AfterFunc(ctx, l.process.Kill)
	defer stop()
	m, err := l.receive(firstTimeout)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	var list []Device
	if err := json.Unmarshal(m.payload, &list); err != nil || m.kind != kindDevices {
		return nil, phrases.Errorf(phrases.SoundNoList)
	}
	return list, nil
}

// retry paces the attempts to get a device back, and learns how slow this machine
// is: were the limits fixed, one that is slower would start children for ever and
// never hear. One goroutine uses it.
type retry struct {
	begun   time.Time // when the last attempt began
	pause   time.Duration
	starts  int       // in a row that were too slow
	stalls  int       // how often the working device was silent too long
	stalled time.Time // when it was last
}

// due is how long to wait before the next attempt.
func (r *retry) due(now time.Time) time.Duration {
	if r.begun.IsZero() {
		return 0
	}
	return max(r.begun.Add(r.pause).Sub(now), 0)
}

// attempt notes that one begins.
func (r *retry) attempt(now time.Time) {
	r.begun = now
	r.pause = min(max(2*r.pause, minPause), maxPause)
}

// reset notes that the device works: the next outage begins with short pauses.
func (r *retry) reset() { r.pause, r.starts = 0, 0 }

// failed notes why a child was given up.
func (r *retry) failed(l *link, err error, now time.Time) {
	switch {
	case l == nil || !errors.Is(err, errSilent):
	case l.ready == nil:
		r.starts++
	default:
		r.stalls, r.stalled = r.lately(now)+1, now
	}
}

// within is how long the next message of a child may take. The second start has no
// more time than the first: what hangs is mostly there again.
func (r *retry) within(l *link, now time.Time) time.Duration {
	if l.ready == nil {
		return grown(firstTimeout, r.starts-1, longFirst)
	}
	return grown(frameTimeout, r.lately(now), longFrame)
}

// lately is how often it stalled without a calm time since.
func (r *retry) lately(now time.Time) int {
	if now.Sub(r.stalled) > calm {
		return 0
	}
	return r.stalls
}

// grown is d doubled so many times, at most limit.
func grown(d time.Duration, times int, limit time.Duration) time.Duration {
	for ; times > 0 && d < limit; times-- {
		d *= 2
	}
	return min(d, limit)
}
