//go:build cgo && linux && (amd64 || arm64) && !nosherpa

package sherpa

// The libraries lie in the module cache, which a moved binary does not have:
// they are looked for beside it first.

// #cgo LDFLAGS: -Wl,-rpath,$ORIGIN/lib -Wl,-rpath,$ORIGIN
import "C"

import (
	"os"

	"homebot/internal/phrases"

	sherpa "github.com/k2-fsa/sherpa-onnx-go-linux"
)

// Version is the library's, for doctor; "" in a build without it.
func Version() string { return sherpa.GetVersion() }

// library loads models with sherpa-onnx.
var library loader = onnx{}

// onnx is the real loader.
type onnx struct{}

// provider is where networks are computed.
const provider = "cpu"

// needFiles says which of files is not there, before the library does: in its
// own words, on stderr, or with an abort.
func needFiles(files ...string) error {
	for _, f := range files {
		info, err := os.Stat(f)
		switch {
		case err != nil:
			return phrases.Errorf(phrases.SherpaFileMissing, f)
		case !info.IsDir() && info.Size() == 0:
			return phrases.Errorf(phrases.SherpaFileEmpty, f)
		}
	}
	return nil
}

// errRefused is a model that the library did not take, without saying why to us.
func errRefused(what phrases.Phrase, where string) error {
	return phrases.Errorf(phrases.SherpaRefuses, what, where)
}

func (onnx) detector(model string) (detector, error) {
	if err := needFiles(model); err != nil {
		return nil, err
	}
	v := sherpa.NewVoiceActivityDetector(&sherpa.VadModelConfig{
		SileroVad: sherpa.SileroVadModelConfig{
			Model: model, Threshold: vadThreshold, WindowSize: vadWindow,
			MinSpeechDuration:  float32(vadMinSpeech) / rate,
			MinSilenceDuration: float32(vadHangover) / rate,
			// Longer speech makes the library stricter; at 0 it always is.
			MaxSpeechDuration: 20,
		},
		SampleRate: rate, NumThreads: 1, Provider: provider,
	}, 30)
	if v == nil {
		return nil, errRefused(phrases.SherpaVAD, model)
	}
	return &silero{v}, nil
}

// silero is a voice activity detector.
type silero struct{ vad *sherpa.VoiceActivityDetector }

func (s *silero) accept(window []float32) bool {
	s.vad.AcceptWaveform(window)
	for !s.vad.IsEmpty() { // whole spans of speech, which nobody needs here
		s.vad.Pop()
	}
	return s.vad.IsSpeech()
}

func (s *silero) reset() { s.vad.Reset() }

func (s *silero) close() { sherpa.DeleteVoiceActivityDetector(s.vad) }
