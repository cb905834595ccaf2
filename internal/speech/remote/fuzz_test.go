package remote

import "testing"

// FuzzRead: whatever a server says, it is read without harm.
func FuzzRead(f *testing.F) {
	for _, s := range []string{`{"partial":"开 始"}`, `{"text":""}`, `{"alternatives":[{"text":"a"}]}`, "Done!", `{"text":"a","segment":3}`,
		`{"mode":"2pass-offline","text":"x","is_final":true}`, `{"mode":"2pass-online","text":"y"}`, "[", `{"segment":-1,"text":"z"}`, `{"segment":1000000000,"text":"z"}`} {
		f.Add([]byte(s), []byte(`{"text":"a"}`))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		for _, p := range []protocol{&vosk{}, &sherpa{}, &funasr{}} {
			p.read(a)
			p.last()
			p.read(b)
		}
	})
}
