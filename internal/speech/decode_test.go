package speech

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/gorilla/websocket"
)

// FuzzMessages: nothing that comes over the wire panics, and what is accepted
// survives being written and read again.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{
		`{"type":"hello","version":1,"rate":16000,"languages":["zh"],"wake":[{"text":"你好小厨","lang":"zh"}]}`,
		`{"type":"take","lang":"en"}`, `{"type":"end"}`, `{"type":"wait","lang":null}`,
		`{"type":"final","text":"x","start":1,"end":2,"confidence":0.5}`, `{"type":"ready","info":{"engine":"x"}}`,
		`{"type":"brand_new","field":{"deep":[1,2]}}`, `{}`, `[]`, `null`, `{"type":7}`, "\xff\xfe", `{"type":"hello","wake":7}`,
		`{"input":"x","voice":"zh","speed":1}`, `{"input":"x","speed":null,"response_format":"pcm"}`, `{"speed":1e999}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := decodeMessage(data); err == nil && m.Type == "" {
			t.Error("a message without a type was accepted")
		}
		if h, err := decodeHeard(data); err == nil {
			out, err := json.Marshal(h)
			if err != nil {
				t.Fatal(err)
			}
			again, err := decodeHeard(out)
			if err != nil {
				t.Fatal(err)
			}
			twice, _ := json.Marshal(again)
			if !bytes.Equal(out, twice) {
				t.Errorf("%s became %s", out, twice)
			}
		}
		if req, bad := decodeSay(data); bad == nil && (req.Input == "" || req.Format == "") {
			t.Errorf("accepted %+v", req)
		}
		if pcm, err := decodeFrame(data); err == nil && !bytes.Equal(appendFrame(nil, pcm), data) {
			t.Error("a frame changed")
		}
	})
}

// FuzzAccept: whatever a client sends, in whatever order, a connection either
// queues it within its limits or refuses it with a stable code.
func FuzzAccept(f *testing.F) {
	f.Add([]byte(`{"type":"hello","version":1,"rate":16000}`), []byte{1, 2, 3, 4}, []byte(`{"type":"end"}`))
	f.Add([]byte(`{"type":"take"}`), []byte{1}, []byte("x"))
	f.Fuzz(func(t *testing.T, text, frame, more []byte) {
		s := &Server{Limits: Limits{Queue: 1, Dropped: 1}}
		s.setup()
		c := &connection{server: s, in: make(chan item, 2), late: stoppedTimer()}
		for _, m := range [][]byte{text, more} {
			for _, err := range []error{c.accept(websocket.TextMessage, m), c.accept(websocket.BinaryMessage, frame)} {
				var no *refusal
				if err != nil && !asRefusal(err, &no) {
					t.Fatalf("%q gave %v, which has no code", m, err)
				}
			}
		}
		if len(c.in) > 0 && !c.greeted {
			t.Error("something was queued before the hello")
		}
	})
}

func TestLangOf(t *testing.T) {
	for _, tt := range []struct{ voice, text, want string }{
		{"zh", "hello", "zh"}, {"en", "你好", "en"}, {"EN-us", "你好", "en"}, {"zh-CN-x", "hello", "zh"},
		{"alloy", "hello 你", "zh"}, {"alloy", "hello", "en"}, {"", "42", "en"},
	} {
		if got := langOf(tt.voice, tt.text); got != tt.want {
			t.Errorf("langOf(%q, %q) = %q, want %q", tt.voice, tt.text, got, tt.want)
		}
	}
}

func TestAPIURL(t *testing.T) {
	for in, want := range map[string]string{
		"http://127.0.0.1:9790":       "http://127.0.0.1:9790/v1",
		"wss://kitchen:9790/":         "https://kitchen:9790/v1",
		"ws://kitchen/v1":             "http://kitchen/v1",
		"https://api.example.com/v1/": "https://api.example.com/v1",
		"http://wsgate":               "http://wsgate/v1",
	} {
		if got := apiURL(in); got != want {
			t.Errorf("apiURL(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestListenURL(t *testing.T) {
	for in, want := range map[string]string{
		"http://127.0.0.1:9790":     "ws://127.0.0.1:9790/v1/listen",
		"http://127.0.0.1:9790/v1/": "ws://127.0.0.1:9790/v1/listen",
		"https://x/y/listen":        "wss://x/y/listen",
		"ws://[::1]:1":              "ws://[::1]:1/v1/listen",
		"127.0.0.1:9790":            "",
		"ftp://x":                   "",
		"":                          "",
	} {
		got, err := listenURL(in)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("listenURL(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

// Sample counts stay those of the client when audio was dropped.
func TestPositionsAfterGaps(t *testing.T) {
	h := &hearing{gaps: []gap{{at: 100, samples: 10}, {at: 200, samples: 5}}}
	for n, want := range map[int]int{0: 0, 99: 99, 100: 110, 150: 160, 200: 215, 1000: 1015} {
		if got := h.position(n); got != want {
			t.Errorf("position(%d) = %d, want %d", n, got, want)
		}
	}
}
