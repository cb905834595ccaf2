package cache

import (
	"context"
	"encoding/binary"
	"sync"

	"homebot/internal/contextmode"
	"homebot/internal/speech"
)

// Voice is a speech.Synthesizer that keeps the audio of sentences which repeat:
// the second time a sentence is spoken it is kept, the third time it comes from
// the disk. Any goroutine may call it.
type Voice struct {
	Next  speech.Synthesizer
	Name  string // of that voice
	Cache *Cache
	// Under is the table and the profile a sentence is spoken under (C12).
	Under func() (contextmode.Table, contextmode.Profile)

	mu   sync.Mutex
	said map[string]bool // keys spoken once
}

// Bounds: a sentence is a few seconds, and a household repeats some hundreds.
const (
	maxAudio = 24000 * 2 * 12 // bytes: 12 s at 24 kHz
	maxSaid  = 1024
)

var _ speech.Synthesizer = (*Voice)(nil)

// Speak implements speech.Synthesizer.
func (v *Voice) Speak(ctx context.Context, text, lang string, emit func(pcm []int16) error) error {
	table, profile := v.Under()
	key := contextmode.CacheKey(table, profile, contextmode.Core{Kind: "audio", Model: v.Name, Lang: lang, Facts: []string{text}}, nil)
	if data, ok := v.Cache.Get(table, key); ok {
		return play(ctx, data, emit)
	}
	if !v.again(key) {
		return v.Next.Speak(ctx, text, lang, emit)
	}
	var kept []byte
	err := v.Next.Speak(ctx, text, lang, func(pcm []int16) error {
		if len(kept) <= maxAudio {
			kept = appendSamples(kept, pcm)
		}
		return emit(pcm)
	})
	if err == nil && len(kept) > 0 && len(kept) <= maxAudio {
		v.Cache.Put(table, profile, key, kept)
	}
	return err
}

// piece is how much audio is handed over at once: 100 ms, so that a barge-in ends
// it soon.
const piece = 24000 / 10

func play(ctx context.Context, data []byte, emit func(pcm []int16) error) error {
	for pcm := samples(data); len(pcm) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(piece, len(pcm))
		if err := emit(pcm[:n]); err != nil {
			return err
		}
		pcm = pcm[n:]
	}
	return nil
}

// again reports whether a sentence was spoken before.
func (v *Voice) again(key string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.said[key] {
		return true
	}
	if v.said == nil || len(v.said) >= maxSaid {
		v.said = map[string]bool{}
	}
	v.said[key] = true
	return false
}

// Check implements speech.Checker where the voice behind does.
func (v *Voice) Check(ctx context.Context) error {
	if c, ok := v.Next.(speech.Checker); ok {
		return c.Check(ctx)
	}
	return nil
}

func appendSamples(data []byte, pcm []int16) []byte {
	for _, s := range pcm {
		data = binary.LittleEndian.AppendUint16(data, uint16(s))
	}
	return data
}

func samples(data []byte) []int16 {
	pcm := make([]int16, len(data)/2)
	for i := range pcm {
		pcm[i] = int16(binary.LittleEndian.Uint16(data[2*i:]))
	}
	return pcm
}
