package virtual_test

import (
	"errors"
	"fmt"
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
	"homebot/internal/phrases"
)

// What is played on the card's loudspeaker is what Loudspeaker gives; what is
// spoken into its microphone is what a recorder of it gets. Kill and Revive
// leave it as it was. A machine that is busy for longer than a buffer tears a
// hole; three times in a row it is our fault.
func TestCard(t *testing.T) {
	card := audiotest.SoundServer(t)
	card.Kill()
	if err := card.Revive(t.Context()); err != nil {
		t.Fatal(err)
	}
	ref := audiotest.Babble(5, time.Second, audio.CaptureRate)
	rho := 0.0
	for try := 0; try < 3 && rho < 0.99; try++ {
		heard := record(t, card, func() {
			if err := card.Speak(t.Context(), ref); err != nil {
				t.Fatal(err)
			}
		})
		_, rho = audiotest.Match(ref, heard)
	}
	if rho < 0.99 {
		t.Errorf("spoken and recorded: correlation %.4f", rho)
	}
}

// record is what the card's microphone hears for three seconds from when do begins.
func record(t *testing.T, card *virtual.Card, do func()) []int16 {
	t.Helper()
	rec := exec.CommandContext(t.Context(), "pacat", "--record", "--raw", "--format=s16le", "--channels=1", "--rate=16000", "--latency-msec=20")
	rec.Env = append(os.Environ(), card.Env()...)
	out, err := rec.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := rec.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rec.Process.Kill(); _ = rec.Wait() }()
	if _, err := audio.ReadPCM(out, make([]int16, 100)); err != nil {
		t.Fatal(err)
	}
	do()
	heard := make([]int16, 3*audio.CaptureRate)
	if _, err := audio.ReadPCM(out, heard); err != nil {
		t.Fatal(err)
	}
	return heard
}

// Each impossible start is one line that says what to do.
func TestStartRefuses(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("x", 120))
	t.Run("no pulseaudio", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		_, err := virtual.Start(t.Context(), t.TempDir())
		if !errors.Is(err, virtual.ErrMissing) || !strings.Contains(err.Error(), "apt-get install pulseaudio") ||
			!strings.Contains(phrases.Told(err, phrases.Chinese), "pulseaudio 没有安装；请运行 apt-get install") {
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
// as loud as the room says, by each of its ways. Three tries, as in TestCard.
func TestEcho(t *testing.T) {
	card := audiotest.SoundServer(t)
	if err := card.Echo(t.Context(), virtual.Reflection{After: 40 * time.Millisecond}, virtual.Reflection{After: 140 * time.Millisecond, Gain: -12}); err != nil {
		t.Fatal(err)
	}
	wrong := "not tried"
	for try := 0; try < 3 && wrong != ""; try++ {
		if wrong = echoed(t, card); wrong != "" {
			t.Log(wrong)
		}
	}
	if wrong != "" {
		t.Error(wrong)
	}
}

// echoed says what is wrong with the two ways of a sound, "" if nothing is.
func echoed(t *testing.T, card *virtual.Card) string {
	t.Helper()
	ref := audiotest.Babble(6, 200*time.Millisecond, audio.CaptureRate)
	heard := record(t, card, func() {
		play := exec.CommandContext(t.Context(), "pacat", "--playback", "--raw", "--format=s16le", "--channels=1", "--rate=16000", "--device=speaker")
		play.Env = append(os.Environ(), card.Env()...)
		play.Stdin = audio.NewByteReader(ref)
		if out, err := play.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	})
	at, rho := audiotest.Match(ref, heard)
	tail := at + len(ref) + 10*audio.CaptureRate/1000 // only the second way
	if tail+70*audio.CaptureRate/1000 > len(heard) {
		return fmt.Sprintf("heard at %d of %d", at, len(heard))
	}
	first := audiotest.Level(heard[at : at+len(ref)/4]) // alone: the second way is longer
	if want := audiotest.Level(ref[:len(ref)/4]); rho < 0.9 || first < 0.9*want || first > 1.1*want {
		return fmt.Sprintf("the first way: correlation %.3f, level %.0f of %.0f", rho, first, want)
	}
	second := audiotest.Level(heard[tail : tail+70*audio.CaptureRate/1000])
	if whole := audiotest.Level(ref); second < whole/8 || second > whole/2 {
		return fmt.Sprintf("the second way: level %.0f beside %.0f", second, whole)
	}
	return ""
}
