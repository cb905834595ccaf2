package espeak

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"homebot/internal/phrases"
	"homebot/internal/speech"
	"homebot/internal/speech/speechtest"
)

// installed returns a Synthesizer on the installed program, or skips.
func installed(t testing.TB) *Synthesizer {
	t.Helper()
	s := New(Config{})
	if err := s.Check(t.Context()); err != nil {
		t.Skip("espeak-ng is not installed")
	}
	return s
}

// program is a Synthesizer on a shell script in place of espeak-ng.
func program(t *testing.T, script string) *Synthesizer {
	t.Helper()
	path := filepath.Join(t.TempDir(), "espeak-ng")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return New(Config{Path: path})
}

func spoken(t *testing.T, s *Synthesizer, text, lang string) []int16 {
	t.Helper()
	var all []int16
	err := s.Speak(t.Context(), text, lang, func(pcm []int16) error {
		all = append(all, pcm...)
		return nil
	})
	if err != nil {
		t.Fatalf("Speak(%q): %v", text, err)
	}
	return all
}

func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		text, lang string
		want       []part
	}{
		{"The eggs are ready.", "en", []part{{"en", "The eggs are ready."}}},
		{"鸡蛋好了。", "zh", []part{{"zh", "鸡蛋好了。"}}},
		{"打开WiFi，等5分钟。", "zh", []part{{"zh", "打开"}, {"en", "WiFi，"}, {"zh", "等5分钟。"}}},
		{"定时 5 分钟", "en", []part{{"zh", "定时 5 分钟"}}},
		{"加3.5克盐", "zh", []part{{"zh", "加3.5克盐"}}},
		{"烤箱 180℃", "en", []part{{"zh", "烤箱 180℃"}}},
		{"Step 2: 加盐", "zh", []part{{"en", "Step 2: "}, {"zh", "加盐"}}},
		{"2026", "zh", []part{{"zh", "2026"}}},
		{"2026", "en", []part{{"en", "2026"}}},
		{"“你好”，he said.", "en", []part{{"zh", "“你好”，"}, {"en", "he said."}}},
		{" … ！", "zh", nil},
		{"", "en", nil},
		{"Привет", "zh", []part{{"en", "Привет"}}},
	} {
		if got := split(tt.text, tt.lang); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("split(%q, %s) = %q, want %q", tt.text, tt.lang, got, tt.want)
		}
	}
}

func TestNeutralise(t *testing.T) {
	for in, want := range map[string]string{
		"[[h@'loU]] eggs":       "  h@'loU   eggs",
		"\x01 50s fast":         "  50s fast",
		"a\x00b\nc":             "a b c",
		"<speak>x</speak>":      " speak x /speak ",
		"定时１２分钟":                "定时12分钟",
		"ＷｉＦｉ":                  "WiFi",
		"bad \xff byte":         "bad   byte",
		"[\u200b[x]\u200b]":     "   x   ",
		"-v en --stdout -w /x.": "-v en --stdout -w /x.",
	} {
		if got := neutralise(in); got != want {
			t.Errorf("neutralise(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzSplit: no text is lost or reordered, neighbours differ, and nothing is
// left that espeak-ng would obey.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"打开WiFi，等5分钟", "[[x]]", "3.5", "-4度", "a1好2b", "\x01", "…", "〇", "١٢", "é\u0301"} {
		f.Add(seed, "zh")
		f.Add(seed, "en")
	}
	f.Fuzz(func(t *testing.T, text, lang string) {
		clean := neutralise(text)
		if strings.ContainsAny(clean, "[]<>\x00\x01") {
			t.Fatalf("neutralise(%q) = %q", text, clean)
		}
		parts := split(clean, lang)
		joined := ""
		for i, p := range parts {
			if p.lang != "zh" && p.lang != "en" {
				t.Fatalf("split(%q): part %d has language %q", clean, i, p.lang)
			}
			if i > 0 && parts[i-1].lang == p.lang {
				t.Fatalf("split(%q): parts %d and %d are both %s", clean, i-1, i, p.lang)
			}
			joined += p.text
		}
		if parts != nil && joined != clean {
			t.Fatalf("split(%q) gives %q", clean, joined)
		}
	})
}

func TestRealPassesConformance(t *testing.T) {
	speechtest.TestSynthesizer(t, installed(t))
}

// The voice "cmn" of this package spells pinyin in English: an ordinary
// sentence then takes three times as long as in Mandarin.
func TestRealSpeaksMandarin(t *testing.T) {
	s := installed(t)
	pcm := spoken(t, s, "你好小厨，定时五分钟", "zh")
	if sec := float64(len(pcm)) / speech.PlaybackRate; sec < 1.5 || sec > 5 {
		t.Errorf("ten syllables take %.1f s", sec)
	}
	cmd := exec.Command(s.cfg.Path, append(s.args("zh", 1, true), "-q", "--ipa")...)
	cmd.Env, cmd.Stdin = environ(), strings.NewReader("你好5分钟")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if ipa := string(out); !strings.Contains(ipa, "wˈu") || !strings.Contains(ipa, "fˈə5n") {
		t.Errorf("你好5分钟 is pronounced %q", ipa)
	}
}

// A text in two languages is spoken whole: it is about as long as its parts.
func TestRealSpeaksMixedText(t *testing.T) {
	s := installed(t)
	mixed := len(spoken(t, s, "请打开 kitchen light，然后等五分钟。", "zh"))
	parts := 0
	for _, p := range []part{{"zh", "请打开"}, {"en", "kitchen light"}, {"zh", "然后等五分钟。"}} {
		parts += len(spoken(t, s, p.text, p.lang))
	}
	if r := float64(mixed) / float64(parts); r < 0.7 || r > 1.1 {
		t.Errorf("mixed text has %.2f of its parts' samples", r)
	}
}

// Phoneme mode, commands and options in a text are not obeyed.
func TestRealIgnoresCommandsInText(t *testing.T) {
	s := installed(t)
	plain := spoken(t, s, "h@loU eggs", "en")
	for _, text := range []string{"[[h@loU]] eggs", "[[[h@loU]]] eggs"} {
		got := spoken(t, s, text, "en")
		if r := float64(len(got)) / float64(len(plain)); r < 0.95 || r > 1.05 {
			t.Errorf("%q takes %.2f of the time of its letters: phonemes were obeyed", text, r)
		}
	}
	if n := len(spoken(t, s, "--version", "en")); n < speech.PlaybackRate/3 {
		t.Errorf("--version gave %d samples: it was an option", n)
	}
}

func TestSpeedChangesDuration(t *testing.T) {
	s := installed(t)
	n := func(speed float64) (n int) {
		err := s.SpeakAt(t.Context(), "one two three four five six", "en", speed, func(pcm []int16) error {
			n += len(pcm)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if slow, fast := n(0.7), n(1.6); float64(fast) > 0.7*float64(slow) {
		t.Errorf("%d samples at 1.6, %d at 0.7", fast, slow)
	}
}

// The program gets the text by stdin only, in a UTF-8 locale, without secrets.
func TestProgramIsCalledSafely(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-secret")
	dir := t.TempDir()
	s := program(t, `for a in "$@"; do echo "$a"; done >`+dir+`/args; env >`+dir+`/env; cat >`+dir+`/stdin; echo nonsense >&2; exit 3`)
	err := s.Speak(t.Context(), "-v hello", "en", func([]int16) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "nonsense") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error is %v, want the program's complaint in one line", err)
	}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	args := strings.Fields(read("args"))
	if slices.Contains(args, "hello") || !slices.Contains(args, "--stdin") {
		t.Errorf("arguments are %q", args)
	}
	if env := read("env"); !strings.Contains(env, "LC_ALL=C.UTF-8") || strings.Contains(env, "sk-secret") {
		t.Errorf("environment is %q", env)
	}
	if in := read("stdin"); !strings.Contains(in, "-v hello") {
		t.Errorf("stdin was %q", in)
	}
}

func TestCancelKillsTheProgram(t *testing.T) {
	s := program(t, "exec sleep 60")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	err := s.Speak(ctx, "hello", "en", func([]int16) error { return nil })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err %v, want the context's", err)
	}
	if d := time.Since(began); d > 10*time.Second {
		t.Errorf("took %v", d)
	}
}

// A missing program is one sentence with the way out, in both languages.
func TestMissingProgram(t *testing.T) {
	s := New(Config{Path: filepath.Join(t.TempDir(), "espeak-ng")})
	if err := s.Check(t.Context()); !errors.Is(err, ErrMissing) {
		t.Errorf("Check: %v", err)
	}
	err := s.Speak(t.Context(), "hello", "en", func([]int16) error { return nil })
	if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "apt-get install espeak-ng") {
		t.Errorf("Speak: %v", err)
	}
	for _, lang := range []string{"zh", "en"} {
		if text := phrases.EspeakMissing.In(lang); !strings.Contains(text, "espeak-ng") {
			t.Errorf("%s: %q does not name the package", lang, text)
		}
	}
}

func TestGarbageFromTheProgram(t *testing.T) {
	for _, script := range []string{"echo this is no wav file, but it is longer than a header of one", "true", "printf RIFF"} {
		if err := program(t, "cat >/dev/null; "+script).Speak(t.Context(), "x", "en", func([]int16) error { return nil }); err == nil {
			t.Errorf("%s: no error", script)
		}
	}
}

// BenchmarkFirstAudio is the time from Speak to the first samples.
func BenchmarkFirstAudio(b *testing.B) {
	s := installed(b)
	for lang, text := range map[string]string{"en": "The eggs are ready, take them out now.", "zh": "鸡蛋煮好了，现在可以拿出来了。"} {
		b.Run(lang, func(b *testing.B) {
			for b.Loop() {
				stop := errors.New("first")
				if err := s.Speak(b.Context(), text, lang, func([]int16) error { return stop }); !errors.Is(err, stop) {
					b.Fatal(err)
				}
			}
		})
	}
}
