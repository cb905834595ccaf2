//go:build !cgo || nospeex

package echo

import "errors"

// Built reports whether this program can cancel echo by itself.
const Built = false

type speex struct{}

func newSpeex() (*speex, error) {
	return nil, errors.New("echo: built without libspeexdsp (CGO_ENABLED=0 or the tag nospeex)")
}

func (*speex) learn(_, _ *[blockSize]int16)                      {}
func (*speex) cancel(mic, _ *[blockSize]int16) *[blockSize]int16 { return mic }
func (*speex) close()                                            {}
