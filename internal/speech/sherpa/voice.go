package sherpa

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"homebot/audio"
	"homebot/internal/speech"
	"homebot/internal/speech/espeak"
	"homebot/internal/text"
)

// VoiceConfig says where the voices are.
type VoiceConfig struct {
	// Dirs and Kinds are by language: the directory of its voice and how it is
	// loaded (KindMatcha, KindVITS). A language without one is spoken by Rest.
	Dirs, Kinds map[string]string
	// Speed is by language, multiplied with what a request asks for; 0 is 1.
	Speed map[string]float64
	// Rest speaks what there is no voice for.
	Rest speech.Synthesizer
	// Threads of a voice; 0 is 2.
	Threads int
}

// Voice speaks sentence by sentence, each language with its own voice. It is safe
// for concurrent use; one voice speaks one text at a time.
type Voice struct {
	cfg    VoiceConfig
	voices map[string]*oneVoice
}

// oneVoice is the model of one language.
type oneVoice struct {
	mu    sync.Mutex // the library's voices are not for two at once
	model speaker    // nil when closed
	speed float64
}

var (
	_ speech.Synthesizer = (*Voice)(nil)
	_ speech.Pacer       = (*Voice)(nil)
	_ speech.Checker     = (*Voice)(nil)
)

// NewVoice loads the voices. An error says in one line which cannot be loaded;
// nothing is kept then.
func NewVoice(c VoiceConfig) (*Voice, error) { return newVoice(c, library) }

func newVoice(c VoiceConfig, lib loader) (*Voice, error) {
	if c.Threads == 0 {
		c.Threads = 2
	}
	v := &Voice{cfg: c, voices: map[string]*oneVoice{}}
	for lang, dir := range c.Dirs {
		model, err := lib.speaker(voiceModel{dir: dir, kind: c.Kinds[lang], threads: c.Threads})
		if err != nil {
			return nil, errors.Join(fmt.Errorf("no %s voice: %w", lang, err), v.Close())
		}
		speed := c.Speed[lang]
		if speed == 0 {
			speed = 1
		}
		v.voices[lang] = &oneVoice{model: model, speed: speed}
	}
	return v, nil
}

// Close frees the voices, after what is being spoken.
func (v *Voice) Close() error {
	for _, one := range v.voices {
		one.mu.Lock()
		if one.model != nil {
			one.model.close()
			one.model = nil
		}
		one.mu.Unlock()
	}
	return nil
}

// Check asks the voice for what there is no model for.
func (v *Voice) Check(ctx context.Context) error {
	if c, ok := v.cfg.Rest.(speech.Checker); ok && len(v.voices) < 2 {
		return c.Check(ctx)
	}
	return nil
}

// Speak implements speech.Synthesizer.
func (v *Voice) Speak(ctx context.Context, text, lang string, emit func([]int16) error) error {
	return v.SpeakAt(ctx, text, lang, 1, emit)
}

// SpeakAt is Speak at a speed. Audio comes with the first sentence; when ctx ends
// nothing more comes after the clause being computed.
func (v *Voice) SpeakAt(ctx context.Context, s, lang string, speed float64, emit func([]int16) error) error {
	for _, sentence := range text.Sentences(s) {
		for _, p := range espeak.Split(sentence, lang) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := v.part(ctx, p, speed, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// part speaks what one voice says.
func (v *Voice) part(ctx context.Context, p espeak.Part, speed float64, emit func([]int16) error) error {
	one := v.voices[p.Lang]
	if one != nil {
		return one.speak(ctx, p.Text, speed, emit)
	}
	switch rest := v.cfg.Rest.(type) {
	case nil:
		return fmt.Errorf("there is no voice for %q", p.Lang)
	case speech.Pacer:
		return rest.SpeakAt(ctx, p.Text, p.Lang, speed, emit)
	default:
		return rest.Speak(ctx, p.Text, p.Lang, emit)
	}
}

// emitPiece is the most audio that is emitted at once: 100 ms.
const emitPiece = speech.PlaybackRate / 10

func (o *oneVoice) speak(ctx context.Context, s string, speed float64, emit func([]int16) error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.model == nil {
		return errors.New("the voice is closed")
	}
	to24k, err := audio.NewResampler(o.model.rate(), speech.PlaybackRate)
	if err != nil {
		return err
	}
	var failed error
	out := func(pcm []int16) bool {
		for piece := range slices.Chunk(pcm, emitPiece) {
			if failed = ctx.Err(); failed == nil {
				failed = emit(piece)
			}
			if failed != nil {
				return false
			}
		}
		return true
	}
	err = o.model.speak(s, o.speed*speed, func(pcm []float32) bool {
		return out(to24k.Process(nil, samples(pcm)))
	})
	switch {
	case failed != nil:
		return failed
	case err != nil:
		return err
	}
	out(to24k.Flush(nil))
	return failed
}
