package remote

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"net/url"
	"strings"

	"homebot/internal/phrases"

	"github.com/gorilla/websocket"
)

// message is one websocket message.
type message struct {
	kind int
	data []byte
}

func textMessage(s string) message { return message{websocket.TextMessage, []byte(s)} }

// protocol is one server's way to talk, for one utterance. It has one owner.
type protocol interface {
	// first is said before any audio; piece is how many samples make a message.
	first() (hello []message, piece int)
	audio(pcm []int16) message
	last() message
	// read takes what the server said: text is all that was understood so far;
	// done: nothing more comes.
	read(data []byte) (text string, done bool)
}

// pcm16 is audio as s16le.
func pcm16(pcm []int16) message {
	b := make([]byte, 0, 2*len(pcm))
	for _, v := range pcm {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	return message{websocket.BinaryMessage, b}
}

// vosk is a vosk-server. It answers each message with one; words come with
// spaces between them. A last result that is empty says nothing new.
type vosk struct {
	finals []string
}

func (v *vosk) first() ([]message, int) {
	// The C++ server takes this for audio and answers it: answers are not counted.
	return []message{textMessage(`{"config":{"sample_rate":16000}}`)}, 2000
}

func (*vosk) audio(pcm []int16) message { return pcm16(pcm) }

func (*vosk) last() message {
	return textMessage(`{"eof" : 1}`) // to the byte: the server compares
}

func (v *vosk) read(data []byte) (string, bool) {
	var m struct {
		Partial      *string `json:"partial"`
		Text         *string `json:"text"`
		Alternatives []struct {
			Text string `json:"text"`
		} `json:"alternatives"`
	}
	if json.Unmarshal(data, &m) != nil {
		return joined(v.finals, ""), false
	}
	switch {
	case m.Partial != nil:
		return joined(v.finals, *m.Partial), false
	case m.Text != nil:
		v.finals = appendSaid(v.finals, *m.Text)
	case len(m.Alternatives) > 0:
		v.finals = appendSaid(v.finals, m.Alternatives[0].Text)
	}
	return joined(v.finals, ""), false // the server closes after the last one
}

func appendSaid(finals []string, s string) []string {
	if s = strings.TrimSpace(s); s != "" {
		finals = append(finals, s)
	}
	return finals
}

func joined(finals []string, open string) string {
	return strings.TrimSpace(strings.Join(append(append([]string{}, finals...), strings.TrimSpace(open)), " "))
}

// sherpa is sherpa-onnx's streaming server. Text is cumulative within a segment;
// the C++ server ends with a bare "Done!", which may overtake the last result.
type sherpa struct{ segments []string }

func (*sherpa) first() ([]message, int) { return nil, 1600 }

func (*sherpa) audio(pcm []int16) message {
	b := make([]byte, 0, 4*len(pcm))
	for _, v := range pcm {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)/32768))
	}
	return message{websocket.BinaryMessage, b}
}

func (*sherpa) last() message { return textMessage("Done") }

// maxSegments bounds what a server may make us keep.
const maxSegments = 1000

func (s *sherpa) read(data []byte) (string, bool) {
	if strings.TrimSpace(string(data)) == "Done!" {
		return joined(s.segments, ""), true
	}
	var m struct {
		Text    string `json:"text"`
		Segment int    `json:"segment"`
	}
	if json.Unmarshal(data, &m) == nil && m.Text != "" && m.Segment >= 0 && m.Segment < maxSegments {
		for len(s.segments) <= m.Segment {
			s.segments = append(s.segments, "")
		}
		s.segments[m.Segment] = m.Text
	}
	var said []string
	for _, t := range s.segments {
		said = appendSaid(said, t)
	}
	return joined(said, ""), false
}

// funasr is a FunASR server in its mode 2pass: deltas, which a better result for
// the whole stretch replaces. Its own endpoints are joined.
type funasr struct {
	u      Utterance
	finals []string
	open   string
	ended  bool
}

func (f *funasr) first() ([]message, int) {
	hot := map[string]int{}
	for _, p := range f.u.Phrases {
		hot[p] = 20
	}
	words, _ := json.Marshal(hot)
	hello, _ := json.Marshal(map[string]any{
		"mode": "2pass", "wav_name": "homebot", "wav_format": "pcm", "is_speaking": true,
		"chunk_size": []int{5, 10, 5}, "chunk_interval": 10, "encoder_chunk_look_back": 4, "decoder_chunk_look_back": 1,
		"audio_fs": 16000, "hotwords": string(words), "itn": true, "svs_lang": "auto", "svs_itn": true,
	})
	return []message{{websocket.TextMessage, hello}}, 960 // 60 ms: its voice activity counts messages
}

func (*funasr) audio(pcm []int16) message { return pcm16(pcm) }

func (f *funasr) last() message {
	f.ended = true
	return textMessage(`{"is_speaking":false,"is_end":true}`)
}

func (f *funasr) read(data []byte) (string, bool) {
	var m struct {
		Mode    string `json:"mode"`
		Text    string `json:"text"`
		IsFinal bool   `json:"is_final"`
		IsEnd   bool   `json:"is_end"`
	}
	if json.Unmarshal(data, &m) != nil {
		return joined(f.finals, f.open), false
	}
	switch {
	case strings.HasSuffix(m.Mode, "offline"):
		f.finals, f.open = appendSaid(f.finals, m.Text), ""
	case strings.HasSuffix(m.Mode, "online"):
		f.open += m.Text
	}
	// Only after the end is_final means anything: the better result is then there.
	done := f.ended && (m.IsEnd || m.IsFinal && strings.HasSuffix(m.Mode, "offline"))
	return joined(f.finals, f.open), done
}

// checkURL says what an address must look like; the address, which may hold a
// password, is not repeated.
func checkURL(kind, s string) error {
	u, err := url.Parse(s)
	want := "ws://HOST:PORT"
	ok := err == nil && u.Host != "" && (u.Scheme == "ws" || u.Scheme == "wss")
	if kind == "openai" {
		want = "http://HOST:PORT/v1"
		ok = err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
	}
	if !ok {
		return phrases.Errorf(phrases.SpeechServerAddress, kind, want)
	}
	return nil
}
