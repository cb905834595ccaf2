package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// The sample is the defaults, names every key, and explains each in both
// languages.
func TestSampleIsTheDefaults(t *testing.T) {
	c, err := parsed(string(Sample()))
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Path, want.origins = c.Path, c.origins
	if !reflect.DeepEqual(c, want) {
		t.Errorf("the sample decodes to\n%+v\nwant the defaults\n%+v", c, want)
	}
	for _, f := range fields() {
		if c.Source(f.key) == "default" && f.key != "system.language" { // empty: as the shell has it
			t.Errorf("the sample does not set %s", f.key)
		}
		en, zh, two := strings.Cut(f.about, "\n")
		if !two || Lang(en) != "en" || Lang(zh) != "zh" || strings.Contains(zh, "\n") {
			t.Errorf("%s: its comment is one line of English and one of Chinese, got %q", f.key, f.about)
		}
	}
}

// Every setting of the struct has a key, and every key its own setting.
func TestEveryFieldHasAKey(t *testing.T) {
	settings := 0
	v := reflect.ValueOf(Config{})
	for i := range v.NumField() {
		if sub := v.Field(i); sub.Kind() == reflect.Struct && v.Type().Field(i).IsExported() {
			settings += sub.NumField()
		}
	}
	if got := len(fields()); got != settings {
		t.Errorf("%d keys for %d settings", got, settings)
	}
	seen := map[any]string{}
	c := Default()
	for _, f := range fields() {
		to := reflect.ValueOf(f.bind(&c)).Elem().Field(0).Pointer()
		if other := seen[to]; other != "" {
			t.Errorf("%s and %s are the same setting", other, f.key)
		}
		seen[to] = f.key
	}
}

func TestShowNamesTheSource(t *testing.T) {
	c := Default()
	c.Path, c.Workspace = "/w/homebot.toml", "/w"
	c, err := parse(c, []byte("[llm]\nmodel = \"m\"\n[wake]\nphrases = [\"小\\\"厨\"]\n"), env(map[string]string{"OPENAI_API_KEY": "sk-very-secret"}))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := c.Show(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`# workspace /w\n# file /w/homebot.toml\n`,
		`(?m)^base_url = "https://api.openai.com/v1" +# default$`,
		`(?m)^model = "m" +# file line 2$`,
		`(?m)^api_key = "\*\*\*" +# OPENAI_API_KEY$`,
		`(?m)^phrases = \["小\\"厨"\] +# file line 4$`,
		`(?m)^token = "" +# default$`,
	} {
		if !regexp.MustCompile(want).Match(b.Bytes()) {
			t.Errorf("%s is missing in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "very") {
		t.Errorf("a secret is shown:\n%s", b.String())
	}
	if _, err := parsed(b.String()); err != nil {
		t.Errorf("what is shown is not a configuration: %v", err)
	}
}

// A secret is never shown, however it is printed or encoded, not even from
// inside a struct that fmt looks into by itself.
func TestSecretIsNeverShown(t *testing.T) {
	const text = "sk-very-secret"
	s := NewSecret(text)
	c := Default()
	c.LLM.APIKey = s
	type inside struct{ hidden Config }
	var out bytes.Buffer
	for _, v := range []any{s, &s, c, &c, inside{c}, []Secret{s}, map[string]Secret{"k": s}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d"} {
			fmt.Fprintf(&out, verb+"\n", v)
		}
	}
	for _, marshal := range []func(any) ([]byte, error){json.Marshal, toml.Marshal} {
		b, err := marshal(map[string]any{"s": s, "llm": c.LLM})
		if err != nil {
			t.Fatal(err)
		}
		out.Write(b)
	}
	log := slog.New(slog.NewJSONHandler(&out, nil))
	log.Info("x", "s", s, "llm", c.LLM)
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "s", s, "llm", c.LLM)
	if got := out.String(); strings.Contains(got, "very") || strings.Contains(got, fmt.Sprintf("%x", text)) || strings.Contains(got, fmt.Sprintf("%X", text)) {
		t.Errorf("the secret is in\n%s", got)
	}
	if s.Reveal() != text || !s.Set() || (Secret{}).Set() || NewSecret("").Set() || (Secret{}).Reveal() != "" {
		t.Error("Reveal or Set is wrong")
	}
	if got := fmt.Sprintf("%v|%q|%v", s, s, Secret{}); got != `***|"***"|` {
		t.Errorf("shown as %s", got)
	}
}

// No mistake in the file tells a secret, whatever the mistake.
func TestMistakesTellNoSecret(t *testing.T) {
	for _, file := range []string{
		"[llm]\napi_key = very-secret",
		"[llm]\napi_key = \"very-secret",
		"[llm]\napi_key = 'very-secret\n",
		"[llm]\napi_key = \"\"\"very-secret\n\n",
		"[llm]\napi_key = [\"very-secret\"]",
		"[llm]\napi_key = {x = \"very-secret\"}",
		"[llm]\napi_key = \"very-secret \"",
		"[llm]\napi_key = \"very-secret\\n\"",
		"[llm]\napi_key = 0123456789e0123456789very",
		"[llm]\napi_key = 1.7e77777 # very", // the decoder would quote the number
		"[llm]\napi_key = \"x\"\napi_key = \"very-secret\"",
		"[llm]\napi_key \"very-secret\"",
		"[system]\nwifi_password = \"very\"",
		"[console]\ntoken = \"very\\q\"",
		"[llm]\nbase_url = \"http://u:very-secret@h\"",
		"[llm]\nbase_url = \"ftp://u:very-secret@h\"",
		"[llm]\nbase_url = \"http://h/?key=very-secret\"",
		"[speech]\ntranscribe = \"openai http://u:very-secret@h\"",
		"[speech]\ntranscribe = \"vosk ws://u:very-secret@h\"",
		"[speech]\ntranscribe = \"vosk ws://h/?token=very-secret\"",
		"[speech]\ntranscribe = \"ws://very-secret vosk\"",
		"[speech]\ntranscribe_token = \"very-secret \"",
	} {
		_, err := parsed(file)
		if err == nil || strings.Contains(err.Error(), "very") || strings.Contains(err.Error(), "77777") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v; want one line without the secret", file, err)
		}
	}
}

// FuzzParse: no panic, one line for each problem, no secret in any of them, and
// a configuration that is accepted is shown as one that is accepted.
func FuzzParse(f *testing.F) {
	f.Add(string(Sample()))
	for _, seed := range []string{
		"", "[llm]\nmodel = 1\nmodle = \"x\"\n", "[[llm]]\nmodel = \"x\"", "llm = {model = \"x\", model.y = 3}", "\"a\\nb\" = 1", "[\"\"]\n\"\" = 1",
		"[wake]\nphrases = [\"a\", [1], {x = 2}]", "[wake]\nphrases = [\"a: b\"]\ntuning = [\"A: B : boost 1e1 threshold 1\"]\nboost = -0.0\nthreshold = nan",
		"[speech]\nspeed = \"zh=1, en = 0.9\"\ntranscribe = \"openai https://h/v1 m\"\nvoices = \"m\"", "\xef\xbb\xbfx=1", "[llm]\nmodel = \"\xff\"", "a.b.c = 1979-05-27", "[voice]\nvolume = 9223372036854775807",
		"\"llm.model\" = \"x\"", "[llm]\nmodel.x.y = 1", "llm.model = \"\\u2028\"", "[audio]\ninput = \"\\\\ \\\" \"",
	} {
		f.Add(seed)
	}
	const secret = "sk-5ae1c0ffee"
	line := regexp.MustCompile(`^homebot\.toml(:[1-9][0-9]*:[1-9][0-9]*)?: .`)
	f.Fuzz(func(t *testing.T, text string) {
		c := Default()
		c.Path = "homebot.toml"
		c, err := parse(c, []byte(text), env(map[string]string{"OPENAI_API_KEY": secret}))
		var shown bytes.Buffer
		if err := c.Show(&shown); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			for _, l := range strings.Split(err.Error(), "\n") {
				if !line.MatchString(l) {
					t.Fatalf("not a line of a problem: %q", l)
				}
			}
			if n := strings.Count(err.Error(), "\n") + 1; n != len(err.(Problems)) {
				t.Fatalf("%d lines for %d problems", n, len(err.(Problems)))
			}
		} else if _, err := parsed(shown.String()); err != nil && !strings.Contains(err.Error(), "token") && !strings.Contains(err.Error(), "password") {
			t.Fatalf("accepted, but not as it is shown: %v\n%s", err, shown.String())
		}
		if !strings.Contains(text, secret) && (strings.Contains(shown.String(), secret) || err != nil && strings.Contains(err.Error(), secret)) {
			t.Fatalf("the secret is told: %v\n%s", err, shown.String())
		}
	})
}
