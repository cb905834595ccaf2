package remote_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// peer is a speech server that understands 今天天气很好 of any sound, with the
// traps of its kind.
type peer struct {
	url    string
	bytes  atomic.Int64  // of audio received
	opened atomic.Int64  // connections or requests
	die    atomic.Bool   // breaks off in the middle
	mute   atomic.Bool   // takes everything and answers nothing
	slow   time.Duration // before the last answer
	empty  atomic.Bool   // understands nothing
	babble atomic.Bool   // says more than anybody can
	wrong  atomic.Value  // what the client did wrong, a string
}

func (p *peer) bad(format string, args ...any) { p.wrong.Store(fmt.Sprintf(format, args...)) }

// said is half of the sentence and then all of it, in words.
var said = []string{"今天 天气", "很 好"}

// socketPeer serves a websocket; talk is one connection.
func socketPeer(t testing.TB, talk func(p *peer, c *websocket.Conn)) *peer {
	p := &peer{}
	up := websocket.Upgrader{Subprotocols: []string{"binary"}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer c.Close()
		p.opened.Add(1)
		talk(p, c)
	}))
	t.Cleanup(s.Close)
	p.url = "ws" + strings.TrimPrefix(s.URL, "http")
	return p
}

func say(c *websocket.Conn, s string) { _ = c.WriteMessage(websocket.TextMessage, []byte(s)) }

func bye(c *websocket.Conn) {
	_ = c.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""))
}

// much is more than anybody says in an utterance.
var much = strings.Repeat("天气", 10_000)

// enough is the audio after which half, and then all, is understood: 0.3 s and
// 0.6 s of s16.
const enough = 9600

// vosk answers each message with one; an endpoint of its own in the middle; the
// last result is empty then.
func vosk(p *peer, c *websocket.Conn) {
	n, ended := 0, 0
	for {
		kind, data, err := c.ReadMessage()
		if err != nil {
			return
		}
		if kind == websocket.TextMessage {
			if strings.Contains(string(data), "config") {
				continue // no reply
			}
			if string(data) != `{"eof" : 1}` {
				p.bad("vosk got %q", data)
			}
			time.Sleep(p.slow)
			if !p.mute.Load() {
				say(c, `{"text": ""}`)
				bye(c)
			}
			continue
		}
		n += len(data)
		p.bytes.Add(int64(len(data)))
		switch {
		case p.mute.Load():
		case p.die.Load() && n > enough:
			return
		case p.babble.Load():
			say(c, fmt.Sprintf(`{"text":%q}`, much))
		case p.empty.Load():
			say(c, `{"partial":""}`)
		case n > 2*enough && ended == 1:
			say(c, fmt.Sprintf(`{"result":[],"text":%q}`, said[1]))
			ended++
		case n > enough && ended == 0:
			say(c, fmt.Sprintf(`{"text":%q}`, said[0]))
			ended++
		case ended == 0:
			say(c, `{"partial":"今"}`)
		default:
			say(c, `{"partial":""}`)
		}
	}
}

// sherpa speaks floats and segments, and ends with a bare word before the last
// result is even out of the way.
func sherpa(p *peer, c *websocket.Conn) {
	n := 0
	for {
		kind, data, err := c.ReadMessage()
		if err != nil {
			return
		}
		if kind == websocket.TextMessage {
			if string(data) != "Done" {
				p.bad("sherpa got %q", data)
			}
			time.Sleep(p.slow)
			if !p.mute.Load() {
				say(c, `{"text":"","segment":1,"is_final":true,"is_eof":true}`)
				say(c, "Done!")
			}
			continue
		}
		if len(data)%4 != 0 {
			p.bad("sherpa got %d bytes", len(data))
		}
		n += len(data) / 2
		p.bytes.Add(int64(len(data) / 2))
		switch {
		case p.mute.Load(), p.empty.Load():
		case p.die.Load() && n > enough:
			return
		case p.babble.Load():
			say(c, fmt.Sprintf(`{"text":%q,"segment":%d}`, much, n%100))
		case n > 2*enough:
			say(c, fmt.Sprintf(`{"text":%q,"segment":1,"is_final":false}`, said[1]))
		case n > enough:
			say(c, fmt.Sprintf(`{"text":%q,"segment":0,"is_final":true}`, said[0]))
			say(c, `{"text":"","segment":1}`)
		default:
			say(c, `{"text":"今天","segment":0}`)
		}
	}
}

// funasr gives deltas, replaces them, and finds noise that is nothing.
func funasr(p *peer, c *websocket.Conn) {
	n, step := 0, 0
	for {
		kind, data, err := c.ReadMessage()
		if err != nil {
			return
		}
		if kind == websocket.TextMessage {
			var m struct {
				Mode       string `json:"mode"`
				ChunkSize  []int  `json:"chunk_size"`
				Hotwords   string `json:"hotwords"`
				IsSpeaking bool   `json:"is_speaking"`
			}
			if err := json.Unmarshal(data, &m); err != nil {
				p.bad("funasr got %q", data)
			}
			if m.IsSpeaking {
				if m.Mode != "2pass" || len(m.ChunkSize) != 3 || !strings.Contains(m.Hotwords, "打开") {
					p.bad("funasr hello %q", data)
				}
				continue
			}
			time.Sleep(p.slow)
			if !p.mute.Load() && !p.empty.Load() {
				say(c, `{"mode":"2pass-offline","text":"很好","is_final":true}`)
			}
			if !p.mute.Load() {
				say(c, `{"mode":"2pass","is_final":true,"is_end":true}`)
			}
			continue
		}
		n += len(data)
		p.bytes.Add(int64(len(data)))
		if len(data) > 1920 {
			p.bad("funasr got %d bytes in one message", len(data))
		}
		switch {
		case p.mute.Load(), p.empty.Load():
		case p.die.Load() && n > enough:
			return
		case p.babble.Load():
			say(c, fmt.Sprintf(`{"mode":"2pass-online","text":%q}`, much))
		case step == 0:
			say(c, `{"mode":"2pass-online","text":"今","is_final":false}`)
			step++
		case step == 1 && n > enough:
			say(c, `{"mode":"2pass-online","text":"天填气","is_final":false}`)
			say(c, `{"mode":"2pass-offline","text":"今天天气","is_final":false}`)
			step++
		case step == 2 && n > 2*enough:
			say(c, `{"mode":"2pass-online","text":"恨","is_final":false}`)
			step++
		}
	}
}

// openAIPeer takes a whole file. One of its segments was read out of silence.
func openAIPeer(t testing.TB) *peer {
	p := &peer{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.opened.Add(1)
		f, _, err := r.FormFile("file")
		if err != nil || !strings.HasSuffix(r.URL.Path, "/v1/audio/transcriptions") || r.FormValue("model") == "" {
			p.bad("%s: %v", r.URL.Path, err)
			return
		}
		data, _ := io.ReadAll(f)
		p.bytes.Add(int64(len(data) - 44))
		time.Sleep(p.slow)
		switch {
		case p.mute.Load():
			<-r.Context().Done()
		case p.die.Load():
			panic(http.ErrAbortHandler)
		case p.babble.Load():
			_, _ = fmt.Fprintf(w, `{"text":%q}`, much)
		case p.empty.Load():
			_, _ = io.WriteString(w, `{"text":"","segments":[]}`)
		default:
			_, _ = io.WriteString(w, `{"text":"今天天气很好谢谢观看","segments":[{"text":"今天天气很好","no_speech_prob":0.1,"avg_logprob":-0.2},{"text":"谢谢观看","no_speech_prob":0.9,"avg_logprob":-1.5}]}`)
		}
	}))
	t.Cleanup(s.Close)
	p.url = s.URL + "/v1"
	return p
}

var peers = map[string]func(testing.TB) *peer{
	"vosk":   func(t testing.TB) *peer { return socketPeer(t, vosk) },
	"sherpa": func(t testing.TB) *peer { return socketPeer(t, sherpa) },
	"funasr": func(t testing.TB) *peer { return socketPeer(t, funasr) },
	"openai": openAIPeer,
}
