package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"homebot/internal/phrases"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// Serve is the child: one request from in, one response to out. It limits its own
// process first and must be the only thing that runs in it.
func Serve(in io.Reader, out io.Writer) error {
	if err := limit(); err != nil {
		return fmt.Errorf("limit the script: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(in, maxMessage))
	if err != nil {
		return err
	}
	var q request
	if err := json.Unmarshal(data, &q); err != nil {
		return fmt.Errorf("request of a script: %w", err)
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(run(q))
}

// limit bounds this process, for good: memory beyond what it has now, processor
// time, and no file may grow. The parent kills it at the deadline as well; these
// hold when there is no parent any more.
func limit() error {
	debug.SetMemoryLimit(maxData * 3 / 4)
	time.AfterFunc(2*deadline, func() { os.Exit(exitDeadline) })
	var errs []error
	set := func(what int, n uint64) {
		errs = append(errs, syscall.Setrlimit(what, &syscall.Rlimit{Cur: n, Max: n}))
	}
	set(syscall.RLIMIT_FSIZE, 0)
	set(syscall.RLIMIT_CORE, 0)
	set(syscall.RLIMIT_CPU, uint64((2*deadline)/time.Second))
	set(syscall.RLIMIT_DATA, dataNow()+maxData)
	return errors.Join(errs...)
}

// exitDeadline is the exit code of a child that outlived its time.
const exitDeadline = 3

// dataNow is what this process counts against RLIMIT_DATA already: mostly the
// stacks of its threads, whose size is the system's.
func dataNow() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if kb, ok := strings.CutPrefix(line, "VmData:"); ok {
			n, _ := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(kb), " kB"), 10, 64)
			return n << 10
		}
	}
	return 0
}

// options of the language: no while and no recursion, so that steps bound time.
var options = syntax.FileOptions{Set: true, TopLevelControl: true, GlobalReassign: true}

// run answers one request.
func run(q request) response {
	r, err := answer(q)
	if err != nil {
		return response{Error: where(err, q.File)}
	}
	return r
}

func answer(q request) (response, error) {
	thread := &starlark.Thread{Name: q.Call, Print: func(*starlark.Thread, string) {}}
	thread.SetMaxExecutionSteps(maxSteps)
	globals, err := starlark.ExecFileOptions(&options, thread, q.File, q.Source, predeclared())
	if err != nil {
		return response{}, err
	}
	entry, ok := globals[q.Name].(*starlarkstruct.Struct)
	if !ok {
		return response{}, phrases.Errorf(phrases.ScriptNoEntry, q.Name)
	}
	p := &program{thread: thread, entry: entry, call: q}
	switch q.Call {
	case callDescribe:
		return p.describe()
	case callStatic:
		return p.static()
	case callRuntime:
		return p.runtime()
	case callExit:
		return p.exit()
	case callTool:
		return p.tool()
	}
	return response{}, fmt.Errorf("unknown call %q", q.Call)
}

// where finds the line of the script that an error is about.
func where(err error, file string) *failure {
	f := located(err, file)
	var known *phrases.Error
	if errors.As(err, &known) {
		f.ZH = known.In(phrases.Chinese)
	}
	return f
}

func located(err error, file string) *failure {
	var se syntax.Error
	var re resolve.ErrorList
	var ee *starlark.EvalError
	switch {
	case errors.As(err, &se):
		return &failure{Line: int(se.Pos.Line), Reason: se.Msg}
	case errors.As(err, &re) && len(re) > 0:
		return &failure{Line: int(re[0].Pos.Line), Reason: re[0].Msg}
	case errors.As(err, &ee):
		f := &failure{Reason: oneLine(ee.Msg)}
		for _, frame := range ee.CallStack {
			if frame.Pos.Filename() == file {
				f.Line = int(frame.Pos.Line)
			}
		}
		if strings.Contains(f.Reason, "too many steps") {
			f.Reason, f.ZH = phrases.ScriptTooManySteps.EN, phrases.ScriptTooManySteps.ZH
		}
		return f
	}
	return &failure{Reason: oneLine(err.Error())}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
