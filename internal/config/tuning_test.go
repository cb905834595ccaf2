package config

import (
	"reflect"
	"strings"
	"testing"
)

// V1: threshold and boost are for all wake phrases or for one, and what nobody
// set is left to the engine.
func TestTunedWakePhrases(t *testing.T) {
	c, err := parsed(`[wake]
phrases = ["你好小厨", "Hey Home Bot", "ok: go"]
threshold = 0.4
tuning = ["hey home bot : boost 1.5 threshold 0.3", "ok: go: boost 2"]
`)
	if err != nil {
		t.Fatal(err)
	}
	for phrase, want := range map[string][2]float64{
		"你好小厨": {0.4, 0}, "Hey Home Bot": {0.3, 1.5}, "ok: go": {0.4, 2},
	} {
		if threshold, boost := c.Wake.Tuned(phrase); threshold != want[0] || boost != want[1] {
			t.Errorf("%s: threshold %v, boost %v; want %v", phrase, threshold, boost, want)
		}
	}
	if threshold, boost := Default().Wake.Tuned("你好小厨"); threshold != 0 || boost != 0 {
		t.Errorf("nobody set anything: threshold %v, boost %v", threshold, boost)
	}
	want := `["hey home bot: threshold 0.3 boost 1.5", "ok: go: boost 2"]`
	if got := (&tunings{&c.Wake.Tuning}).toml(); got != want {
		t.Errorf("shown as %s, want %s", got, want)
	}
}

// An item that is not written right changes nothing, and its way out is said.
func TestTuningMistakes(t *testing.T) {
	for item, want := range map[string]string{
		"hey home bot":                  "item 1 is not written right",
		"hey home bot:":                 "item 1 is not written right",
		": boost 1":                     "item 1 is not written right",
		"hey home bot: boost":           "item 1 is not written right",
		"hey home bot: loud 1":          "item 1 is not written right",
		"hey home bot: boost high":      "item 1 is not written right",
		"hey home bot: boost 0":         "item 1 is not written right",
		"hey home bot: boost 1 boost 2": "item 1 is not written right",
		"hey home bot: boost 11":        "item 1 11 is out of range; write a number from 0.01 to 10",
		"hey home bot: threshold NaN":   "item 1 NaN is out of range",
		"hey home bot: boost 1\", \"Hey Home Bot: threshold 1": "item 2 repeats an earlier phrase",
	} {
		c, err := parsed("[wake]\ntuning = [\"" + item + "\"]\n")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", item, err, want)
		}
		if !reflect.DeepEqual(c.Wake, Default().Wake) {
			t.Errorf("%q: %+v", item, c.Wake)
		}
	}
}

// V1: what goes to another server after the wake word is named by kind and
// address, as its adapter takes it.
func TestTranscribe(t *testing.T) {
	for value, want := range map[string]string{
		"openai https://ears.example/v1":            "",
		"openai http://127.0.0.1:8000/v1 whisper-1": "",
		"vosk ws://192.168.1.20:2700":               "",
		"sherpa wss://ears.example":                 "",
		"funasr  ws://ears.example:10095":           "",
		"":                                          "",
		"ws://ears.example":                         "is no kind and address",
		"ears ws://ears.example":                    "begins with no kind of server",
		"openai ws://ears.example":                  "is not a web address",
		"vosk http://ears.example":                  "is not the address of a websocket",
		"vosk ws://":                                "is not the address of a websocket",
		"vosk ws://ears.example model":              "has too many words",
		"openai http://ears.example a b":            "has too many words",
	} {
		_, err := parsed("[speech]\ntranscribe = \"" + value + "\"")
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", value, err, want)
		}
	}
}
