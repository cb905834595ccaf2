package echo

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"time"
)

// named are the names that PulseAudio's and PipeWire's echo-cancel modules give
// their microphone and loudspeaker, and those in the manuals' examples.
var named = regexp.MustCompile(`(?i)echo[ _.-]?cancel`)

// Named reports whether a device's name says that it is an echo-cancelled one.
func Named(device string) bool { return named.MatchString(device) }

// askBudget bounds the question to a sound server that hangs.
const askBudget = 3 * time.Second

// Server asks the sound server whether its default microphone and loudspeaker
// are an echo-cancelling pair, and returns the microphone's name: both are
// needed, since it removes what goes through its own loudspeaker. "" means that
// they are not, or that there is no sound server. It asks pactl, else wpctl.
//
// env is added to this process's environment.
func Server(ctx context.Context, env []string) string {
	ctx, cancel := context.WithTimeout(ctx, askBudget)
	defer cancel()
	ask := func(name string, args ...string) []byte {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Env = append(os.Environ(), env...)
		out, err := cmd.Output()
		if err != nil {
			return nil // not installed, or nobody answers
		}
		return out
	}
	if info := ask("pactl", "--format=json", "info"); info != nil {
		return pulsePair(info, ask("pactl", "--format=json", "list", "sources"), ask("pactl", "--format=json", "list", "sinks"))
	}
	return pipewirePair(ask("wpctl", "inspect", "@DEFAULT_AUDIO_SOURCE@"), ask("wpctl", "inspect", "@DEFAULT_AUDIO_SINK@"))
}

// pulseDevice is what pactl says of a source or a sink, as far as it matters.
type pulseDevice struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Driver      string `json:"driver"`
}

func (d pulseDevice) cancels() bool {
	return d.Driver == "module-echo-cancel.c" || Named(d.Name) || Named(d.Description)
}

// pulsePair reads pactl's answers.
func pulsePair(info, sources, sinks []byte) string {
	var defaults struct {
		Source string `json:"default_source_name"`
		Sink   string `json:"default_sink_name"`
	}
	if json.Unmarshal(info, &defaults) != nil {
		return ""
	}
	if cancels(sources, defaults.Source) && cancels(sinks, defaults.Sink) {
		return defaults.Source
	}
	return ""
}

func cancels(list []byte, name string) bool {
	var all []pulseDevice
	if json.Unmarshal(list, &all) != nil {
		return false
	}
	return slices.ContainsFunc(all, func(d pulseDevice) bool { return d.Name == name && d.cancels() })
}

var nodeName = regexp.MustCompile(`node\.name = "([^"]*)"`)

// pipewirePair reads wpctl's answers.
func pipewirePair(source, sink []byte) string {
	name := nodeName.FindSubmatch(source)
	if name == nil || !named.Match(source) || !named.Match(sink) {
		return ""
	}
	return string(name[1])
}
