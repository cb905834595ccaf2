package child

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"homebot/audio"
	"homebot/internal/phrases"
)

// A message on either pipe is one byte of kind, four bytes of length (little
// endian) and the payload. PCM is little-endian int16; numbers are uint32.
const (
	kindStarting = 'i' // child: alive, about to initialise the sound library
	kindReady    = 'r' // child: device open; JSON Ready
	kindPCM      = 'p' // child: captured; parent: to be played
	kindOverflow = 'o' // child: how many times the card lost samples
	kindAck      = 'a' // child: samples handed to the card; see ack
	kindFlushed  = 'x' // child: flushed; parent: flush. A number to pair them
	kindDrained  = 'd' // child: drained; parent: drain. A number to pair them
	kindError    = 'e' // child: JSON failure; then it ends
	kindDevices  = 'l' // child: JSON []Device; then it ends
	kindFrame    = 'n' // parent: capture in frames of so many samples
)

const (
	headerSize = 5
	// maxPayload bounds a message: a second of capture, far above any frame.
	maxPayload = 1 << 16
)

// Ready is what the child says of the device it opened.
type Ready struct {
	Device  string        `json:"device"`
	Rate    int           `json:"rate"`
	Latency time.Duration `json:"latency_ns"`
}

// Device is one line of the list of devices.
type Device struct {
	Name          string `json:"name"`
	Inputs        int    `json:"inputs"`  // channels
	Outputs       int    `json:"outputs"` // channels
	Rate          int    `json:"rate"`    // its own, hertz
	DefaultInput  bool   `json:"default_input,omitempty"`
	DefaultOutput bool   `json:"default_output,omitempty"`
}

// failure is an error on its way through the pipe.
type failure struct {
	Code string `json:"code"` // no-device, format, lost
	Text string `json:"text"` // one line for a person
	ZH   string `json:"zh"`   // the same in Chinese; "": Text is all there is
}

func (f *failure) Error() string { return f.Text }

// In is the error in lang.
func (f *failure) In(lang string) string {
	if lang == phrases.Chinese {
		return cmp.Or(f.ZH, f.Text)
	}
	return f.Text
}

// Unwrap makes errors.Is work on the parent's side. Whatever the reason, to the
// reader the device is lost: it may come back.
func (f *failure) Unwrap() []error {
	switch f.Code {
	case "no-device":
		return []error{audio.ErrLost, audio.ErrNoDevice}
	case "format":
		return []error{audio.ErrLost, audio.ErrFormat}
	}
	return []error{audio.ErrLost}
}

// newFailure puts err into the form the pipe carries.
func newFailure(err error) *failure {
	f := &failure{Code: "lost", Text: err.Error(), ZH: phrases.Told(err, phrases.Chinese)}
	switch {
	case errors.Is(err, audio.ErrNoDevice):
		f.Code = "no-device"
	case errors.Is(err, audio.ErrFormat):
		f.Code = "format"
	}
	return f
}

// writer sends messages, one Write each. One goroutine at a time.
type writer struct {
	w   io.Writer
	buf []byte
}

func (w *writer) begin(kind byte) {
	w.buf = append(w.buf[:0], kind, 0, 0, 0, 0)
}

func (w *writer) send() error {
	binary.LittleEndian.PutUint32(w.buf[1:], uint32(len(w.buf)-headerSize))
	_, err := w.w.Write(w.buf)
	return err
}

func (w *writer) pcm(pcm []int16) error {
	w.begin(kindPCM)
	w.buf = audio.AppendPCM(w.buf, pcm)
	return w.send()
}

func (w *writer) number(kind byte, n uint32) error {
	w.begin(kind)
	w.buf = binary.LittleEndian.AppendUint32(w.buf, n)
	return w.send()
}

// ack tells that the card took samples.
type ack struct {
	samples int
	silence int   // given to the card since the samples before
	begun   int64 // when the card was started with these, monotonic ns; 0: it ran
}

const ackSize = 16

func (w *writer) ack(a ack) error {
	w.begin(kindAck)
	w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(a.samples))
	w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(a.silence))
	w.buf = binary.LittleEndian.AppendUint64(w.buf, uint64(a.begun))
	return w.send()
}

// ack is the payload as one; the zero value when it is none.
func (m message) ack() ack {
	if len(m.payload) != ackSize {
		return ack{}
	}
	return ack{
		samples: int(binary.LittleEndian.Uint32(m.payload)),
		silence: int(binary.LittleEndian.Uint32(m.payload[4:])),
		begun:   int64(binary.LittleEndian.Uint64(m.payload[8:])),
	}
}

func (w *writer) json(kind byte, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.begin(kind)
	w.buf = append(w.buf, b...)
	return w.send()
}

func (w *writer) bare(kind byte) error {
	w.begin(kind)
	return w.send()
}

// message is one received; payload is valid until the next read.
type message struct {
	kind    byte
	payload []byte
}

// number is the payload as a number, 0 when it is none.
func (m message) number() uint32 {
	if len(m.payload) != 4 {
		return 0
	}
	return binary.LittleEndian.Uint32(m.payload)
}

// reader receives messages. One goroutine.
type reader struct {
	r   *bufio.Reader
	buf []byte
}

func newReader(r io.Reader) *reader { return &reader{r: bufio.NewReaderSize(r, 8192)} }

// next returns the next message; io.EOF at a clean end.
func (r *reader) next() (message, error) {
	var h [headerSize]byte
	if _, err := io.ReadFull(r.r, h[:]); err != nil {
		return message{}, err
	}
	n := binary.LittleEndian.Uint32(h[1:])
	if n > maxPayload {
		return message{}, fmt.Errorf("sound child: message of %d bytes: the two programs do not match", n)
	}
	if cap(r.buf) < int(n) {
		r.buf = make([]byte, n)
	}
	r.buf = r.buf[:n]
	if _, err := io.ReadFull(r.r, r.buf); err != nil {
		return message{}, io.ErrUnexpectedEOF
	}
	return message{h[0], r.buf}, nil
}
