package sherpa

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"homebot/internal/phrases"
	"homebot/internal/speech"
	"homebot/internal/speech/models"
)

// Trial is one model to be tried: loaded, and made to work for a moment.
type Trial struct {
	Name    string `json:"name"`    // for messages
	Purpose string `json:"purpose"` // models.PurposeVAD, …
	Kind    string `json:"kind"`
	Path    string `json:"path"` // directory, or file of a vad or speaker model
	Lang    string `json:"lang"` // of a voice
}

// Figures are what a trial measured on this machine.
type Figures struct {
	Load   time.Duration `json:"load"`
	RTF    float64       `json:"rtf"`     // compute time / audio time
	Memory int           `json:"peak_mb"` // of the whole process, at its highest
	Heard  string        `json:"heard"`   // by a recogniser that was given a recording
}

// Run loads the model in this process and makes it work on pcm (16 kHz; nil is
// two seconds of made-up sound). The library may end the process: see Probe.
func (t Trial) Run(pcm []int16) (Figures, error) { return t.run(pcm, library) }

func (t Trial) run(pcm []int16, lib loader) (f Figures, err error) {
	if pcm == nil {
		pcm = hum(2)
	}
	began := time.Now()
	work, free, err := t.load(lib)
	if err != nil {
		return f, err
	}
	defer free()
	f.Load = time.Since(began)
	began = time.Now()
	audio, heard, err := work(pcm)
	if err != nil {
		return f, err
	}
	f.RTF = time.Since(began).Seconds() / max(audio.Seconds(), 1e-3)
	f.Heard, f.Memory = heard, peakMemory()
	return f, nil
}

// work makes a model work on pcm and says how much audio that was.
type work func(pcm []int16) (audio time.Duration, heard string, err error)

func seconds(samples, hz int) time.Duration {
	return time.Duration(samples) * time.Second / time.Duration(hz)
}

// load loads the model. free is called once.
func (t Trial) load(lib loader) (w work, free func(), err error) {
	switch t.Purpose {
	case models.PurposeVAD:
		return t.loadVAD(lib)
	case models.PurposeWake:
		return t.loadWake(lib)
	case models.PurposeSTT:
		return t.loadSTT(lib)
	case models.PurposeTTS:
		return t.loadTTS(lib)
	case models.PurposeSpeaker:
		return t.loadSpeaker(lib)
	}
	return nil, nil, phrases.Errorf(phrases.SherpaUnknownPurpose, t.Purpose)
}

func (t Trial) loadVAD(lib loader) (work, func(), error) {
	d, err := lib.detector(t.Path)
	if err != nil {
		return nil, nil, err
	}
	return func(pcm []int16) (time.Duration, string, error) {
		newActivity(d).accept(pcm)
		return seconds(len(pcm), rate), "", nil
	}, d.close, nil
}

func (t Trial) loadWake(lib loader) (work, func(), error) {
	v, err := readVocabulary(t.Path, wantedWords(defaultWake))
	if err != nil {
		return nil, nil, err
	}
	lines, known, leftOut := v.keywordLines(defaultWake)
	if len(known) == 0 {
		return nil, nil, phrases.Errorf(phrases.SherpaSpellsNothing, leftOut[0].Why)
	}
	make, free, err := lib.spotter(spotterModel{dir: t.Path, keywords: lines, threads: 1})
	if err != nil {
		return nil, nil, err
	}
	s := make()
	return func(pcm []int16) (time.Duration, string, error) {
		heard := ""
		for chunk := range slices.Chunk(pcm, maxChunk) {
			if i, err := strconv.Atoi(s.accept(floats(chunk))); err == nil && i < len(known) {
				heard = known[i].Text
			}
		}
		return seconds(len(pcm), rate), heard, nil
	}, func() { s.close(); free() }, nil
}

func (t Trial) loadSTT(lib loader) (work, func(), error) {
	make, free, err := lib.transcriber(transcriberModel{dir: t.Path, kind: t.Kind, threads: 2})
	if err != nil {
		return nil, nil, err
	}
	e := make()
	return func(pcm []int16) (time.Duration, string, error) {
		for chunk := range slices.Chunk(pcm, maxChunk) {
			e.accept(floats(chunk))
		}
		return seconds(len(pcm), rate), e.finish().text, nil
	}, func() { e.close(); free() }, nil
}

func (t Trial) loadTTS(lib loader) (work, func(), error) {
	s, err := lib.speaker(voiceModel{dir: t.Path, kind: t.Kind, threads: 2})
	if err != nil {
		return nil, nil, err
	}
	return func([]int16) (time.Duration, string, error) {
		sentence := "The water is boiling, please turn off the stove."
		if t.Lang == "zh" {
			sentence = "水开了，请把火关小一点。"
		}
		n := 0
		err := s.speak(sentence, 1, func(pcm []float32) bool { n += len(pcm); return true })
		if err == nil && n == 0 {
			err = phrases.Errorf(phrases.SherpaSaysNothing)
		}
		return seconds(n, s.rate()), "", err
	}, s.close, nil
}

func (t Trial) loadSpeaker(lib loader) (work, func(), error) {
	e, err := lib.embedder(t.Path)
	if err != nil {
		return nil, nil, err
	}
	return func(pcm []int16) (time.Duration, string, error) {
		if e.embed(floats(pcm)) == nil {
			return 0, "", phrases.Errorf(phrases.SherpaFindsNoVoice)
		}
		return seconds(len(pcm), rate), "", nil
	}, e.close, nil
}

// hum is a voice-like sound: harmonics of 140 Hz that swell and fade.
func hum(secs int) []int16 {
	pcm := make([]int16, secs*speech.CaptureRate)
	for i := range pcm {
		t := float64(i) / rate
		var v float64
		for h := 1.0; h < 20; h++ {
			v += math.Sin(2*math.Pi*140*h*t) / h
		}
		pcm[i] = int16(4000 * v * math.Pow(math.Sin(math.Pi*2*t), 2))
	}
	return pcm
}

// peakMemory is the most memory this process ever had, in MB; 0 where Linux does
// not tell.
func peakMemory() int {
	data, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(data), "VmHWM:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kb, _ := strconv.Atoi(fields[0])
	return kb >> 10
}

// probeWait bounds a probe: the largest model takes seconds from a slow card.
const probeWait = 3 * time.Minute

// Probe lets a child try the model, because a damaged one makes the library end
// the process it is in. argv is the child: a program that reads one Trial as
// JSON on its standard input, runs it and prints its Figures, or why not in both
// languages and one line on standard error. The error is one line that names the
// model.
func Probe(ctx context.Context, t Trial, argv ...string) (Figures, error) {
	var f Figures
	in, err := json.Marshal(t)
	if err != nil {
		return f, err
	}
	ctx, cancel := context.WithTimeout(ctx, probeWait)
	defer cancel()
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var out, errs bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(in), &out, &errs
	c.WaitDelay = time.Second
	err = c.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return f, phrases.Errorf(phrases.SherpaTooSlow, t.Name, probeWait)
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		return f, phrases.Errorf(phrases.SherpaUnusable, t.Name, reason(out.Bytes(), errs.String()))
	case err != nil:
		return f, phrases.Errorf(phrases.SherpaGivesUp, t.Name, err)
	}
	if err := json.Unmarshal(out.Bytes(), &f); err != nil {
		return f, phrases.Errorf(phrases.SherpaSilentChild, t.Name)
	}
	return f, nil
}

// Answer is a Probe's child: it returns the exit code.
func Answer(in []byte, out, errs io.Writer, pcm []int16) int {
	var t Trial
	err := json.Unmarshal(in, &t)
	var f Figures
	if err == nil {
		f, err = t.Run(pcm)
	}
	if err == nil {
		err = json.NewEncoder(out).Encode(f)
	}
	if err != nil {
		fmt.Fprintln(errs, err)
		_ = json.NewEncoder(out).Encode(failure{EN: err.Error(), ZH: phrases.Told(err, phrases.Chinese)})
		return 1
	}
	return 0
}

// failure is what a Probe's child says of a model that does not work.
type failure struct {
	ZH string `json:"error_zh"`
	EN string `json:"error"`
}

// reason is why a child failed: what it says, else the last of its lines.
func reason(out []byte, errs string) error {
	var f failure
	if err := json.Unmarshal(out, &f); err != nil || f.EN == "" {
		return errors.New(lastLine(errs))
	}
	return phrases.Errorf(phrases.Phrase(f))
}

// lastLine is the last line of what a child said; the library's own lines come
// before ours.
func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}
