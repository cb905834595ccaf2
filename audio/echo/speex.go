//go:build cgo && !nospeex

package echo

/*
#cgo pkg-config: speexdsp
#include <speex/speex_echo.h>
#include <speex/speex_preprocess.h>

static void echo_rate(SpeexEchoState *s, spx_int32_t rate) {
	speex_echo_ctl(s, SPEEX_ECHO_SET_SAMPLING_RATE, &rate);
}

// Noise is left as it is (0 dB): the recognisers are made for it.
static void suppress(SpeexPreprocessState *p, SpeexEchoState *s, spx_int32_t alone, spx_int32_t both) {
	spx_int32_t none = 0;
	speex_preprocess_ctl(p, SPEEX_PREPROCESS_SET_ECHO_STATE, s);
	speex_preprocess_ctl(p, SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, &none);
	speex_preprocess_ctl(p, SPEEX_PREPROCESS_SET_ECHO_SUPPRESS, &alone);
	speex_preprocess_ctl(p, SPEEX_PREPROCESS_SET_ECHO_SUPPRESS_ACTIVE, &both);
}
*/
import "C"

import (
	"fmt"
	"unsafe"

	"homebot/audio"
)

// Built reports whether this program can cancel echo by itself.
const Built = true

// speex is libspeexdsp's canceller with its residual suppressor. One goroutine.
type speex struct {
	echo *C.SpeexEchoState
	rest *C.SpeexPreprocessState
	out  [blockSize]int16
}

func newSpeex() (*speex, error) {
	s := &speex{echo: C.speex_echo_state_init(blockSize, tail)}
	if s.echo == nil {
		return nil, fmt.Errorf("echo: libspeexdsp gives no canceller")
	}
	C.echo_rate(s.echo, audio.CaptureRate)
	if s.rest = C.speex_preprocess_state_init(blockSize, audio.CaptureRate); s.rest == nil {
		s.close()
		return nil, fmt.Errorf("echo: libspeexdsp gives no suppressor")
	}
	C.suppress(s.rest, s.echo, suppressAlone, suppressBoth)
	return s, nil
}

// learn lets the filter adapt to one block and forgets the result.
func (s *speex) learn(mic, ref *[blockSize]int16) {
	C.speex_echo_cancellation(s.echo, sample(mic), sample(ref), sample(&s.out))
}

// cancel takes the echo of ref out of mic. What it returns is a block late
// (the suppressor's overlap) and valid until the next call.
func (s *speex) cancel(mic, ref *[blockSize]int16) *[blockSize]int16 {
	s.learn(mic, ref)
	C.speex_preprocess_run(s.rest, sample(&s.out))
	return &s.out
}

func sample(b *[blockSize]int16) *C.spx_int16_t { return (*C.spx_int16_t)(unsafe.Pointer(b)) }

func (s *speex) close() {
	if s.rest != nil {
		C.speex_preprocess_state_destroy(s.rest)
	}
	C.speex_echo_state_destroy(s.echo)
	s.echo, s.rest = nil, nil
}
