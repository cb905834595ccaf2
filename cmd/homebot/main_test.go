package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"homebot/internal/cli"
	"homebot/internal/conversation"
	"homebot/internal/engine"
	"homebot/internal/llm/llmtest"
	"homebot/internal/store"
)

// asHomebot makes the test binary be homebot: tests start real processes.
const asHomebot = "HOMEBOT_TEST_AS_HOMEBOT"

func TestMain(m *testing.M) {
	if os.Getenv(asHomebot) != "" {
		ctx, stop := cli.UntilTold()
		code := Main(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr)
		stop()
		os.Exit(code)
	}
	code := m.Run()
	_ = os.RemoveAll(speechDir)
	os.Exit(code)
}

// home is one workspace and the model that its processes talk to.
type home struct {
	t         testing.TB
	workspace string
	env       []string
	model     *llmtest.Server // nil: none configured
	console   string          // address of its console; see withConsole

	mu    sync.Mutex
	asked []llmtest.Request
}

// requests are those the model got so far.
func (h *home) requests() []llmtest.Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.asked)
}

// zone is where the tests' homes are: far from midnight, because at ten past a mode
// ends, in the middle of a test.
func zone() string {
	if h := time.Now().UTC().Hour(); h == 15 || h == 16 { // 23 and 0 o'clock in Shanghai
		return "Asia/Kolkata"
	}
	return "Asia/Shanghai"
}

// newHome makes a workspace; respond, if not nil, is its model.
func newHome(t testing.TB, respond func(llmtest.Request) llmtest.Step) *home {
	t.Helper()
	h := &home{t: t, workspace: filepath.Join(t.TempDir(), "ws")}
	h.env = append(h.env, "HOME="+t.TempDir(), "PATH="+os.Getenv("PATH"), "TZ="+zone(), asHomebot+"=1", "HOMEBOT_WORKSPACE="+h.workspace)
	if respond != nil {
		h.model = llmtest.NewResponder(t, func(r llmtest.Request) llmtest.Step {
			h.mu.Lock()
			h.asked = append(h.asked, r)
			h.mu.Unlock()
			return respond(r)
		})
		h.env = append(h.env, "OPENAI_BASE_URL="+h.model.URL, "OPENAI_API_KEY=sk-very-secret", "HOMEBOT_MODEL=scripted")
	}
	return h
}

func (h *home) command(args ...string) *exec.Cmd {
	if _, err := os.Stat(filepath.Join(h.workspace, "homebot.toml")); err != nil && args[0] == "run" {
		h.configure("")
	}
	c := exec.Command(os.Args[0], args...)
	c.Env = h.env
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return c
}

// once runs a command to its end.
func (h *home) once(stdin string, args ...string) (stdout, stderr string, code int) {
	h.t.Helper()
	c := h.command(args...)
	var out, errs bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(stdin), &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		h.t.Fatal(err)
	}
	if strings.Contains(out.String()+errs.String(), "sk-very-secret") {
		h.t.Error("the key was shown")
	}
	return out.String(), errs.String(), c.ProcessState.ExitCode()
}

// talk is a running `chat --json`.
type talk struct {
	t   testing.TB
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
	err *bytes.Buffer
}

func (h *home) talk(args ...string) *talk {
	h.t.Helper()
	c := h.command(append([]string{"chat", "--json"}, args...)...)
	k := &talk{t: h.t, cmd: c, err: &bytes.Buffer{}}
	var err error
	if k.in, err = c.StdinPipe(); err != nil {
		h.t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	c.Stderr = k.err
	k.out = bufio.NewScanner(out)
	k.out.Buffer(nil, 1<<20)
	if err := c.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = k.in.Close(); _ = c.Process.Kill(); _ = c.Wait() })
	return k
}

// say sends a line and reads its object.
func (k *talk) say(line string) engine.Outcome {
	k.t.Helper()
	o, err := k.trySay(line)
	if err != nil {
		k.t.Fatalf("%q: %v; stderr: %s", line, err, k.err)
	}
	return o
}

func (k *talk) trySay(line string) (engine.Outcome, error) {
	if _, err := io.WriteString(k.in, line+"\n"); err != nil {
		return engine.Outcome{}, err
	}
	if !k.out.Scan() {
		return engine.Outcome{}, errors.New("no answer")
	}
	var o engine.Outcome
	d := json.NewDecoder(bytes.NewReader(k.out.Bytes()))
	d.DisallowUnknownFields()
	return o, d.Decode(&o)
}

// end closes the input and waits for the exit code.
func (k *talk) end() int {
	k.t.Helper()
	_ = k.in.Close()
	for k.out.Scan() {
		k.t.Errorf("more on stdout: %s", k.out.Text())
	}
	_ = k.cmd.Wait()
	return k.cmd.ProcessState.ExitCode()
}

// kill is a power cut for the process.
func (k *talk) kill() {
	_ = k.cmd.Process.Kill()
	_ = k.cmd.Wait()
}

// action is action.json.
func (h *home) action() map[string]any {
	h.t.Helper()
	data, err := os.ReadFile(filepath.Join(h.workspace, "modes", "action.json"))
	if err != nil {
		h.t.Fatal(err)
	}
	var a map[string]any
	if err := json.Unmarshal(data, &a); err != nil {
		h.t.Fatal(err)
	}
	return a
}

// records are those of the logs that match pattern below the workspace.
func (h *home) records(pattern string) []conversation.Record {
	h.t.Helper()
	files, _ := filepath.Glob(filepath.Join(h.workspace, pattern))
	var all []conversation.Record
	for _, f := range files {
		if strings.HasSuffix(f, "context.jsonl") { // the cut records beside a dialogue
			continue
		}
		r, report, err := conversation.Load(store.OS(), f)
		if err != nil || report.Skipped() > 0 {
			h.t.Errorf("%s: %v %+v", f, err, report)
		}
		all = append(all, r...)
	}
	return all
}

// shared is a file of the test data beside the project; the test is skipped
// where it is absent.
func shared(t testing.TB, path string) string {
	t.Helper()
	root := os.Getenv("HOMEBOT_SHARED")
	if root == "" {
		root = "../../../shared"
	}
	full := filepath.Join(root, path)
	if _, err := os.Stat(full); err != nil {
		t.Skipf("%s is not here (set HOMEBOT_SHARED to the folder with the test data)", path)
	}
	return full
}

// reserved is an address of this machine that the system gives to nobody else until
// the test ends: nobody listens there, and a server may, again and again.
func reserved(t testing.TB) string {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	err = errors.Join(unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1),
		unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	at, atErr := unix.Getsockname(fd)
	if err := errors.Join(err, atErr); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("127.0.0.1:%d", at.(*unix.SockaddrInet4).Port)
}

// within waits until ok holds.
func within(t testing.TB, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(limit)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-deadline:
			t.Fatalf("not within %v: %s", limit, what)
		case <-tick.C:
		}
	}
}
