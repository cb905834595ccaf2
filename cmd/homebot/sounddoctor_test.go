package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"homebot/audio/child"
	"homebot/internal/phrases"
)

// noCard is an environment without any sound device.
func noCard(t *testing.T, h *home) {
	t.Helper()
	conf := filepath.Join(t.TempDir(), "asound.conf")
	if err := os.WriteFile(conf, []byte("pcm.!default { type hw card 7 }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.setenv("ALSA_CONFIG_PATH", conf)
	h.setenv("PULSE_SERVER", "unix:/nonexistent")
	h.setenv("JACK_NO_START_SERVER", "1")
}

// Missing sound card, models and espeak-ng are one sentence each, in the
// configured language.
func TestDoctorSaysWhatIsMissing(t *testing.T) {
	for lang, p := range map[string]func(phrases.Phrase) string{
		"en": func(p phrases.Phrase) string { return p.EN }, "zh": func(p phrases.Phrase) string { return p.ZH },
	} {
		h := newHome(t, nil).withSpeech()
		noCard(t, h)
		h.setenv("PATH", speechDir)
		h.setenv("HOMEBOT_MODELS", "/nowhere")
		h.configure("[system]\nlanguage = \"" + lang + "\"\n")
		out, errs, code := h.once("", "doctor")
		if code != 1 || errs != "" {
			t.Errorf("%s: %d %q", lang, code, errs)
		}
		for _, want := range []string{
			p(phrases.NoSoundCard), p(phrases.EspeakMissing), phrases.ModelMissing.In(lang, "/nowhere/sphinx-zh"),
		} {
			if strings.Count(out, want) != 1 {
				t.Errorf("%s: %q is not one line of\n%s", lang, want, out)
			}
		}
	}
}

// A machine with half a sound card is told which half.
func TestTroublesOf(t *testing.T) {
	mic, out := child.Device{Inputs: 1}, child.Device{Outputs: 2}
	for _, tt := range []struct {
		devices []child.Device
		want    []phrases.Phrase
	}{
		{nil, []phrases.Phrase{phrases.NoSoundCard}},
		{[]child.Device{mic}, []phrases.Phrase{phrases.NoLoudspeaker}},
		{[]child.Device{out}, []phrases.Phrase{phrases.NoMicrophone}},
		{[]child.Device{mic, out}, nil},
	} {
		got := troublesOf(tt.devices)
		if len(got) != len(tt.want) || len(got) > 0 && got[0] != tt.want[0] {
			t.Errorf("%+v: %v, want %v", tt.devices, got, tt.want)
		}
	}
}

// run says that there is no sound card and serves the text channel all the same.
func TestRunWithoutSoundCard(t *testing.T) {
	for lang, want := range map[string]string{"en": phrases.NoSoundCard.EN, "zh": phrases.NoSoundCard.ZH} {
		h := newHome(t, nil).withSpeech()
		noCard(t, h)
		h.configure("[system]\nlanguage = \"" + lang + "\"\n")
		c := h.command("run")
		var errs log
		c.Stderr = &errs
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
		within(t, patience, "a line about the sound card", func() bool { return strings.Contains(errs.String(), "homebot: "+want+"\n") })
		if o := h.talk().say("现在几点了"); o.Error != nil || o.Reply == "" {
			t.Errorf("%s: %+v", lang, o)
		}
	}
}

// V1: a remote recogniser is refused where this machine cannot listen for the
// wake word itself, unless it may hear everything.
func TestRemoteNeedsALocalWakeWord(t *testing.T) {
	h := newHome(t, nil).withSpeech()
	const remote = "[wake]\nphrases = [\"zzyzx blorf\"]\n[speech]\nurl = \"http://192.0.2.1:9790\"\ntoken = \"t\"\n"
	h.configure(remote)
	for _, command := range [][]string{{"config", "check"}, {"run"}} {
		_, errs, code := h.once("", command...)
		if code != 1 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "zzyzx blorf") || !strings.Contains(errs, "remote_wake") {
			t.Errorf("%v: %d %q", command, code, errs)
		}
	}
	h.configure(remote + "remote_wake = true\n")
	if _, errs, code := h.once("", "config", "check"); code != 0 || errs != "" {
		t.Errorf("remote_wake: %d %q", code, errs)
	}
	h.configure(strings.Replace(remote, "zzyzx blorf", "hey home bot", 1))
	if _, errs, code := h.once("", "config", "check"); code != 0 || errs != "" {
		t.Errorf("with a wake phrase: %d %q", code, errs)
	}
	h.setenv("PATH", "/nowhere")
	if _, errs, code := h.once("", "config", "check"); code != 1 || !strings.Contains(errs, "homebot-speech") {
		t.Errorf("without homebot-speech: %d %q", code, errs)
	}
}
