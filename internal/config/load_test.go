package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// env is a getenv over a map.
func env(of map[string]string) func(string) string {
	return func(name string) string { return of[name] }
}

func noEnv(string) string { return "" }

// parsed parses text as the file homebot.toml.
func parsed(text string) (Config, error) {
	c := Default()
	c.Path = "homebot.toml"
	return parse(c, []byte(text), noEnv)
}

// A mistake is told in one line: file, line, column, key, what is wrong and the
// way out. Each of these files has as many mistakes as lines are wanted.
func TestMistakes(t *testing.T) {
	for name, tt := range map[string]struct{ file, want string }{
		"wrong types": {
			"[llm]\nmodel = 1\n[led]\nmode_active_low = \"yes\"\n[voice]\nvolume = \"loud\"\nend_silence = 700\n[wake]\nphrases = \"hi\"\n",
			"homebot.toml:2:1: llm.model: is a number; write text in quotes\n" +
				"homebot.toml:4:1: led.mode_active_low: is text; write true or false, without quotes\n" +
				"homebot.toml:6:1: voice.volume: is text; write a whole number without quotes\n" +
				"homebot.toml:7:1: voice.end_silence: is a number; write a duration in quotes with its unit, like \"700ms\" or \"8s\"\n" +
				"homebot.toml:9:1: wake.phrases: is text; write a list in brackets, like [\"one\", \"two\"]",
		},
		"out of range": {
			"[voice]\nvolume = 101\n  end_silence = \"5s\"\nmax_utterance = \"20 s\"",
			"homebot.toml:2:1: voice.volume: 101 is out of range; write a number from 0 to 100\n" +
				"homebot.toml:3:3: voice.end_silence: \"5s\" is out of range; write a duration from 300ms to 3s\n" +
				"homebot.toml:4:1: voice.max_utterance: \"20 s\" is not a duration; write a number with its unit, like \"700ms\" or \"8s\"",
		},
		"unknown key, table, and what they may have been": {
			"base = 1\n[llm]\nmodle = \"x\"\nphrases = []\nzzzzzzz = 1\n[lmm]\na = 1\nb = 2\n[nothing]\nc = 3",
			"homebot.toml:1:1: base: there is no such key; take the line out (homebot config sample lists every key)\n" +
				"homebot.toml:3:1: llm.modle: there is no such key; did you mean llm.model?\n" +
				"homebot.toml:4:1: llm.phrases: there is no such key here; phrases belongs under [wake]\n" +
				"homebot.toml:5:1: llm.zzzzzzz: there is no such key; take the line out (homebot config sample lists every key)\n" +
				"homebot.toml:6:2: lmm: there is no such table; did you mean [llm]?\n" +
				"homebot.toml:9:2: nothing: there is no such table; the tables are llm, context, speech, wake, audio, voice, led, console, system",
		},
		"tables and keys mixed up": {
			"llm = 3\nled = {mode_pin = 3, modepin = \"x\"}\n[[wake]]\nphrases = 3\n[voice.volume]\nx = 1\n",
			"homebot.toml:1:1: llm: is a table; write it as a line [llm]\n" +
				"homebot.toml:2:8: led.mode_pin: is a number; write text in quotes\n" +
				"homebot.toml:2:22: led.modepin: there is no such key; did you mean led.mode_pin?\n" +
				"homebot.toml:3:3: wake: is a table; write it as a line [wake]\n" +
				"homebot.toml:5:2: voice.volume: is a table here; write it as a line key = value under [voice]",
		},
		"not TOML":      {"[llm]\nmodel = gpt\n", "homebot.toml:2:9: model: unexpected character U+0067 'g' at start of value; correct this line"},
		"written twice": {"[llm]\nmodel = \"a\"\n[llm]\n", "homebot.toml:3:2: table llm already exists; correct this line"},
		"not UTF-8":     {"[llm]\nmodel = \"你\xff\"\n", "homebot.toml:2:11: is not UTF-8 text; save the file again as UTF-8"},
		"column is in characters": {
			"[led]\nmode_pin = \"好\" \"x\"",
			"homebot.toml:2:16: mode_pin: expected newline but got U+0022 '\"'; correct this line",
		},
		"addresses": {
			"[llm]\nbase_url = \"api.example\"\n[speech]\nurl = \"http://me:pw@host\"\n[console]\nlisten = \"8080\"\n",
			"homebot.toml:2:1: llm.base_url: is not a web address; write it like http://host:port/path\n" +
				"homebot.toml:4:1: speech.url: holds a user name or password; take it out of the address and use the key or token instead\n" +
				"homebot.toml:6:1: console.listen: \"8080\" is not an address; write host:port, like 127.0.0.1:8080",
		},
		"an endpoint": {
			"llm.base_url = \"https://h/v1/chat/completions\"",
			"homebot.toml:1:1: llm.base_url: ends in /chat/completions, which homebot adds itself; leave that ending out, like https://api.openai.com/v1",
		},
		"an endpoint and a slash": {
			"[llm]\nbase_url = \"http://h/chat/completions/\"",
			"homebot.toml:2:1: llm.base_url: ends in /chat/completions, which homebot adds itself; leave that ending out, like https://api.openai.com/v1",
		},
		"words": {
			"[context]\nprofile = \"big\"\n[system]\nlanguage = \"fr\"\ncountry = \"china\"\ntimezone = \"Peking\"\n[led]\nmode_pin = \"GPIO 17\"",
			"homebot.toml:2:1: context.profile: \"big\" is not known; write one of auto, full, compact, minimal\n" +
				"homebot.toml:4:1: system.language: \"fr\" is not known; write one of zh, en\n" +
				"homebot.toml:5:1: system.country: \"china\" is not a country code; write two capital letters, like CN\n" +
				"homebot.toml:6:1: system.timezone: \"Peking\" is not a time zone; write its name, like Asia/Shanghai\n" +
				"homebot.toml:8:1: led.mode_pin: \"GPIO 17\" is not a line name; write it as gpioinfo shows it, like GPIO17",
		},
		"speech": {
			"[speech]\nengine = \"ear\"\ntranscribe = \"vosk\"\nspeed = \"zh=1.1,de=1\"\nvoices = \"~/members.json\"",
			"homebot.toml:2:1: speech.engine: \"ear\" is not known; write one of auto, sherpa, sphinx\n" +
				"homebot.toml:3:1: speech.transcribe: is no kind and address; write it like \"vosk ws://host:port\"\n" +
				"homebot.toml:4:1: speech.speed: \"de=1\" is no speed; write languages with 0.25 to 4, like \"zh=1.1,en=0.9\"\n" +
				"homebot.toml:5:1: speech.voices: begins with ~, which only a shell understands; write the whole path, or one that begins in the workspace",
		},
		"wake phrases tuned": {
			"[wake]\nthreshold = 1.1\nboost = \"high\"\ntuning = [\"小厨: threshold 0.3\"]",
			"homebot.toml:2:1: wake.threshold: 1.1 is out of range; write a number from 0.01 to 1\n" +
				"homebot.toml:3:1: wake.boost: is text; write a number without quotes\n" +
				"homebot.toml:4:1: wake.tuning: \"小厨\" is none of the wake phrases; write it as in phrases, or take it out",
		},
		"another server's ears beside a server's": {
			"[speech]\nurl = \"http://ears\"\ntranscribe = \"vosk ws://ears\"",
			"homebot.toml:3:1: speech.transcribe: cannot be used beside url, whose server understands speech itself; take one of them out",
		},
		"values that do not go together": {
			"[led]\nmode_pin = \"GPIO4\"\nstate = \"GPIO4\"\n[system]\nwifi_password = \"12345678\"",
			"homebot.toml:3:1: led.state: is the same pin as mode_pin, which shows nothing but the mode; choose another one\n" +
				"homebot.toml:5:1: system.wifi_password: has no network to go with; set [system] wifi_ssid",
		},
		"in the order of the file": {
			"[console]\nlisten = \":80\"\n[llm]\nmodel = 1",
			"homebot.toml:2:1: console.listen: is open to other machines and has no token; set [console] token, or listen on 127.0.0.1\n" +
				"homebot.toml:4:1: llm.model: is a number; write text in quotes",
		},
		"line break in a value": {"[audio]\ninput = \"a\\nb\"", "homebot.toml:2:1: audio.input: holds a line break or control character; take it out"},
	} {
		_, err := parsed(tt.file)
		if err == nil {
			t.Errorf("%s: no mistake found", name)
			continue
		}
		if got := err.Error(); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, tt.want)
		}
		var found Problems
		if !errors.As(err, &found) {
			t.Errorf("%s: the error is a %T, want Problems", name, err)
		}
		for _, p := range found {
			if Lang(p.ZH) != "zh" || strings.Contains(p.ZH, "%!") || !strings.HasSuffix(p.In("zh"), ": "+p.ZH) {
				t.Errorf("%s: in Chinese %q", name, p.In("zh"))
			}
		}
	}
}

// V1: at most 8 wake phrases, at least one.
func TestWakePhrases(t *testing.T) {
	for phrases, want := range map[string]string{
		`"1","2","3","4","5","6","7","8"`:     "",
		`"1","2","3","4","5","6","7","8","9"`: "has 9 phrases; keep at most 8",
		``:                                    "nothing could wake the device",
		`"小厨", " "`:                           "item 2 is empty",
		`"Hey Bot", "hey bot "`:               "item 2 repeats an earlier phrase",
		`"ok", 3`:                             "item 2 is a number",
		`"ok", "a\nb"`:                        "item 2 holds a line break",
		`"` + long(41, "长") + `"`:             "longer than 40 characters",
	} {
		c, err := parsed("[wake]\nphrases = [" + phrases + "]\n")
		switch {
		case want == "" && err != nil:
			t.Errorf("[%s]: %v", phrases, err)
		case want == "" && len(c.Wake.Phrases) != MaxWakePhrases:
			t.Errorf("[%s]: got %q", phrases, c.Wake.Phrases)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("[%s]: error %v, want %q", phrases, err, want)
		}
	}
}

func long(n int, s string) string { return strings.Repeat(s, n) }

func TestLang(t *testing.T) {
	for phrase, want := range map[string]string{"你好小厨": "zh", "hey home bot": "en", "hey 小厨": "zh", "": "en"} {
		if got := Lang(phrase); got != want {
			t.Errorf("Lang(%q) = %q, want %q", phrase, got, want)
		}
	}
}

// V1: a remote speech server is refused while this machine has no wake word of
// its own, unless the file says that it may listen.
func TestRemoteServerNeedsALocalWakeWord(t *testing.T) {
	noEars := errors.New("pocketsphinx is not in this build")
	for _, tt := range []struct {
		speech string
		local  error
		want   string
	}{
		{`url = "https://ears.example"`, noEars, "homebot.toml:2:1: speech.url: is on another machine, and this one cannot listen for the wake word (pocketsphinx is not in this build); install what is missing, or set remote_wake = true to let that server hear everything"},
		{`url = "https://ears.example"`, nil, ""},
		{"url = \"https://ears.example\"\nremote_wake = true", noEars, ""},
		{`url = "http://127.0.0.1:9000"`, noEars, ""},
		{`url = "http://[::1]:9000"`, noEars, ""},
		{`url = "http://localhost"`, noEars, ""},
		{``, noEars, ""},
	} {
		c, err := parsed("[speech]\n" + tt.speech)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := c.CheckWake(tt.local); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%q with local %v:\ngot  %q\nwant %q", tt.speech, tt.local, got, tt.want)
		}
	}
}

// Everything listens on this machine only, unless it has a token.
func TestConsoleBeyondThisMachineNeedsAToken(t *testing.T) {
	for listen, refused := range map[string]bool{
		"0.0.0.0:8080": true, ":8080": true, "[::]:80": true, "192.168.1.2:80": true, "kitchen:80": true,
		"127.0.0.1:0": false, "localhost:80": false, "[::1]:80": false, "": false,
	} {
		if _, err := parsed("[console]\nlisten = \"" + listen + "\""); (err != nil) != refused {
			t.Errorf("listen %q without token: %v, want refused %v", listen, err, refused)
		}
		if _, err := parsed("[console]\nlisten = \"" + listen + "\"\ntoken = \"t\""); err != nil {
			t.Errorf("listen %q with token: %v", listen, err)
		}
	}
	for tls, refused := range map[string]bool{
		"0.0.0.0:8443": true, ":8443": true, "192.168.1.2:443": true, "127.0.0.1:8443": false, "auto": false, "off": false,
	} {
		file := "[console]\ntls = \"" + tls + "\"\n"
		if _, err := parsed(file); (err != nil) != refused {
			t.Errorf("https on %q without token: %v, want refused %v", tls, err, refused)
		}
		for _, more := range []string{"token = \"t\"", "listen = \"\""} {
			if _, err := parsed(file + more); err != nil {
				t.Errorf("https on %q with %s: %v", tls, more, err)
			}
		}
	}
}

func TestEnvironmentWins(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "homebot.toml")
	write(t, file, "[llm]\nbase_url = \"http://file\"\nmodel = \"file\"\napi_key = \"file\"\n")
	c, err := Load("", env(map[string]string{
		"HOMEBOT_WORKSPACE": dir, "OPENAI_API_KEY": "env", "OPENAI_BASE_URL": "http://env/v1", "HOMEBOT_MODEL": "envmodel",
	}))
	if err != nil {
		t.Fatal(err)
	}
	if want := (LLM{BaseURL: "http://env/v1", Model: "envmodel", APIKey: NewSecret("env")}); !reflect.DeepEqual(c.LLM, want) {
		t.Errorf("LLM is %+v %q, want that of the environment", c.LLM, c.LLM.APIKey.Reveal())
	}
	if c.Path != file || c.Workspace != dir {
		t.Errorf("path %q and workspace %q, want %q and %q", c.Path, c.Workspace, file, dir)
	}
	_, err = Load("", env(map[string]string{"HOMEBOT_WORKSPACE": dir, "OPENAI_BASE_URL": "nonsense"}))
	if want := "OPENAI_BASE_URL: is not a web address; write it like http://host:port/path"; err == nil || err.Error() != want {
		t.Errorf("wrong variable: %v, want %s", err, want)
	}
}

func TestWhichFile(t *testing.T) {
	dir := t.TempDir()
	named := filepath.Join(dir, "other.toml")
	write(t, named, "[llm]\nmodel = \"named\"\n")
	missing := filepath.Join(dir, "missing.toml")
	for name, tt := range map[string]struct {
		path  string
		env   map[string]string
		model string
		err   string
	}{
		"defaults without a file":  {env: map[string]string{"HOMEBOT_WORKSPACE": dir}, model: Default().LLM.Model},
		"home directory":           {env: map[string]string{"HOME": dir}, model: Default().LLM.Model},
		"named by argument":        {path: named, env: map[string]string{"HOME": dir, "HOMEBOT_CONFIG": missing}, model: "named"},
		"named by variable":        {env: map[string]string{"HOME": dir, "HOMEBOT_CONFIG": named}, model: "named"},
		"named but missing":        {path: missing, env: map[string]string{"HOME": dir}, err: missing + ": there is no such file; correct the path, or make one with: homebot config sample"},
		"variable but missing":     {env: map[string]string{"HOME": dir, "HOMEBOT_CONFIG": missing}, err: missing + ": there is no such file; correct the path, or make one with: homebot config sample"},
		"a directory":              {path: dir, env: map[string]string{"HOME": dir}, err: dir + ": cannot be read (is a directory); correct the path or check the disk"},
		"too large":                {path: "/dev/zero", env: map[string]string{"HOME": dir}, err: "/dev/zero: is larger than 64 KiB, so it is no homebot.toml; correct the path"},
		"no home and no workspace": {err: "HOMEBOT_WORKSPACE: is not set, and there is no home directory; set it to a directory of homebot's own"},
	} {
		c, err := Load(tt.path, env(tt.env))
		switch {
		case tt.err == "" && err != nil, tt.err != "" && (err == nil || err.Error() != tt.err):
			t.Errorf("%s: error %v, want %q", name, err, tt.err)
		case tt.err == "" && c.LLM.Model != tt.model:
			t.Errorf("%s: model %q, want %q", name, c.LLM.Model, tt.model)
		case tt.err == "" && !filepath.IsAbs(c.Workspace):
			t.Errorf("%s: workspace %q is not absolute", name, c.Workspace)
		}
	}
}

func TestWorkspace(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for set, want := range map[string]string{
		"": "/home/cook/.homebot", "~/w": "/home/cook/w", "/var/lib/homebot": "/var/lib/homebot", "w": filepath.Join(here, "w"),
	} {
		getenv := With(env(map[string]string{"HOME": "/home/cook"}), EnvWorkspace, set)
		c, err := Load("", getenv)
		if err != nil || c.Workspace != want {
			t.Errorf("workspace %q: %q, %v; want %q", set, c.Workspace, err, want)
		}
	}
}

// A file as Windows writes it, with a byte order mark and CR LF, is read.
func TestWindowsFile(t *testing.T) {
	c, err := parsed("\xef\xbb\xbf[llm]\r\nmodel = \"m\"\r\n")
	if err != nil || c.LLM.Model != "m" {
		t.Errorf("model %q, %v", c.LLM.Model, err)
	}
	if _, err := parsed("\xef\xbb\xbfllm = 1\r\n"); err == nil || !strings.HasPrefix(err.Error(), "homebot.toml:1:1: ") {
		t.Errorf("position behind a byte order mark: %v", err)
	}
}

func TestConfigured(t *testing.T) {
	for _, tt := range []struct {
		llm  LLM
		want bool
	}{
		{Default().LLM, false},
		{LLM{BaseURL: defaultBaseURL, APIKey: NewSecret("k")}, true},
		{LLM{BaseURL: "http://127.0.0.1:11434/v1"}, true},
	} {
		if got := tt.llm.Configured(); got != tt.want {
			t.Errorf("%+v configured %v, want %v", tt.llm, got, tt.want)
		}
	}
}

func TestDurationsAsWritten(t *testing.T) {
	for d, want := range map[time.Duration]string{
		700 * time.Millisecond: "700ms", 8 * time.Second: "8s", 2 * time.Minute: "2m", 0: "0s", time.Hour: "1h", 90 * time.Second: "1m30s", 10 * time.Minute: "10m",
	} {
		if got := short(d); got != want {
			t.Errorf("%v is written %q, want %q", d, got, want)
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The language that the configuration does not name is the shell's, by POSIX's
// order of the variables, if it is one of ours; zh otherwise.
// What is written in a terminal is English where nobody named a language; a value
// that is none names none.
func TestTerminal(t *testing.T) {
	for _, c := range []struct{ file, lang, want string }{
		{"", "", "en"}, {"", "C.UTF-8", "en"}, {"", "de_DE", "en"}, {"", "zh_CN.UTF-8", "zh"}, {"", "en_GB", "en"},
		{"[system]\nlanguage = \"zh\"\n", "en_GB", "zh"}, {"[system]\nlanguage = \"\"\n", "zh_TW", "zh"},
		{"[system]\nlanguage = \"english\"\n", "", "en"}, {"[system]\nlanguage = \"english\"\n", "zh_CN", "zh"},
	} {
		got, _ := parse(Default(), []byte(c.file), func(name string) string { return map[string]string{"LANG": c.lang}[name] })
		if got.Terminal() != c.want {
			t.Errorf("%+v: %s", c, got.Terminal())
		}
	}
}

func TestLanguageOfTheShell(t *testing.T) {
	for _, c := range []struct {
		file, all, messages, lang string
		want, source              string
	}{
		{"", "", "", "", "zh", "default"},
		{"", "", "", "en_GB.UTF-8", "en", "LANG"},
		{"", "", "en_US", "zh_CN.UTF-8", "en", "LC_MESSAGES"},
		{"", "zh_TW.UTF-8", "en_US", "en_US", "zh", "LC_ALL"},
		{"", "C.UTF-8", "", "en_US", "zh", "default"},
		{"", "", "", "en", "en", "LANG"},
		{"", "", "", "de_DE", "zh", "default"},
		{"[system]\nlanguage = \"zh\"\n", "en_US", "", "", "zh", "file line 2"},
		{"[system]\nlanguage = \"\"\n", "en_US", "", "", "en", "LC_ALL"},
	} {
		env := func(name string) string {
			return map[string]string{"LC_ALL": c.all, "LC_MESSAGES": c.messages, "LANG": c.lang}[name]
		}
		got, err := parse(Default(), []byte(c.file), env)
		if err != nil || got.System.Language != c.want || got.Source("system.language") != c.source {
			t.Errorf("%+v: %s from %s, %v", c, got.System.Language, got.Source("system.language"), err)
		}
		of, _ := parse(Default(), nil, env)
		if got := ShellLanguage(env); got != of.Terminal() {
			t.Errorf("%+v: %s in a terminal without a configuration, %s with an empty one", c, got, of.Terminal())
		}
		if got, _ := parse(Default(), nil, WithoutLocale(env)); got.System.Language != "zh" {
			t.Errorf("%+v on the appliance: %s", c, got.System.Language)
		}
	}
	wrong, err := parse(Default(), []byte("[system]\nlanguage = \"fr\"\n"), func(string) string { return "en_US" })
	if err == nil {
		t.Error("fr is taken")
	}
	if wrong.System.Language != "en" {
		t.Errorf("with a mistake: %q", wrong.System.Language)
	}
}
