package child_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
	"homebot/audio/child"
)

// The environment of this test binary when it is the child (the device's
// behaviour) or the child's parent (see TestChildDiesWithItsParent).
const (
	childEnv  = "HOMEBOT_TEST_DRIVER"
	parentEnv = "HOMEBOT_TEST_PARENT"
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(parentEnv) != "":
		parent()
	case os.Getenv(childEnv) != "":
		if child.Serve(context.Background(), os.Args[1:], os.Stdin, os.Stdout, driver(os.Getenv(childEnv))) != nil {
			os.Exit(1)
		}
	default:
		os.Exit(m.Run())
	}
}

// driver is a sound library in the child. Its value says how it behaves; a file
// name after a colon is the plug: without the file there is no device.
type driver string

func (d driver) plugged() bool {
	_, plug, ok := strings.Cut(string(d), ":")
	if !ok {
		return true
	}
	_, err := os.Stat(plug)
	return err == nil
}

func (d driver) is(word string) bool { return strings.HasPrefix(string(d), word) }

func (d driver) Devices() ([]child.Device, error) {
	if !d.plugged() {
		return nil, nil
	}
	return []child.Device{{Name: "toy", Inputs: 1, Outputs: 1, Rate: 16000, DefaultInput: true}}, nil
}

func (d driver) open(device string) error {
	switch {
	case d.is("abort"):
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case d.is("hang-at-open"):
		select {}
	case d.is("format"):
		return fmt.Errorf("%w: refuses 16000 Hz", audio.ErrFormat)
	case !d.plugged(), device == "banana":
		return fmt.Errorf("%w: no %q", audio.ErrNoDevice, device)
	}
	return nil
}

func (d driver) OpenInput(device string, _ int) (child.Input, child.Ready, error) {
	if err := d.open(device); err != nil {
		return nil, child.Ready{}, err
	}
	in := &toyInput{d: d}
	in.Say(counting())
	return in, child.Ready{Device: "toy", Rate: audio.CaptureRate, Latency: 10 * time.Millisecond}, nil
}

func (d driver) OpenOutput(device string, _ int) (child.Output, child.Ready, error) {
	if err := d.open(device); err != nil {
		return nil, child.Ready{}, err
	}
	return &toyOutput{d: d}, child.Ready{Device: "toy", Rate: audio.PlaybackRate, Latency: 40 * time.Millisecond}, nil
}

// counting is PCM whose every sample tells its place.
func counting() []int16 {
	pcm := make([]int16, 30000)
	for i := range pcm {
		pcm[i] = int16(i)
	}
	return pcm
}

type toyInput struct {
	audiotest.Source
	d     driver
	reads int
}

func (i *toyInput) Read(p []int16) (bool, error) {
	i.reads++
	if i.d.is("spin") && (i.reads == 3 || !i.d.plugged()) {
		for { // an unplugged card in the library: no frame, no error, one core
			if i.d.plugged() && i.reads != 3 {
				break
			}
		}
	}
	if !i.d.plugged() {
		return false, errors.New("gone")
	}
	_, err := i.Source.Read(p)
	return i.d.is("overflow") && i.reads == 2, err
}

type toyOutput struct {
	audiotest.Sink
	d     driver
	calls int
}

func (o *toyOutput) Start() error { return nil }
func (o *toyOutput) Stop() error  { return nil }
func (o *toyOutput) Abort() error { return o.Flush() }
func (o *toyOutput) Write(p []int16) error {
	o.calls++
	if o.d.is("deaf") && o.calls > 5 {
		select {}
	}
	if !o.d.plugged() {
		return errors.New("gone")
	}
	_, err := o.Sink.Write(p)
	return err
}

func config(behaviour string) child.Config {
	return child.Config{Args: []string{}, Env: []string{childEnv + "=" + behaviour}}
}

func source(t *testing.T, c child.Config) *child.Source {
	t.Helper()
	s := child.OpenSource(c)
	t.Cleanup(func() { s.Close() })
	return s
}

func sink(t *testing.T, c child.Config) *child.Sink {
	t.Helper()
	s := child.OpenSink(c)
	t.Cleanup(func() { s.Close() })
	return s
}

func TestConformance(t *testing.T) {
	audiotest.TestSource(t, func(t *testing.T) audio.Source { return source(t, config("good")) })
	audiotest.TestSink(t, func(t *testing.T) audio.Sink { return sink(t, config("good")) })
}

// V1: frames of 20 and 80 ms give the same samples, whatever Read asks for.
func TestFrames(t *testing.T) {
	s := source(t, config("good"))
	var heard []int16
	for i, n := range []int{100, 1280, 7, 320, 320, 3000, 1280, 1} {
		switch i {
		case 2:
			s.SetFrame(audio.SessionFrame)
		case 5:
			s.SetFrame(audio.WaitingFrame)
		}
		p := make([]int16, n)
		if k, err := s.Read(p); k != n || err != nil {
			t.Fatalf("Read = %d, %v", k, err)
		}
		heard = append(heard, p...)
	}
	if !slices.Equal(heard, counting()[:len(heard)]) {
		t.Error("samples are missing, doubled or out of order")
	}
	if d := s.Device(); d.Device != "toy" {
		t.Errorf("device %+v", d)
	}
}

// An overflow is counted and said; what was read is whole.
func TestOverflow(t *testing.T) {
	var log bytes.Buffer
	c := config("overflow")
	c.Log = slog.New(slog.NewTextHandler(&log, nil))
	s := source(t, c)
	p := make([]int16, 4*audio.WaitingFrame)
	if _, err := s.Read(p); err != nil {
		t.Fatal(err)
	}
	if s.Overflows() != 1 || !slices.Equal(p, counting()[:len(p)]) {
		t.Errorf("%d overflows", s.Overflows())
	}
	if !strings.Contains(log.String(), "level=WARN") {
		t.Errorf("logged %q", log.String())
	}
}

// V8: a card unplugged inside the library, which spins: the child is ended
// after 500 ms without a frame, the loss is told once, and the capture goes on
// within 5 s of the card's return.
func TestUnpluggedAndBack(t *testing.T) {
	plug := t.TempDir() + "/plug"
	put := func() {
		if err := os.WriteFile(plug, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put()
	s := source(t, config("spin:"+plug))
	p := make([]int16, audio.WaitingFrame)
	for range 2 {
		if _, err := s.Read(p); err != nil {
			t.Fatal(err)
		}
	}
	os.Remove(plug)
	begun := time.Now()
	if _, err := s.Read(p); !errors.Is(err, audio.ErrLost) {
		t.Fatalf("unplugged: %v", err)
	}
	if d := time.Since(begun); d < 400*time.Millisecond || d > 3*time.Second {
		t.Errorf("noticed after %v", d)
	}
	var returned time.Time
	time.AfterFunc(1200*time.Millisecond, func() { returned = time.Now(); put() })
	if _, err := s.Read(p); err != nil {
		t.Fatalf("told twice: %v", err)
	}
	if d := time.Since(returned); d > 5*time.Second {
		t.Errorf("back after %v", d)
	}
	if !slices.Equal(p, counting()[:len(p)]) {
		t.Error("the capture does not begin anew")
	}
}

// A device that is wrong, absent or kills its process: one line of the right
// kind.
func TestRefusals(t *testing.T) {
	for behaviour, want := range map[string]error{
		"format":         audio.ErrFormat,
		"good:/no/plug":  audio.ErrNoDevice,
		"abort":          audio.ErrLost,
		"good:/no/plug2": audio.ErrLost,
	} {
		_, err := source(t, config(behaviour)).Read(make([]int16, 16))
		_, err2 := sink(t, config(behaviour)).Write(make([]int16, 16))
		for _, err := range []error{err, err2} {
			if !errors.Is(err, want) || !errors.Is(err, audio.ErrLost) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v", behaviour, err)
			}
		}
	}
	c := config("good")
	c.Exe = "/no/such/program"
	if _, err := source(t, c).Read(make([]int16, 16)); !errors.Is(err, audio.ErrLost) {
		t.Errorf("no program: %v", err)
	}
	if _, err := child.Devices(t.Context(), c); err == nil {
		t.Error("no program lists devices")
	}
}

// A loudspeaker that hangs is ended, and Flush keeps its time.
func TestDeafSink(t *testing.T) {
	s := sink(t, config("deaf"))
	begun := time.Now()
	n, err := s.Write(make([]int16, audio.PlaybackRate))
	if !errors.Is(err, audio.ErrLost) || n > audio.PlaybackRate/2 || time.Since(begun) > 4*time.Second {
		t.Errorf("Write = %d, %v after %v", n, err, time.Since(begun))
	}
	const limit = 200 * time.Millisecond
	took := flushHanging(t)
	for try := 1; try < 3 && took > limit; try++ { // a busy machine is late for once
		took = flushHanging(t)
	}
	if took > limit {
		t.Errorf("V6: Flush of a hanging card took %v", took)
	}
}

// flushHanging is how long a Flush takes whose card hangs.
func flushHanging(t *testing.T) time.Duration {
	t.Helper()
	s := sink(t, config("deaf"))
	if _, err := s.Write(make([]int16, 6*480)); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if err := s.Flush(); err != nil {
		t.Error(err)
	}
	return time.Since(begun)
}

func TestDevices(t *testing.T) {
	list, err := child.Devices(t.Context(), config("good"))
	if err != nil || len(list) != 1 || list[0].Name != "toy" || !list[0].DefaultInput {
		t.Errorf("%+v, %v", list, err)
	}
}

// parent opens a microphone, says its child's id and waits to be killed.
func parent() {
	os.Unsetenv(parentEnv)
	s := child.OpenSource(config(os.Getenv(childEnv)))
	if _, err := s.Read(make([]int16, 16)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(childOf(os.Getpid()))
	select {}
}

// childOf is the first child of a process, 0 for none.
func childOf(pid int) int {
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, t := range tasks {
		b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, t.Name()))
		if f := strings.Fields(string(b)); len(f) > 0 {
			id, _ := strconv.Atoi(f[0])
			return id
		}
	}
	return 0
}

// The child dies with a killed parent, even while it spins in the library.
func TestChildDiesWithItsParent(t *testing.T) {
	for _, behaviour := range []string{"good", "spin"} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), parentEnv+"=1", childEnv+"="+behaviour)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var pid int
		if _, err := fmt.Fscan(out, &pid); err != nil || pid == 0 {
			t.Fatalf("the parent says %d, %v", pid, err)
		}
		cmd.Process.Kill()
		cmd.Wait()
		deadline := time.Now().Add(30 * time.Second)
		for syscall.Kill(pid, 0) == nil && !zombie(pid) {
			if time.Now().After(deadline) {
				syscall.Kill(pid, syscall.SIGKILL)
				t.Fatalf("%s: the child %d outlives its parent", behaviour, pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func zombie(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(b), ") Z ")
}

// The child ends with its stdin, and refuses what it does not understand.
func TestServeEnds(t *testing.T) {
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- child.Serve(t.Context(), []string{"source"}, r, io.Discard, driver("good")) }()
	w.Close()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Error("Serve goes on without a parent")
	}
	for _, args := range [][]string{nil, {"dance"}, {"source", "--frame", "x"}} {
		if child.Serve(t.Context(), args, strings.NewReader(""), io.Discard, driver("good")) == nil {
			t.Errorf("%q is taken", args)
		}
	}
}
