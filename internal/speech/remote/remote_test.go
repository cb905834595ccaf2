package remote_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"homebot/internal/speech"
	"homebot/internal/speech/remote"
	"homebot/internal/speech/speechtest"
)

const sentence = "今天天气很好"

// local hears the wake phrase and, by itself, only set phrases.
func local() *speechtest.Engine { return &speechtest.Engine{} }

// hearing is a recogniser with p behind it, awake after one wake phrase.
func hearing(t *testing.T, kind string, p *peer, wait time.Duration) speech.Recognizer {
	t.Helper()
	service, err := remote.Dial(kind, remote.Options{URL: p.url})
	if err != nil {
		t.Fatal(err)
	}
	e := remote.New(remote.Config{Local: local(), Service: service, Name: kind, Wait: wait})
	r, _, err := e.NewRecognizer(t.Context(), speech.Hello{
		Wake:    []speech.Phrase{{Text: "你好小厨", Lang: "zh"}},
		Phrases: []speech.Phrase{{Text: "打开做饭模式", Lang: "zh"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func accept(t *testing.T, r speech.Recognizer, pcm []int16) []speech.Heard {
	t.Helper()
	var all []speech.Heard
	for c := range slices.Chunk(pcm, 320) {
		heard, err := r.Accept(c)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, heard...)
	}
	return all
}

func end(t *testing.T, r speech.Recognizer) speech.Heard {
	t.Helper()
	heard, err := r.End()
	if err != nil || len(heard) != 1 {
		t.Fatalf("End: %v, %v", heard, err)
	}
	return heard[0]
}

var quiet = make([]int16, speech.CaptureRate)

// V1: before the wake word nothing leaves the machine; after it the other server's
// words are what was said, whole, utterance after utterance, with a connection
// each.
func TestAllServers(t *testing.T) {
	for kind, open := range peers {
		t.Run(kind, func(t *testing.T) {
			p := open(t)
			r := hearing(t, kind, p, 0)
			accept(t, r, quiet)
			if p.opened.Load() != 0 {
				t.Fatal("sound left the machine before the wake word")
			}
			for i := range 2 {
				accept(t, r, speechtest.Utter("你好小厨", "zh", 3200))
				accept(t, r, quiet)
				h := end(t, r)
				if h.Kind != speech.Final || strings.TrimRight(h.Text, "。") != sentence || h.Lang != "zh" {
					t.Errorf("utterance %d: %+v", i, h)
				}
				if err := r.Wait(); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.Take("zh"); err != nil {
				t.Fatal(err)
			}
			accept(t, r, quiet)
			if h := end(t, r); h.Text != sentence {
				t.Errorf("follow-up: %+v", h)
			}
			if got := p.opened.Load(); got != 3 {
				t.Errorf("%d connections for three utterances", got)
			}
			if n := p.bytes.Load(); n < 3*2*int64(len(quiet)) {
				t.Errorf("%d bytes of audio arrived", n)
			}
			if w := p.wrong.Load(); w != nil {
				t.Error(w)
			}
		})
	}
}

// Partials come while it is spoken, without the spaces between Han.
func TestPartials(t *testing.T) {
	for kind, open := range peers {
		if kind == "openai" {
			continue // has none
		}
		t.Run(kind, func(t *testing.T) {
			r := hearing(t, kind, open(t), 0)
			if err := r.Take("zh"); err != nil {
				t.Fatal(err)
			}
			var partials []string
			for deadline := time.Now().Add(20 * time.Second); len(partials) < 2 && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
				for _, h := range accept(t, r, quiet[:320]) {
					if h.Kind == speech.Partial {
						partials = append(partials, h.Text)
					}
				}
			}
			if len(partials) < 2 || strings.Contains(strings.Join(partials, ""), " ") {
				t.Errorf("partials %q", partials)
			}
		})
	}
}

// A server that dies, says nothing, is slow, or is not there: the local engine's
// words stand, within the wait, and the next utterance is tried again.
func TestTroubles(t *testing.T) {
	for kind, open := range peers {
		t.Run(kind, func(t *testing.T) {
			p := open(t)
			r := hearing(t, kind, p, 300*time.Millisecond)
			speak := func() speech.Heard {
				t.Helper()
				accept(t, r, speechtest.Utter("你好小厨打开做饭模式", "zh", 3200))
				accept(t, r, quiet)
				began := time.Now()
				h := end(t, r)
				if d := time.Since(began); d > 10*time.Second {
					t.Errorf("waited %v", d)
				}
				if err := r.Wait(); err != nil {
					t.Fatal(err)
				}
				return h
			}
			p.mute.Store(true)
			if h := speak(); h.Text != "打开做饭模式" {
				t.Errorf("silent server: %+v", h)
			}
			p.mute.Store(false)
			p.die.Store(true)
			if h := speak(); h.Text != "打开做饭模式" {
				t.Errorf("dying server: %+v", h)
			}
			p.die.Store(false)
			p.babble.Store(true)
			if h := speak(); h.Text != "打开做饭模式" {
				t.Errorf("babbling server: %d bytes", len(h.Text))
			}
		})
	}
	t.Run("nobody there", func(t *testing.T) {
		for kind, url := range map[string]string{"vosk": "ws://127.0.0.1:1", "openai": "http://127.0.0.1:1/v1"} {
			r := hearing(t, kind, &peer{url: url}, 300*time.Millisecond)
			accept(t, r, speechtest.Utter("你好小厨打开做饭模式", "zh", 3200))
			accept(t, r, quiet)
			if h := end(t, r); h.Text != "打开做饭模式" {
				t.Errorf("%s: %+v", kind, h)
			}
		}
	})
}

// What a server says of the token it was given is not logged.
func TestTokenStaysSecret(t *testing.T) {
	const token = "sk-very-secret"
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"bad key %s","type":"x","code":"y"}}`, r.Header.Get("Authorization"))
	}))
	defer srv.Close()
	service, err := remote.Dial("openai", remote.Options{URL: srv.URL, Token: token})
	if err != nil {
		t.Fatal(err)
	}
	s := service.Open(t.Context(), remote.Utterance{})
	defer s.Close()
	s.Send(quiet)
	if _, err := s.Finish(t.Context()); err == nil || !strings.Contains(err.Error(), "401: bad key") || strings.Contains(err.Error(), token) {
		t.Errorf("err %v", err)
	}
}

// A server that understood nothing is believed: it heard better.
func TestUnderstoodNothing(t *testing.T) {
	for kind, open := range peers {
		t.Run(kind, func(t *testing.T) {
			p := open(t)
			p.empty.Store(true)
			r := hearing(t, kind, p, 0)
			if err := r.Take("zh"); err != nil {
				t.Fatal(err)
			}
			accept(t, r, quiet)
			if h := end(t, r); h.Kind != speech.NoSpeech {
				t.Errorf("heard %+v", h)
			}
		})
	}
}

func TestDial(t *testing.T) {
	for kind, url := range map[string]string{"vosk": "http://x", "openai": "ws://x", "sherpa": "", "funasr": "://", "other": "ws://x"} {
		if _, err := remote.Dial(kind, remote.Options{URL: url}); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %q: %v", kind, url, err)
		}
	}
}

func TestConforms(t *testing.T) {
	p := peers["vosk"](t)
	p.empty.Store(true)
	service, err := remote.Dial("vosk", remote.Options{URL: p.url})
	if err != nil {
		t.Fatal(err)
	}
	speechtest.TestRecognizer(t, remote.New(remote.Config{Local: local(), Service: service, Name: "vosk"}))
}

// BenchmarkLatency is what an adapter adds between the end of an utterance and its
// transcript, with a server on this machine that thinks for no time.
func BenchmarkLatency(b *testing.B) {
	for kind, open := range peers {
		b.Run(kind, func(b *testing.B) {
			service, err := remote.Dial(kind, remote.Options{URL: open(b).url})
			if err != nil {
				b.Fatal(err)
			}
			var waited time.Duration
			for range b.N {
				s := service.Open(b.Context(), remote.Utterance{Lang: "zh", Phrases: []string{"打开"}})
				for c := range slices.Chunk(quiet, 320) {
					s.Send(c)
				}
				for deadline := time.Now().Add(time.Second); kind != "openai" && clean(s.Partial()) == "" && time.Now().Before(deadline); {
					time.Sleep(time.Millisecond)
				}
				began := time.Now()
				if _, err := s.Finish(b.Context()); err != nil {
					b.Fatal(err)
				}
				waited += time.Since(began)
				s.Close()
			}
			b.ReportMetric(float64(waited.Microseconds())/float64(b.N)/1000, "ms-wait")
		})
	}
}

func clean(s string) string { return strings.TrimSpace(s) }
