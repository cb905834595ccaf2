package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"homebot/internal/config"
	"homebot/internal/phrases"
	"homebot/internal/speech"
)

// How soon a homebot-speech that ended is started again, and the longest wait
// between tries when it keeps ending.
const (
	speechRestartMin = 200 * time.Millisecond
	speechRestartMax = 10 * time.Second
)

// speechProcess is homebot-speech as a child on this machine: the ears and the
// voice. It is started on a free port, and again whenever it ends.
type speechProcess struct {
	args     []string // flags of serve beside those of every child
	env      []string // beside this process's own
	lang     string   // of what it says on stderr, "zh" or "en"
	stderr   io.Writer
	log      *slog.Logger
	addr     atomic.Pointer[string] // where it serves now, nil while it does not
	told     string                 // why it ended, as was logged last; Run alone uses it
	patience time.Duration          // for an answer of it: answerWait when 0
}

// speechFlags are serve's flags for what [speech] says. What it leaves to
// homebot-speech is left out. models is the directory of the models.
func speechFlags(cfg config.Config, models string) []string {
	c := cfg.Speech
	flags := engineFlags(cfg, models)
	if server := strings.Fields(c.Transcribe); len(server) >= 2 {
		flags = append(flags, "--transcribe", server[0], "--transcribe-url", server[1])
		if len(server) > 2 {
			flags = append(flags, "--transcribe-model", server[2])
		}
	}
	if c.Speed != "" {
		flags = append(flags, "--speed", strings.Join(strings.Fields(c.Speed), ""))
	}
	switch {
	case filepath.IsAbs(c.Voices):
		flags = append(flags, "--voices", c.Voices)
	case c.Voices != "":
		flags = append(flags, "--voices", filepath.Join(cfg.Workspace, c.Voices))
	}
	return flags
}

// engineFlags are those of speechFlags that choose the engine, which doctor asks
// with too.
func engineFlags(cfg config.Config, models string) []string {
	flags := []string{"--models", models}
	if cfg.Speech.Engine != config.EngineAuto {
		flags = append(flags, "--engine", cfg.Speech.Engine)
	}
	return flags
}

// speechSecrets are variables of the child's environment: unlike its flags other
// users of the machine do not see them.
func speechSecrets(cfg config.Config) []string {
	token := cfg.Speech.TranscribeToken
	if cfg.Speech.Transcribe == "" || !token.Set() {
		return nil
	}
	return []string{"HOMEBOT_TRANSCRIBE_TOKEN=" + token.Reveal()}
}

// errNoSpeech: the child does not serve at the moment.
var errNoSpeech = phrases.Errorf(phrases.SpeechNotRunning)

// Run keeps the child alive until ctx ends, and returns when it is gone.
func (p *speechProcess) Run(ctx context.Context) error {
	wait := speechRestartMin
	for ctx.Err() == nil {
		began := time.Now()
		err := p.once(ctx)
		p.addr.Store(nil)
		if ctx.Err() != nil {
			return nil
		}
		if told := fmt.Sprint(err); told != p.told { // once for the same reason
			p.told = told
			p.log.Error("homebot-speech ended; it is started again until it stays", "err", err)
		}
		if time.Since(began) > speechRestartMax {
			wait = speechRestartMin
		}
		pause(ctx, wait)
		wait = min(2*wait, speechRestartMax)
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// once is one life of the child.
func (p *speechProcess) once(ctx context.Context) error {
	exe, err := speechExecutable()
	if err != nil {
		return err
	}
	args := append([]string{"serve", "--lang", p.lang, "--listen", "127.0.0.1:0", "--stdin-lifeline"}, p.args...)
	if !p.log.Enabled(ctx, slog.LevelInfo) {
		args = append(args, "--quiet")
	}
	life, end := context.WithCancelCause(ctx)
	defer end(nil)
	c := exec.CommandContext(life, exe, args...)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 2 * time.Second
	c.Env = append(ownEnvironment(), p.env...)
	c.Stderr = p.stderr
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	lifeline, err := c.StdinPipe() // closes when this process dies, however it dies
	if err != nil {
		return err
	}
	defer lifeline.Close()
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return phrases.Errorf(phrases.SpeechNoStart, exe, err)
	}
	var beside sync.WaitGroup
	beside.Go(func() { p.supervise(life, end) })
	p.watch(out)
	err = c.Wait()
	end(err)
	beside.Wait()
	return cmp.Or(context.Cause(life), err)
}

// A child that serves and leaves hungAfter questions in a row unanswered hangs:
// it is ended and started again (V8), as systemd does with one of its own.
const (
	answerWait = 10 * time.Second // for one answer, and between two questions
	hungAfter  = 3
)

// errHung is why a child was ended.
var errHung = phrases.Errorf(phrases.SpeechHung)

// supervise ends the life of a child that hangs.
func (p *speechProcess) supervise(life context.Context, end context.CancelCauseFunc) {
	wait := cmp.Or(p.patience, answerWait)
	for missed := 0; missed < hungAfter; {
		if pause(life, wait); life.Err() != nil {
			return
		}
		if p.answers(life, wait) {
			missed = 0
		} else {
			missed++
		}
	}
	end(errHung)
}

// answers reports whether the child is still starting, or well.
func (p *speechProcess) answers(ctx context.Context, wait time.Duration) bool {
	addr := p.addr.Load()
	if addr == nil {
		return true
	}
	at, err := net.ResolveTCPAddr("tcp", *addr)
	if err != nil {
		return false
	}
	ctx, stop := context.WithTimeout(ctx, wait)
	defer stop()
	return speech.Live(ctx, at) == nil
}

// ownEnvironment is this process's without what systemd told this process alone:
// a child must not answer for the service.
func ownEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "NOTIFY_SOCKET=") || strings.HasPrefix(v, "WATCHDOG_")
	})
}

// locale is what tells services the language of what they say about themselves.
func locale(language string) string {
	return map[string]string{"zh": "zh_CN.UTF-8", "en": "en_US.UTF-8"}[language]
}

// watch reads the child's output to its end; the READY line has the address.
func (p *speechProcess) watch(out io.Reader) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		rest, ok := strings.CutPrefix(lines.Text(), "READY http://")
		if !ok {
			continue
		}
		addr, _, _ := strings.Cut(rest, " ")
		p.addr.Store(&addr)
		p.log.Info("homebot-speech is ready", "addr", addr, "line", rest)
	}
}

// dial connects to the child wherever it serves now. While it is starting, dial
// waits for it: a start takes a moment, and is no failure.
func (p *speechProcess) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	addr, err := p.address(ctx)
	if err != nil {
		return nil, err
	}
	var d net.Dialer
	return d.DialContext(ctx, network, addr)
}

// startPatience is how long a connection waits for a child that is starting.
const startPatience = 5 * time.Second

func (p *speechProcess) address(ctx context.Context) (string, error) {
	ctx, stop := context.WithTimeout(ctx, startPatience)
	defer stop()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		if addr := p.addr.Load(); addr != nil {
			return *addr, nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return "", errNoSpeech
		}
	}
}

// speechExecutable is homebot-speech beside this program, or in PATH.
func speechExecutable() (string, error) {
	if exe, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(exe), "homebot-speech")
		if info, err := os.Stat(beside); err == nil && !info.IsDir() {
			return beside, nil
		}
	}
	exe, err := exec.LookPath("homebot-speech")
	if err != nil {
		return "", phrases.Errorf(phrases.SpeechNoProgram)
	}
	return exe, nil
}
