package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo terminal: what is typed into it, and what it showed.
type terminal struct {
	*os.File
	mu   sync.Mutex
	seen strings.Builder
}

// openTerminal returns both ends.
func openTerminal(t *testing.T) (mine *terminal, theirs *os.File) {
	t.Helper()
	ptmx, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	fd := int(ptmx.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80})
	}
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	if theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	mine = &terminal{File: ptmx}
	go func() {
		buf := make([]byte, 4<<10)
		for {
			n, err := ptmx.Read(buf)
			mine.mu.Lock()
			mine.seen.Write(buf[:n])
			mine.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { _ = ptmx.Close() })
	return mine, theirs
}

func (m *terminal) shows(what string, times int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.Count(m.seen.String(), what) >= times
}

// At a terminal a line can be edited and the one before it brought back, in
// Chinese too; Ctrl-D on an empty line and Ctrl-C end the talk, and leave the
// terminal as it was.
func TestChatAtATerminal(t *testing.T) {
	for name, leave := range map[string]string{"Ctrl-D": "\x04", "Ctrl-C": "half a line\x03"} {
		t.Run(name, func(t *testing.T) {
			h := newChineseHome(t)
			mine, theirs := openTerminal(t)
			before, err := unix.IoctlGetTermios(int(theirs.Fd()), unix.TCGETS)
			if err != nil {
				t.Fatal(err)
			}
			c := h.command("chat")
			c.Env = append(c.Env, "TERM=xterm")
			c.Stdin, c.Stdout, c.Stderr = theirs, theirs, theirs
			c.SysProcAttr.Setsid, c.SysProcAttr.Setctty = true, true
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- c.Wait() }()
			step := func(keys, shows string, times int) {
				t.Helper()
				_, _ = mine.WriteString(keys)
				within(t, patience, shows, func() bool { return mine.shows(shows, times) })
			}
			step("", "按 Ctrl-D 结束。\r\n", 1)
			step("", "> ", 1)
			step("现在今几点\x1b[D\x1b[D\x7f\r", "现在是", 1) // two to the left, one rubbed out
			step("\x1b[A\r", "现在是", 2)                // the line before
			_, _ = mine.WriteString(leave)
			select {
			case err := <-ended:
				if err != nil {
					t.Errorf("the talk ended with %v", err)
				}
			case <-time.After(patience):
				t.Fatal("the talk did not end")
			}
			after, err := unix.IoctlGetTermios(int(theirs.Fd()), unix.TCGETS)
			if err != nil || after.Lflag != before.Lflag || after.Iflag != before.Iflag {
				t.Errorf("the terminal was left in another mode (%v)", err)
			}
			if mine.shows("Ctrl-D ends", 1) {
				t.Error("it greets in both languages")
			}
			logs, _ := filepath.Glob(filepath.Join(h.workspace, "sessions/text/*.jsonl"))
			said := ""
			for _, l := range logs {
				data, err := os.ReadFile(l)
				if err != nil {
					t.Fatal(err)
				}
				said += string(data)
			}
			if strings.Count(said, `"user":"现在几点"`) != 2 || strings.Contains(said, "half") {
				t.Errorf("it heard\n%s", said)
			}
		})
	}
}
