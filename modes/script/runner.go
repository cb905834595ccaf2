package script

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/phrases"
	"homebot/modes"
	"homebot/skills"
)

// Config says how to start the child. The zero value is this very program.
type Config struct {
	Exe    string   // by default this program
	Args   []string // by default mode-script
	Env    []string // of the child; by default this process's without its secrets
	Logger *slog.Logger
}

// Runner makes plugins of scripts and runs their hooks, each in a process of its
// own. It is a modes.Scripts; any goroutine may use it.
type Runner struct {
	cfg    Config
	mu     sync.Mutex
	loaded map[[sha256.Size]byte]loaded
}

var _ modes.Scripts = (*Runner)(nil)

// loaded is what a script was found to hold, or why it cannot be used.
type loaded struct {
	plugin *modes.Plugin
	err    error
	until  time.Time // when to try again; zero: never, it is the script's own fault
}

// maxLoaded scripts are remembered; more are loaded anew at each look.
const maxLoaded = 64

// retryAfter is when a script that took too much time or memory is tried again:
// the machine may have been busy.
const retryAfter = 5 * time.Minute

// New returns a runner; nothing is started.
func New(c Config) *Runner {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return &Runner{cfg: c, loaded: map[[sha256.Size]byte]loaded{}}
}

// Load implements modes.Scripts. The same text is run once.
func (r *Runner) Load(file, name string, source []byte) (*modes.Plugin, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := sha256.Sum256(slices.Concat([]byte(file), []byte{0}, []byte(name), []byte{0}, source))
	if l, ok := r.loaded[key]; ok && (l.until.IsZero() || time.Now().Before(l.until)) {
		return l.plugin, l.err
	}
	s := script{r, request{File: file, Name: name, Source: string(source)}}
	var l loaded
	d, err := s.call(context.Background(), request{Call: callDescribe})
	if err == nil {
		l.plugin = s.plugin(d)
	} else if l.err = err; !isScripts(err) {
		l.until = time.Now().Add(retryAfter)
	}
	if len(r.loaded) >= maxLoaded {
		clear(r.loaded)
	}
	r.loaded[key] = l
	return l.plugin, l.err
}

// isScripts reports whether an error stands in the script itself and will be
// there again.
func isScripts(err error) bool {
	var he *modes.HookError
	return errors.As(err, &he) && he.Line > 0
}

// script is one loaded script.
type script struct {
	runner *Runner
	base   request // file, name and source
}

// plugin are the hooks that the script has.
func (s script) plugin(d response) *modes.Plugin {
	p := &modes.Plugin{}
	if slices.Contains(d.Hooks, callStatic) {
		p.StaticPrompt = s.static
	}
	if slices.Contains(d.Hooks, callRuntime) {
		p.RuntimeContext = s.runtime
	}
	if slices.Contains(d.Hooks, callExit) {
		p.AfterExit = s.exit
	}
	for _, t := range d.Tools {
		p.Tools = append(p.Tools, skills.Tool{
			Name: t.Name, Description: t.Description, Schema: t.Schema,
			Call: func(ctx context.Context, args json.RawMessage) string { return s.tool(ctx, t.Name, args) },
		})
	}
	return p
}

func (s script) static(ctx context.Context, sc modes.Scope) (string, error) {
	r, err := s.hook(ctx, sc, request{Call: callStatic})
	return r.Text, err
}

func (s script) runtime(ctx context.Context, sc modes.Scope) ([]modes.Field, error) {
	r, err := s.hook(ctx, sc, request{Call: callRuntime})
	fields := make([]modes.Field, len(r.Fields))
	for i, f := range r.Fields {
		fields[i] = modes.Field{Key: f[0], Value: f[1]}
	}
	return fields, err
}

func (s script) exit(ctx context.Context, sc modes.Scope, e modes.Ended) error {
	q := request{Call: callExit, Summary: e.Summary}
	for _, t := range e.Turns {
		q.Turns = append(q.Turns, turn{
			Time: t.Timestamp.Format(conversation.TimeLayout), Speaker: t.SpeakerID, User: t.User, Assistant: t.Assistant, Failed: t.Failed != "",
		})
	}
	_, err := s.hook(ctx, sc, q)
	return err
}

// tool runs a tool; what goes wrong is text for the model and a line in the log.
func (s script) tool(ctx context.Context, name string, args json.RawMessage) string {
	sc, err := modes.ScopeOf(ctx)
	if err != nil {
		return skills.Failed(err)
	}
	if !json.Valid(args) {
		args = nil
	}
	r, err := s.hook(ctx, sc, request{Call: callTool, Tool: name, Args: args})
	if err != nil && ctx.Err() != nil {
		return skills.Failed(ctx.Err()) // the turn was broken off
	}
	if err != nil {
		s.runner.cfg.Logger.Error("script failed", "mode", sc.ModeID, "tool", name, "err", err)
		var he *modes.HookError
		if errors.As(err, &he) {
			err = errors.New(he.Reason)
		}
		return skills.Failed(err)
	}
	return r.Text
}

// hook runs one hook and then carries out what it wants written.
func (s script) hook(ctx context.Context, sc modes.Scope, q request) (response, error) {
	q.Scope = &scope{
		ModeID: sc.ModeID, SessionID: sc.SessionID, Now: sc.Now.Format(conversation.TimeLayout), Lang: sc.Lang, DataDir: sc.Data.Dir(),
		Facts: []string{},
	}
	for _, f := range sc.Facts {
		q.Scope.Facts = append(q.Scope.Facts, f.Text)
	}
	r, err := s.call(ctx, q)
	if err != nil {
		return response{}, err
	}
	for _, w := range r.Writes {
		if err := sc.Data.Replace(w.Path, []byte(w.Text)); err != nil {
			return response{}, fmt.Errorf("write %s for the script: %w", w.Path, err)
		}
	}
	return r, nil
}

// call runs the child for one request. The error is a *modes.HookError unless
// the child could not be started.
func (s script) call(ctx context.Context, q request) (response, error) {
	q.File, q.Name, q.Source = s.base.File, s.base.Name, s.base.Source
	in, err := json.Marshal(q)
	if err != nil {
		return response{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	cmd, err := s.runner.command(ctx)
	if err != nil {
		return response{}, err
	}
	out := &capped{limit: maxMessage}
	complaint := &capped{limit: 4096}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), out, complaint
	if err := cmd.Run(); err != nil {
		return response{}, s.died(ctx, err, complaint.Bytes())
	}
	var r response
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return response{}, s.fails(phrases.ScriptMute)
	}
	if r.Error != nil {
		return response{}, &modes.HookError{File: s.base.File, Line: r.Error.Line, Reason: r.Error.Reason, ZH: r.Error.ZH}
	}
	return r, nil
}

// died says why the child gave no answer.
func (s script) died(ctx context.Context, err error, complaint []byte) error {
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return s.fails(phrases.ScriptTooLong, deadline)
	case ctx.Err() != nil:
		return ctx.Err()
	case outOfMemory(complaint):
		return s.fails(phrases.ScriptTooMuch, maxData>>20)
	case errors.As(err, &exit):
		first, _, _ := bytes.Cut(complaint, []byte("\n"))
		return s.fails(phrases.ScriptEnded, err, first)
	}
	return fmt.Errorf("start the script's process: %w", err)
}

// fails is what went wrong with the script as a whole.
func (s script) fails(says phrases.Phrase, args ...any) error {
	return modes.HookError{File: s.base.File}.Says(phrases.Errorf(says, args...))
}

// outOfMemory: refused memory ends a Go process in one of these ways; nothing else
// that a script can do ends it so.
func outOfMemory(complaint []byte) bool {
	for _, sign := range []string{"out of memory", "cannot allocate", "failed to allocate", "SIGSEGV", "fatal error:", "newosproc"} {
		if bytes.Contains(complaint, []byte(sign)) {
			return true
		}
	}
	return false
}

// command starts this program again with nothing of its environment that a
// script has no business with.
func (r *Runner) command(ctx context.Context) (*exec.Cmd, error) {
	exe, args := r.cfg.Exe, r.cfg.Args
	if exe == "" {
		var err error
		if exe, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	if args == nil {
		args = []string{"mode-script"}
	}
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.WaitDelay = time.Second
	cmd.Dir = "/"
	env := r.cfg.Env
	if env == nil {
		env = slices.DeleteFunc(os.Environ(), isSecret)
	}
	cmd.Env = append(slices.Clip(env), "GOMAXPROCS=1", "GOTRACEBACK=none")
	return cmd, nil
}

// isSecret reports whether an environment entry is called like a secret. A
// script cannot read its environment; its process should not even have them.
func isSecret(entry string) bool {
	name, _, _ := strings.Cut(strings.ToUpper(entry), "=")
	return slices.ContainsFunc([]string{"KEY", "TOKEN", "SECRET", "PASSWORD"}, func(w string) bool { return strings.Contains(name, w) })
}

// capped keeps the beginning of what is written and refuses the rest.
type capped struct {
	bytes.Buffer
	limit int
}

// Write implements io.Writer.
func (c *capped) Write(p []byte) (int, error) {
	if room := c.limit - c.Len(); len(p) > room {
		_, _ = c.Buffer.Write(p[:max(room, 0)])
		return len(p), nil // the child is not blocked; a cut answer cannot be read
	}
	return c.Buffer.Write(p)
}

var _ io.Writer = (*capped)(nil)
