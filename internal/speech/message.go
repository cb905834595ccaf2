package speech

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
)

// What a client says in text messages.
const (
	sayHello = "hello"
	sayTake  = "take"
	sayEnd   = "end"
	sayWait  = "wait"
)

// message is one text message from the client. Unknown fields are ignored, and
// so is an unknown Type (the protocol is additive).
type message struct {
	Type string `json:"type"`
	Lang string `json:"lang,omitempty"` // take
	// Overhear (take): the device itself speaks; wake phrases are reported too.
	Overhear bool `json:"overhear,omitempty"`
	Hello
}

// errNoType is what decodeMessage answers to JSON that is no message.
var errNoType = errors.New(`message without a "type"`)

// decodeMessage reads one text message from the client.
func decodeMessage(data []byte) (message, error) {
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return message{}, fmt.Errorf("not a message: %w", err)
	}
	if m.Type == "" {
		return message{}, errNoType
	}
	return m, nil
}

// encodeHello is the first message of a connection.
func encodeHello(h Hello) []byte { return mustJSON(message{Type: sayHello, Hello: h}) }

// encodeCommand is take, end or wait.
func encodeCommand(kind, lang string, overhear bool) []byte {
	return mustJSON(struct {
		Type     string `json:"type"`
		Lang     string `json:"lang,omitempty"`
		Overhear bool   `json:"overhear,omitempty"`
	}{kind, lang, overhear})
}

// decodeHeard reads one text message from the server.
func decodeHeard(data []byte) (Heard, error) {
	var h Heard
	if err := json.Unmarshal(data, &h); err != nil {
		return Heard{}, fmt.Errorf("not a message: %w", err)
	}
	if h.Kind == "" {
		return Heard{}, errNoType
	}
	return h, nil
}

// known reports whether a client of this version knows h's kind; others are
// ignored.
func (h Heard) known() bool {
	switch h.Kind {
	case Ready, Loading, Wake, SpeechStarted, SpeechStopped, Partial, Final, NoSpeech, Failure:
		return true
	}
	return false
}

// errOddFrame is what decodeFrame answers to half a sample.
var errOddFrame = errors.New("audio frame ends in half a sample")

// decodeFrame turns s16le bytes into samples.
func decodeFrame(data []byte) ([]int16, error) {
	if len(data)%2 != 0 {
		return nil, errOddFrame
	}
	pcm := make([]int16, len(data)/2)
	for i := range pcm {
		pcm[i] = int16(binary.LittleEndian.Uint16(data[2*i:]))
	}
	return pcm, nil
}

// appendFrame appends pcm as s16le bytes.
func appendFrame(dst []byte, pcm []int16) []byte {
	for _, v := range pcm {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(v))
	}
	return dst
}

// mustJSON encodes our own message types, which cannot fail: strings, numbers
// and slices of them.
func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("speech: " + err.Error())
	}
	return data
}
