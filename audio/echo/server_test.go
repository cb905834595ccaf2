package echo

import "testing"

// The sound server cancels the echo when both its default devices are the pair,
// in PulseAudio's words (16.1) and in WirePlumber's.
func TestServerPair(t *testing.T) {
	const (
		sources = `[{"name":"mic","description":"USB","driver":"module-alsa-card.c"},{"name":"mic.echo-cancel","description":"USB (echo cancelled with Speaker)","driver":"module-echo-cancel.c"},{"name":"ec_mic","description":"EC_mic","driver":"module-echo-cancel.c"}]`
		sinks   = `[{"name":"speaker","description":"Speaker","driver":"module-alsa-card.c"},{"name":"speaker.echo-cancel","description":"Speaker (echo cancelled)","driver":"module-echo-cancel.c"}]`
	)
	for _, tt := range []struct{ info, want string }{
		{`{"default_source_name":"mic.echo-cancel","default_sink_name":"speaker.echo-cancel"}`, "mic.echo-cancel"},
		{`{"default_source_name":"ec_mic","default_sink_name":"speaker.echo-cancel"}`, "ec_mic"},
		{`{"default_source_name":"mic.echo-cancel","default_sink_name":"speaker"}`, ""},
		{`{"default_source_name":"mic","default_sink_name":"speaker.echo-cancel"}`, ""},
		{`{"default_source_name":"gone","default_sink_name":"gone"}`, ""},
		{`nonsense`, ""},
		{``, ""},
	} {
		if got := pulsePair([]byte(tt.info), []byte(sources), []byte(sinks)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.info, got, tt.want)
		}
	}
	const (
		source = "id 41, type PipeWire:Interface:Node\n  * node.description = \"Echo-Cancel Source\"\n  * node.name = \"echo-cancel-source\"\n"
		sink   = "id 42, type PipeWire:Interface:Node\n  * node.name = \"echo-cancel-sink\"\n"
		plain  = "id 43, type PipeWire:Interface:Node\n  * node.name = \"alsa_output.usb\"\n"
	)
	for _, tt := range []struct{ source, sink, want string }{
		{source, sink, "echo-cancel-source"}, {source, plain, ""}, {plain, sink, ""}, {"", "", ""},
	} {
		if got := pipewirePair([]byte(tt.source), []byte(tt.sink)); got != tt.want {
			t.Errorf("%q, %q: %q, want %q", tt.source, tt.sink, got, tt.want)
		}
	}
}
