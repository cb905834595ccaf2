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

// In a room, what the loudspeaker plays is heard by the microphone: later, and
// as loud as the room says, by each of its ways.
func TestEcho(t *testing.T) {
	card := audiotest.SoundServer(t)
	if err := card.Echo(t.Context(), virtual.Reflection{After: 40 * time.Millisecond}, virtual.Reflection{After: 140 * time.Millisecond, Gain: -12}); err != nil {
		t.Fatal(err)
	}
	mic := exec.CommandContext(t.Context(), "pacat", "--record", "--raw", "--format=s16le", "--channels=1", "--rate=16000", "--latency-msec=20")
	mic.Env = append(os.Environ(), card.Env()...)
	out, err := mic.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := mic.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := audio.ReadPCM(out, make([]int16, 100)); err != nil {
		t.Fatal(err)
	}
	ref := audiotest.Babble(6, 200*time.Millisecond, audio.CaptureRate)
	play := exec.CommandContext(t.Context(), "pacat", "--playback", "--raw", "--format=s16le", "--channels=1", "--rate=16000", "--device=speaker")
	play.Env = append(os.Environ(), card.Env()...)
	play.Stdin = audio.NewByteReader(ref)
	if out, err := play.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	heard := make([]int16, 2*audio.CaptureRate)
	if _, err := audio.ReadPCM(out, heard); err != nil {
		t.Fatal(err)
	}
	mic.Process.Kill()
	mic.Wait()
	at, rho := audiotest.Match(ref, heard)
	first := audiotest.Level(heard[at : at+len(ref)/4]) // alone: the second way is longer
	if want := audiotest.Level(ref[:len(ref)/4]); rho < 0.9 || first < 0.9*want || first > 1.1*want {
		t.Errorf("the first way: correlation %.3f, level %.0f of %.0f", rho, first, want)
	}
	tail := at + len(ref) + 10*audio.CaptureRate/1000 // only the second way
	second := audiotest.Level(heard[tail : tail+70*audio.CaptureRate/1000])
	if whole := audiotest.Level(ref); second < whole/8 || second > whole/2 {
		t.Errorf("the second way: level %.0f beside %.0f", second, whole)
	}
}
