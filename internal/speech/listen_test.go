package speech_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"homebot/internal/speech"
	"homebot/internal/speech/speechtest"
)

// A whole conversation: ready with what was left out, wake, the command in one
// breath, the final transcript, a follow-up, and waiting again.
func TestConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		left := []speech.LeftOut{{Phrase: speech.Phrase{Text: "嗨", Lang: "zh"}, Reason: "不会念"}}
		engine := &speechtest.Engine{LeftOut: left}
		h := open(t, &speech.Server{Engine: engine})
		g := visit(t, speech.Config{Dial: h.pipe.Dial})
		ready := g.next(t, speech.Ready)
		if ready.Info == nil || ready.Info.Engine != "speechtest" || !slices.Equal(ready.Info.Languages, []string{"zh", "en"}) || !slices.Equal(ready.Info.LeftOut, left) {
			t.Errorf("ready says %+v", ready.Info)
		}
		g.send(t, slices.Concat(silence(time.Second), speechtest.Utter("你好小厨，打开做饭模式", "zh", 16000), silence(time.Second)))
		wake := g.next(t, speech.Wake)
		if wake.Phrase != "你好小厨" || wake.Lang != "zh" || wake.Start != 16000 {
			t.Errorf("wake is %+v", wake)
		}
		g.next(t, speech.SpeechStarted)
		g.next(t, speech.Partial)
		if stop := g.next(t, speech.SpeechStopped); stop.End != 32000 {
			t.Errorf("speech stopped at %d, want 32000", stop.End)
		}
		must(t, g.End())
		if final := g.next(t, speech.Final); final.Text != "打开做饭模式" || final.Lang != "zh" {
			t.Errorf("final is %+v", final)
		}
		must(t, g.Take("en"))
		g.send(t, silence(time.Second))
		must(t, g.End())
		g.next(t, speech.NoSpeech)
		must(t, g.Wait())
		g.send(t, speechtest.Utter("hey home bot", "en", 8000))
		g.next(t, speech.Wake)
		if got := engine.Hellos(); len(got) != 1 || got[0].Version != 1 || got[0].Rate != 16000 || len(got[0].Wake) != 2 {
			t.Errorf("hellos are %+v", got)
		}
		g.close()
		h.close()
		if engine.Open() != 0 {
			t.Errorf("%d recognisers left open", engine.Open())
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What a client does wrong is told by a stable code, ends its connection, and
// nothing else: the next one is served. V1: at most 8 wake phrases.
func TestServerSurvivesBadClients(t *testing.T) {
	good, _ := json.Marshal(struct {
		Type string `json:"type"`
		speech.Hello
	}{"hello", hello})
	text := func(s string) []byte { return []byte("T" + s) }
	audio := func(n int) []byte { return []byte("B" + strings.Repeat("\x01", n)) }
	say := text(string(good))
	for _, tt := range []struct {
		name string
		send [][]byte
		code string
		ws   int
	}{
		{"garbage", [][]byte{text("\x00garbage{{{")}, speech.CodeBadMessage, 1007},
		{"not an object", [][]byte{text(`[1,2]`)}, speech.CodeBadMessage, 1007},
		{"no type", [][]byte{text(`{"x":1}`)}, speech.CodeBadMessage, 1007},
		{"garbage after the hello", [][]byte{say, text("nonsense")}, speech.CodeBadMessage, 1007},
		{"audio first", [][]byte{audio(640)}, speech.CodeBadHello, 1008},
		{"command first", [][]byte{text(`{"type":"take"}`)}, speech.CodeBadHello, 1008},
		{"two hellos", [][]byte{say, say}, speech.CodeBadHello, 1008},
		{"old version", [][]byte{text(`{"type":"hello","rate":16000}`)}, speech.CodeBadHello, 1008},
		{"other rate", [][]byte{text(`{"type":"hello","version":1,"rate":48000}`)}, speech.CodeBadHello, 1008},
		{"nine wake phrases", [][]byte{text(`{"type":"hello","version":1,"rate":16000,"wake":[` + strings.Repeat(`{"text":"x"},`, 8) + `{"text":"x"}]}`)}, speech.CodeBadHello, 1008},
		{"long phrase", [][]byte{text(`{"type":"hello","version":1,"rate":16000,"phrases":[{"text":"` + strings.Repeat("x", 300) + `"}]}`)}, speech.CodeBadHello, 1008},
		{"half a sample", [][]byte{say, audio(641)}, speech.CodeBadFrame, 1003},
		{"two seconds in a frame", [][]byte{say, audio(64000)}, speech.CodeBadFrame, 1003},
		{"oversized frame", [][]byte{say, audio(1 << 20)}, speech.CodeBadFrame, 1009},
		{"oversized text", [][]byte{text(`{"type":"` + strings.Repeat("x", 1<<20) + `"}`)}, speech.CodeBadFrame, 1009},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				engine := &speechtest.Engine{}
				h := open(t, &speech.Server{Engine: engine})
				conn := h.dial(t)
				go func() { // over a pipe a write waits for its reader, which may give up
					for _, m := range tt.send {
						kind := websocket.TextMessage
						if m[0] == 'B' {
							kind = websocket.BinaryMessage
						}
						if conn.WriteMessage(kind, m[1:]) != nil {
							return
						}
					}
				}()
				heard, ws := readUntilClosed(t, conn)
				last := speech.Heard{}
				if len(heard) > 0 {
					last = heard[len(heard)-1]
				}
				if last.Kind != speech.Failure || last.Code != tt.code || ws != tt.ws || last.Text == "" {
					t.Errorf("heard %+v and close code %d, want error %s and %d", last, ws, tt.code, tt.ws)
				}
				conn.Close()
				g := visit(t, speech.Config{Dial: h.pipe.Dial})
				g.next(t, speech.Ready)
				g.close()
				h.close()
				if engine.Open() != 0 {
					t.Errorf("%d recognisers left open", engine.Open())
				}
			})
		})
	}
}

// A connection that says nothing at all ends, and frees its place.
func TestServerWantsAHello(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, &speech.Server{Engine: &speechtest.Engine{}, Limits: speech.Limits{Connections: 1}})
		began := time.Now()
		conn := h.dial(t)
		heard, ws := readUntilClosed(t, conn)
		if d := time.Since(began); len(heard) != 1 || heard[0].Code != speech.CodeBadHello || ws != 1008 || d != 5*time.Second {
			t.Errorf("after %v: %+v, %d", d, heard, ws)
		}
		conn.Close()
		synctest.Wait()
		g := visit(t, speech.Config{Dial: h.pipe.Dial})
		g.next(t, speech.Ready)
		g.close()
		h.close()
	})
}

// The protocol is additive: what the other side does not know, it ignores.
func TestUnknownMessagesAreIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := &speechtest.Engine{Script: []speechtest.Cue{
			{At: 1, Heard: speech.Heard{Kind: "mood", Text: "happy"}},
			{At: 2, Heard: speech.Heard{Kind: speech.Partial, Text: "after"}},
		}}
		h := open(t, &speech.Server{Engine: engine})
		conn := h.dial(t)
		for _, m := range []string{`{"type":"colour","of":"tea"}`, `{"type":"hello","version":2,"rate":16000,"new":[1],"languages":null}`, `{"type":"dance"}`} {
			must(t, conn.WriteMessage(websocket.TextMessage, []byte(m)))
		}
		if _, data, err := conn.ReadMessage(); err != nil || !strings.Contains(string(data), `"ready"`) {
			t.Errorf("read %s, %v", data, err)
		}
		conn.Close()
		g := visit(t, speech.Config{Dial: h.pipe.Dial})
		g.next(t, speech.Ready)
		g.send(t, silence(20*time.Millisecond))
		if p := g.next(t, speech.Partial); p.Text != "after" {
			t.Errorf("heard %+v", p)
		}
		g.close()
		h.close()
	})
}

// V8: a half-open connection (the peer vanished without a word) is found by its
// silence, and its place and recogniser are freed.
func TestHalfOpenConnectionEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := &speechtest.Engine{}
		h := open(t, &speech.Server{Engine: engine, Limits: speech.Limits{Connections: 1}})
		conn := h.dial(t)
		msg, _ := json.Marshal(map[string]any{"type": "hello", "version": 1, "rate": 16000})
		must(t, conn.WriteMessage(websocket.TextMessage, msg))
		synctest.Wait()
		if engine.Open() != 1 {
			t.Fatal("no recogniser")
		}
		time.Sleep(speech.DeadAfter + 10*time.Second)
		synctest.Wait()
		if engine.Open() != 0 {
			t.Error("a half-open connection still holds its recogniser")
		}
		g := visit(t, speech.Config{Dial: h.pipe.Dial})
		g.next(t, speech.Ready)
		g.close()
		h.close()
	})
}

// An idle connection lives as long as both ends do.
func TestIdleConnectionLives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, &speech.Server{Engine: &speechtest.Engine{}})
		g := visit(t, speech.Config{Dial: h.pipe.Dial})
		g.next(t, speech.Ready)
		time.Sleep(time.Hour)
		must(t, g.End())
		g.next(t, speech.NoSpeech)
		g.close()
		h.close()
	})
}

// A client that does not read is dropped: nothing piles up, the recogniser is
// freed, others are served.
func TestSlowReaderIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var script []speechtest.Cue
		for i := range 2 * speech.Queue {
			script = append(script, speechtest.Cue{At: 1, Heard: speech.Heard{Kind: speech.Final, Text: fmt.Sprint(i)}})
		}
		engine := &speechtest.Engine{Script: script}
		h := open(t, &speech.Server{Engine: engine})
		conn := h.dial(t)
		msg, _ := json.Marshal(map[string]any{"type": "hello", "version": 1, "rate": 16000})
		must(t, conn.WriteMessage(websocket.TextMessage, msg))
		must(t, conn.WriteMessage(websocket.BinaryMessage, make([]byte, 640)))
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if engine.Open() != 0 {
			t.Error("a slow reader still holds its recogniser")
		}
		conn.Close()
		h.close()
	})
}

// A recogniser slower than the audio: what finds no place is dropped, counted
// and reported; sample counts stay the client's; too much ends the connection.
func TestOverrun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := &speechtest.Engine{
			Before: func([]int16) error { time.Sleep(50 * time.Millisecond); return nil },
			Script: []speechtest.Cue{{At: 16000, Heard: speech.Heard{Kind: speech.Final, Start: 15999, End: 16000}}},
		}
		h := open(t, &speech.Server{Engine: engine, Limits: speech.Limits{Queue: 200 * time.Millisecond, Dropped: 2 * time.Second}})
		g := visit(t, speech.Config{Dial: h.pipe.Dial})
		g.next(t, speech.Ready)
		var reported, finals []speech.Heard
		tooSlow := false
		for !tooSlow {
			must(t, g.Send(make([]int16, 320)))
			time.Sleep(20 * time.Millisecond)
			for len(g.Heard()) > 0 {
				switch x := <-g.Heard(); {
				case x.Kind == speech.Final:
					finals = append(finals, x)
				case x.Code == speech.CodeOverrun || x.Code == speech.CodeTooSlow:
					reported = append(reported, x)
					tooSlow = x.Code == speech.CodeTooSlow
				}
			}
		}
		if n := len(reported); n < 2 || reported[n-1].Code != speech.CodeTooSlow {
			t.Errorf("reported %+v, want overruns and then too_slow", reported)
		}
		// 50 frames of 20 ms went in at 50 ms each: the 16000th sample it
		// got was sent after far more than 16000.
		if len(finals) != 1 || finals[0].End < 30000 {
			t.Errorf("finals %+v: counts must include what was dropped", finals)
		}
		g.close()
		h.close()
	})
}

// V8: a recogniser that fails ends its connection with a reason; the client comes
// back to a working one.
func TestEngineFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := true
		engine := &speechtest.Engine{Before: func([]int16) error {
			if broken {
				broken = false
				return fmt.Errorf("decoder\nfailed")
			}
			return nil
		}}
		h := open(t, &speech.Server{Engine: engine})
		g := visit(t, speech.Config{Dial: h.pipe.Dial})
		g.next(t, speech.Ready)
		g.send(t, silence(20*time.Millisecond))
		if f := g.next(t, speech.Failure); f.Code != speech.CodeEngine || f.Text != "decoder failed" {
			t.Errorf("heard %+v", f)
		}
		if f := g.next(t, speech.Failure); f.Code != speech.CodeLost {
			t.Errorf("heard %+v", f)
		}
		g.next(t, speech.Ready)
		g.close()
		h.close()
	})
}

// V8: 50 reconnects leave nothing behind.
func TestFiftyReconnects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := &speechtest.Engine{}
		h := open(t, &speech.Server{Engine: engine, Limits: speech.Limits{Connections: 2}})
		g := visit(t, speech.Config{Dial: h.pipe.Dial})
		g.next(t, speech.Ready)
		for range 50 {
			g.send(t, silence(100*time.Millisecond))
			h.pipe.Cut()
			if f := g.next(t, speech.Failure); f.Code != speech.CodeLost {
				t.Fatalf("heard %+v", f)
			}
			g.next(t, speech.Ready)
		}
		synctest.Wait()
		if engine.Open() != 1 || len(engine.Hellos()) != 51 {
			t.Errorf("%d recognisers open after %d hellos", engine.Open(), len(engine.Hellos()))
		}
		g.close()
		h.close()
		if engine.Open() != 0 {
			t.Errorf("%d recognisers left open", engine.Open())
		}
	})
}

// The end of the server is told, and waits for its connections.
func TestShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := &speechtest.Engine{}
		h := open(t, &speech.Server{Engine: engine})
		conn := h.dial(t)
		must(t, conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"hello","version":1,"rate":16000}`)))
		_, _, err := conn.ReadMessage()
		must(t, err)
		h.cancel()
		heard, ws := readUntilClosed(t, conn)
		if len(heard) != 1 || heard[0].Code != speech.CodeShutdown || ws != 1001 {
			t.Errorf("heard %+v, %d", heard, ws)
		}
		conn.Close()
		h.close()
		if h.err != nil || engine.Open() != 0 {
			t.Errorf("Run: %v, %d recognisers open", h.err, engine.Open())
		}
	})
}

func TestTooManyConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, &speech.Server{Engine: &speechtest.Engine{}, Limits: speech.Limits{Connections: 1}})
		g := visit(t, speech.Config{Dial: h.pipe.Dial})
		g.next(t, speech.Ready)
		late := visit(t, speech.Config{Dial: h.pipe.Dial})
		if f := late.next(t, speech.Failure); f.Code != speech.CodeLost || !strings.Contains(f.Text, "503") {
			t.Errorf("heard %+v", f)
		}
		g.close()
		late.next(t, speech.Ready)
		late.close()
		h.close()
	})
}

// A client that reads late misses partial transcripts, nothing else.
func TestLateReaderMissesPartials(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var script []speechtest.Cue
		for i := range 2 * speech.Queue {
			script = append(script, speechtest.Cue{At: 320, Heard: speech.Heard{Kind: speech.Partial, Text: fmt.Sprint(i)}})
		}
		script = append(script, speechtest.Cue{At: 640, Heard: speech.Heard{Kind: speech.Final, Text: "all of it"}})
		h := open(t, &speech.Server{Engine: &speechtest.Engine{Script: script}})
		conn := h.dial(t)
		must(t, conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"hello","version":1,"rate":16000}`)))
		_, ready, err := conn.ReadMessage() // else it may take up a place of the queue
		must(t, err)
		if !strings.Contains(string(ready), `"ready"`) {
			t.Fatalf("first came %s", ready)
		}
		must(t, conn.WriteMessage(websocket.BinaryMessage, make([]byte, 640)))
		time.Sleep(2 * time.Second)
		partials := 0
		for final := false; !final; {
			_, data, err := conn.ReadMessage()
			must(t, err)
			if strings.Contains(string(data), `"partial"`) {
				if partials++; partials == speech.Queue/2 {
					must(t, conn.WriteMessage(websocket.BinaryMessage, make([]byte, 640)))
				}
			}
			final = strings.Contains(string(data), "all of it")
		}
		if partials < speech.Queue || partials >= 2*speech.Queue {
			t.Errorf("%d partials came, want about %d", partials, speech.Queue)
		}
		conn.Close()
		h.close()
	})
}

// A client that hangs does not hold up the end of the server.
func TestShutdownDoesNotWaitForASlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, &speech.Server{Engine: &speechtest.Engine{}})
		conn := h.dial(t)
		must(t, conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"hello","version":1,"rate":16000}`)))
		synctest.Wait() // ready is being written, and nobody reads it
		began := time.Now()
		h.close()
		if d := time.Since(began); d > 3*time.Second {
			t.Errorf("the end took %v", d)
		}
		conn.Close()
	})
}
