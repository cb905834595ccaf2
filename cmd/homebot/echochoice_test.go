package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"homebot/audio/echo"
	"homebot/internal/config"
	"homebot/internal/phrases"
)

// Who cancels the echo: what [audio] echo says, and in auto the sound server
// where it does; the doctor says so, and what cannot be had.
func TestChooseEcho(t *testing.T) {
	if !echo.Built {
		t.Skip("built without libspeexdsp")
	}
	dir := t.TempDir()
	const pactl = "#!/bin/sh\ncase \"$*\" in *info) echo '{\"default_source_name\":\"mic.echo-cancel\",\"default_sink_name\":\"out.echo-cancel\"}';;\n*) echo '[{\"name\":\"mic.echo-cancel\"},{\"name\":\"out.echo-cancel\"}]';; esac\n"
	if err := os.WriteFile(filepath.Join(dir, "pactl"), []byte(pactl), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path  string
		audio config.Audio
		by    string
		level phrases.Phrase
		says  string
	}{
		{dir, config.Audio{Echo: config.EchoAuto}, config.EchoServer, phrases.DoctorOK, "mic.echo-cancel"},
		{dir, config.Audio{Echo: config.EchoServer}, config.EchoServer, phrases.DoctorOK, "sound server"},
		{dir, config.Audio{Echo: config.EchoProcess}, config.EchoProcess, phrases.DoctorOK, "homebot itself"},
		{dir, config.Audio{Echo: config.EchoOff}, config.EchoOff, phrases.DoctorNote, "wake word"},
		{dir, config.Audio{Echo: config.EchoAuto, Input: "USB"}, config.EchoProcess, phrases.DoctorOK, "homebot itself"},
		{"/nowhere", config.Audio{Echo: config.EchoAuto}, config.EchoProcess, phrases.DoctorOK, "homebot itself"},
		{"/nowhere", config.Audio{Echo: config.EchoServer}, config.EchoOff, phrases.DoctorBad, "no echo-cancelling pair"},
		{"/nowhere", config.Audio{Echo: config.EchoAuto, Input: "echo-cancel-source"}, config.EchoServer, phrases.DoctorOK, "echo-cancel-source"},
	} {
		t.Setenv("PATH", tt.path+":/bin:/nowhere")
		if tt.path == "/nowhere" {
			t.Setenv("PATH", tt.path)
		}
		if e := chooseEcho(t.Context(), tt.audio, nil); e.by != tt.by {
			t.Errorf("%+v: %+v, want %s", tt.audio, e, tt.by)
		}
		if f := (doctor{&app{}, config.Config{Audio: tt.audio}}).examineEcho(t.Context()); f.level != tt.level || !strings.Contains(f.text, tt.says) {
			t.Errorf("%+v: %+v", tt.audio, f)
		}
	}
}
