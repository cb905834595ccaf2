package virtual_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
	"homebot/audio/virtual"
)

// What is played on the card's loudspeaker is what Loudspeaker gives; what is
// spoken into its microphone is what a recorder of it gets. Kill and Revive
// leave it as it was.
func TestCard(t *testing.T) {
	card := audiotest.SoundServer(t)
	card.Kill()
	if err := card.Revive(t.Context()); err != nil {
		t.Fatal(err)
	}
	ref := audiotest.Babble(5, time.Second, audio.CaptureRate)
	rec := exec.CommandContext(t.Context(), "pacat", "--record", "--raw", "--format=s16le", "--channels=1", "--rate=16000", "--latency-msec=20")
	rec.Env = append(os.Environ(), card.Env()...)
	out, err := rec.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := rec.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := audio.ReadPCM(out, make([]int16, 100)); err != nil {
		t.Fatal(err)
	}
	if err := card.Speak(t.Context(), ref); err != nil {
		t.Fatal(err)
	}
	heard := make([]int16, audio.CaptureRate*5/4)
	if _, err := audio.ReadPCM(out, heard); err != nil {
		t.Fatal(err)
	}
	rec.Process.Kill()
	rec.Wait()
	if _, rho := audiotest.Match(ref, heard); rho < 0.99 {
		t.Errorf("spoken and recorded: correlation %.4f", rho)
	}
}

// Each impossible start is one line that says what to do.
func TestStartRefuses(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("x", 120))
	t.Run("no pulseaudio", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		_, err := virtual.Start(t.Context(), t.TempDir())
		if !errors.Is(err, virtual.ErrMissing) || !strings.Contains(err.Error(), "apt-get install pulseaudio") {
			t.Error(err)
		}
	})
	if _, err := exec.LookPath("pulseaudio"); err != nil {
		t.Skip(err)
	}
	if _, err := virtual.Start(t.Context(), long); err == nil || !strings.Contains(err.Error(), "shorter directory") {
		t.Error(err)
	}
	if _, err := virtual.Start(t.Context(), "/dev/null/x"); !errors.Is(err, syscall.ENOTDIR) {
		t.Error(err)
	}
}
