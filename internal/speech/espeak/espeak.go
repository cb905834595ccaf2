// Package espeak speaks through the espeak-ng program, in Mandarin and English:
// robotic, but everywhere, at once, and without a model.
//
// A text that mixes both languages is split by script; each part is spoken by
// its own voice, in order. The program is run as a subprocess, not linked (its
// licence is GPL-3), once for each part: about 30 ms.
package espeak

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"homebot/audio"
	"homebot/internal/speech"
)

// ErrMissing says that espeak-ng is not installed; phrases.EspeakMissing says it
// to a user.
var ErrMissing = errors.New("espeak-ng is missing: install it with apt-get install espeak-ng")

// The voices. Debian's 1.51 has a Mandarin voice "cmn" that spells pinyin in
// English; cmn-latn-pinyin takes Han characters and speaks Mandarin.
const (
	voiceMandarin = "cmn-latn-pinyin"
	voiceEnglish  = "en-us"
)

// Defaults, a little calmer and lower than espeak-ng's own (175 and 50), for a
// noisy room. Chosen, not measured.
const (
	defaultWords = 160
	defaultPitch = 45
)

// Range of words a minute that espeak-ng takes.
const minWords, maxWords = 80, 450

// Config of a Synthesizer; the zero value works.
type Config struct {
	Path  string // of the program; "" is espeak-ng, looked for in PATH
	Words int    // words a minute at speed 1; 0 is 160
	Pitch int    // 1 to 99; 0 is 45
}

// Synthesizer is a speech.Synthesizer. It keeps no state: any number of
// goroutines may use it.
type Synthesizer struct{ cfg Config }

var (
	_ speech.Synthesizer = (*Synthesizer)(nil)
	_ speech.Pacer       = (*Synthesizer)(nil)
	_ speech.Checker     = (*Synthesizer)(nil)
)

// New makes a Synthesizer. It starts nothing; Check says whether it can work.
func New(cfg Config) *Synthesizer {
	if cfg.Path == "" {
		cfg.Path = "espeak-ng"
	}
	if cfg.Words == 0 {
		cfg.Words = defaultWords
	}
	if cfg.Pitch == 0 {
		cfg.Pitch = defaultPitch
	}
	return &Synthesizer{cfg}
}

// Check returns an error that wraps ErrMissing when the program is not there.
func (s *Synthesizer) Check(context.Context) error {
	if _, err := exec.LookPath(s.cfg.Path); err != nil {
		return ErrMissing
	}
	return nil
}

// Speak speaks text; see speech.Synthesizer. lang decides for what belongs to
// no script, such as a bare number. A text without anything to say is silence.
// When ctx ends the program is killed and ctx's error returned.
func (s *Synthesizer) Speak(ctx context.Context, text, lang string, emit func([]int16) error) error {
	return s.SpeakAt(ctx, text, lang, 1, emit)
}

// SpeakAt is Speak at a speed.
func (s *Synthesizer) SpeakAt(ctx context.Context, text, lang string, speed float64, emit func([]int16) error) error {
	parts := split(neutralise(text), lang)
	for i, p := range parts {
		if err := s.run(ctx, p, speed, i == len(parts)-1, emit); err != nil {
			return err
		}
	}
	return nil
}

// args of the program for one part. The text is never among them.
func (s *Synthesizer) args(lang string, speed float64, last bool) []string {
	voice := voiceEnglish
	if lang == "zh" {
		voice = voiceMandarin
	}
	words := min(max(int(float64(s.cfg.Words)*speed), minWords), maxWords)
	args := []string{"-v", voice, "-b", "1", "-s", strconv.Itoa(words), "-p", strconv.Itoa(s.cfg.Pitch), "--stdin", "--stdout"}
	if !last {
		args = append(args, "-z") // no sentence pause before the other voice goes on
	}
	return args
}

// killWait is how long the program's pipes may stay open after it was killed.
const killWait = time.Second

// run speaks one part with one process.
func (s *Synthesizer) run(ctx context.Context, p part, speed float64, last bool, emit func([]int16) error) error {
	child, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(child, s.cfg.Path, s.args(p.lang, speed, last)...)
	cmd.Env = environ()
	cmd.Stdin = strings.NewReader(p.text)
	cmd.WaitDelay = killWait
	var complaint strings.Builder
	cmd.Stderr = &limited{w: &complaint, left: 500}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("espeak-ng: %w", err)
	}
	if err := cmd.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
			return ErrMissing
		}
		return fmt.Errorf("espeak-ng: %w", err)
	}
	err = convert(out, emit)
	if err != nil {
		cancel()
	}
	waited := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case waited != nil && child.Err() == nil || errors.Is(err, errNotWav):
		return fmt.Errorf("espeak-ng failed: %s", reason(waited, complaint.String()))
	}
	return err
}

// reason is the program's own complaint, or how it ended, in one line.
func reason(err error, complaint string) string {
	if line := strings.Join(strings.Fields(complaint), " "); line != "" {
		return line
	}
	if err == nil {
		return errNotWav.Error()
	}
	return err.Error()
}

// environ is what the program needs and nothing else: no secret of ours. Without
// a UTF-8 locale it would read Han characters as bytes.
func environ() []string {
	env := []string{"LC_ALL=C.UTF-8", "LANG=C.UTF-8"}
	for _, key := range []string{"PATH", "HOME", "ESPEAK_DATA_PATH", "LD_LIBRARY_PATH"} {
		if v, ok := os.LookupEnv(key); ok {
			env = append(env, key+"="+v)
		}
	}
	return env
}

// errNotWav is what convert answers to a program that writes something else.
var errNotWav = errors.New("no wav file came")

// convert reads the wav file that the program streams (its sizes are
// placeholders) and emits it at 24 kHz.
func convert(r io.Reader, emit func([]int16) error) error {
	in := bufio.NewReaderSize(r, 8<<10)
	head := make([]byte, 44)
	n, err := io.ReadFull(in, head)
	if n == 0 && errors.Is(err, io.EOF) {
		return errNotWav
	}
	if err != nil || string(head[:4]) != "RIFF" || string(head[36:40]) != "data" {
		return errNotWav
	}
	rs, err := audio.NewResampler(int(binary.LittleEndian.Uint32(head[24:])), speech.PlaybackRate)
	if err != nil {
		return err
	}
	return pump(in, rs, emit)
}

// chunk is what is emitted at a time: 50 ms at espeak-ng's 22,050 Hz, so that
// the first audio does not wait for more.
const chunk = 22050 / 20

func pump(in io.Reader, rs *audio.Resampler, emit func([]int16) error) error {
	raw := make([]byte, 2*chunk)
	pcm := make([]int16, chunk)
	for {
		n, err := io.ReadFull(in, raw)
		for i := range n / 2 {
			pcm[i] = int16(binary.LittleEndian.Uint16(raw[2*i:]))
		}
		out := rs.Process(nil, pcm[:n/2])
		last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if last {
			out = rs.Flush(out)
		}
		if len(out) > 0 {
			if err := emit(out); err != nil {
				return err
			}
		}
		if last {
			return nil
		}
		if err != nil {
			return fmt.Errorf("espeak-ng: %w", err)
		}
	}
}

// limited keeps the first bytes written and takes the rest.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	_, _ = l.w.Write(p[:n])
	return len(p), nil
}
