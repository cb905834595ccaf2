// Package audio is sound as homebot handles it: signed 16-bit mono PCM, captured
// at 16 kHz and played at 24 kHz.
//
// Source and Sink are what a microphone and a loudspeaker are to the rest;
// audio/portaudio has the real ones, audio/audiotest fakes and the conformance
// tests that both pass. Player owns a Sink and its queue. Earcons are the short
// sounds that answer at once, from memory.
package audio

import "time"

// Rates and frame lengths, in hertz and samples. 16 kHz is what the recognisers
// take and 24 kHz what OpenAI-shaped voices give. 80 ms frames are used while
// only waiting for the wake word (V1: frame length decides the idle cost).
const (
	CaptureRate  = 16000
	PlaybackRate = 24000
	SessionFrame = CaptureRate * 20 / 1000 // 320 samples, 20 ms
	WaitingFrame = CaptureRate * 80 / 1000 // 1280 samples, 80 ms
)

// Source is a microphone: 16 kHz mono. One goroutine reads it.
type Source interface {
	// Read fills p completely and returns len(p), or returns what it has and
	// an error: io.EOF at the end of a recording, or one that wraps ErrLost
	// when the device is gone. It blocks for about the duration of p.
	Read(p []int16) (n int, err error)
	// Close ends a blocked Read with io.ErrClosedPipe or ErrLost.
	Close() error
}

// Sink is a loudspeaker: 24 kHz mono. One goroutine writes it.
type Sink interface {
	// Write plays p, blocking while the device's buffer is full.
	Write(p []int16) (n int, err error)
	// Latency is the time from Write to the ear: what a barge-in must
	// subtract from the samples written.
	Latency() time.Duration
	// Flush drops what was written and not yet played.
	Flush() error
	// Drain waits until everything written was played.
	Drain() error
	Close() error
}
