package config

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func secretAt(path, _ string) bool { return IsSecret(path) }

// anyway loads file as a device does, with secrets beside it.
func anyway(t *testing.T, file, secrets string) (Config, Problems) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "homebot.toml"), file)
	if secrets != "" {
		write(t, filepath.Join(dir, "secrets.toml"), secrets)
	}
	c, found := LoadAnyway("", env(map[string]string{EnvWorkspace: dir}))
	for i := range found {
		found[i].File = filepath.Base(found[i].File)
	}
	return c, found
}

// V8: whatever a person wrote, the device starts with all that is right, and can
// say what is not.
func TestLoadAnyway(t *testing.T) {
	for name, tt := range map[string]struct {
		file, secrets string
		model         string
		volume        int
		key           string
		problems      string // one a line
	}{
		"all right": {file: "[llm]\nmodel = \"m\"\n[voice]\nvolume = 9\n", model: "m", volume: 9},
		"a value out of range": {
			file: "[llm]\nmodel = \"m\"\n[voice]\nvolume = 900\n", model: "m", volume: 70,
			problems: "homebot.toml:4:1: voice.volume: 900 is out of range; write a number from 0 to 100",
		},
		"a line without quotes": {
			file: "[llm]\nmodel = m\n[voice]\nvolume = 9\n", model: "gpt-4o-mini", volume: 9,
			problems: "homebot.toml:2:9: model: unexpected character U+006D 'm' at start of value; correct this line",
		},
		"curly quotes": {
			file: "[llm]\nmodel = “m”\n[voice]\nvolume = 9\n", model: "gpt-4o-mini", volume: 9,
			problems: "homebot.toml:2:9: model: has curly quotes, as word processors make them; type straight ones: \"",
		},
		"two lines, a key twice and a key that is not there": {
			file:  "[llm]\nmodel = \"m\"\nmodel = \"n\"\nmodle = \"m\"\n[voice]\nvolume = loud\n",
			model: "m", volume: 70,
			problems: "homebot.toml:3:1: model: key model is already defined; correct this line\n" +
				"homebot.toml:4:1: llm.modle: there is no such key; did you mean llm.model?\n" +
				"homebot.toml:6:10: volume: unexpected character U+006C 'l' at start of value; correct this line",
		},
		"a pair that does not go together": {
			file: "[llm]\nmodel = \"m\"\n[console]\nlisten = \"0.0.0.0:80\"\n", model: "m", volume: 70,
			problems: "homebot.toml:4:1: console.listen: is open to other machines and has no token; set [console] token, or listen on 127.0.0.1",
		},
		"no text at all": {
			file: "\x00\x00\x00\x00", model: "gpt-4o-mini", volume: 70,
			problems: "homebot.toml:1:1: invalid character at start of key: U+0000; correct this line",
		},
		"not UTF-8": {
			file: "[llm]\nmodel = \"\xff\"\n[voice]\nvolume = 9\n", model: "gpt-4o-mini", volume: 9,
			problems: "homebot.toml:2:10: is not UTF-8 text; save the file again as UTF-8",
		},
		"secrets":           {file: "[llm]\napi_key = \"\"\n", secrets: "[llm]\napi_key = \"k\"\n", model: "gpt-4o-mini", volume: 70, key: "k"},
		"a new secret wins": {file: "[llm]\napi_key = \"new\"\n", secrets: "[llm]\napi_key = \"k\"\n", model: "gpt-4o-mini", volume: 70, key: "new"},
		"secrets of an older version": {
			file: "", secrets: "[llm]\nmodel = \"m\"\napi_key = \"k\"\n", model: "gpt-4o-mini", volume: 70, key: "k",
			problems: "secrets.toml:2:1: llm.model: is no secret; write it in homebot.toml",
		},
		"a secret of the wrong name": {
			file: "", secrets: "[llm]\napi_kye = \"k\"\n", model: "gpt-4o-mini", volume: 70,
			problems: "secrets.toml:2:1: llm.api_kye: there is no such key; did you mean llm.api_key?",
		},
		"secrets that are garbage": {
			file: "[llm]\nmodel = \"m\"\n", secrets: "api_key = very-secret", model: "m", volume: 70,
			problems: "secrets.toml:1:11: api_key: is not written as TOML wants it; write the value in double quotes, on one line",
		},
	} {
		c, found := anyway(t, tt.file, tt.secrets)
		if c.LLM.Model != tt.model || c.Voice.Volume != tt.volume || c.LLM.APIKey.Reveal() != tt.key {
			t.Errorf("%s: model %q, volume %d, key %q", name, c.LLM.Model, c.Voice.Volume, c.LLM.APIKey.Reveal())
		}
		if got := found.Error(); got != tt.problems {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, tt.problems)
		}
	}
}

// V8: a file that is not there at all does not keep the device from starting.
func TestLoadAnywayWithoutTheFile(t *testing.T) {
	dir := t.TempDir()
	c, found := LoadAnyway(filepath.Join(dir, "homebot", "homebot.toml"), env(map[string]string{EnvWorkspace: dir}))
	if c.LLM.Model != Default().LLM.Model || len(found) != 1 || !strings.Contains(found.Error(), "there is no such file") {
		t.Errorf("model %q, %v", c.LLM.Model, found)
	}
}

// A file as Windows' Notepad writes it as "Unicode" is read, and a mistake in it is
// found where it is.
func TestUTF16(t *testing.T) {
	for _, e := range encodings {
		c, err := parsed(string(e.encode([]byte("[wake]\r\nphrases = [\"你好 😀\"]\r\n"))))
		if err != nil || c.Wake.Phrases[0] != "你好 😀" {
			t.Errorf("mark %q: %v %q", e.mark, err, c.Wake.Phrases)
		}
		_, err = parsed(string(e.encode([]byte("# 你好\r\n  llm = 1\r\n"))))
		if err == nil || !strings.HasPrefix(err.Error(), "homebot.toml:2:3: ") {
			t.Errorf("mark %q: position %v", e.mark, err)
		}
	}
	if _, err := parsed("\xff\xfea"); err == nil || !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("half a character: %v", err)
	}
}

// A secret is taken out of a file; nothing else of the file changes, not even its
// length, in whatever encoding it is.
func TestTakeOut(t *testing.T) {
	for name, tt := range map[string]struct {
		file, rest, key, token string
	}{
		"with comments": {
			file: "# mine\n[llm]\napi_key = \"sk-1\"  # from Anna\n[console]\ntoken = 'ab'\n",
			rest: "# mine\n[llm]\napi_key = \"\"      # from Anna\n[console]\ntoken = \"\"  \n",
			key:  "sk-1", token: "ab",
		},
		"empty already":      {file: "[llm]\napi_key = \"\"\n", rest: "[llm]\napi_key = \"\"\n"},
		"without a line end": {file: "[llm]\r\napi_key = \"密钥😀\"", rest: "[llm]\r\napi_key = \"\"" + "\x01", key: "密钥😀"},
		"dotted":             {file: "llm.api_key = \"k\"\n", rest: "llm.api_key = \"\" \n", key: "k"},
		"inline":             {file: "llm = { model = \"m\", api_key = \"k\" }\n", rest: "llm = { model = \"m\", api_key = \"\"  }\n", key: "k"},
		"long string":        {file: "[llm]\napi_key = \"\"\"k\n\"\"\"\n", rest: "[llm]\napi_key = \"\"      \n", key: "k\n"},
		"beside a mistake":   {file: "[llm]\nmodel = m\napi_key = \"k\"\n", rest: "[llm]\nmodel = m\napi_key = \"\" \n", key: "k"},
		"itself a mistake":   {file: "[llm]\napi_key = k\n", rest: "[llm]\napi_key = k\n"},
		"a comment":          {file: "[llm]\n# api_key = \"k\"\n", rest: "[llm]\n# api_key = \"k\"\n"},
		"no file of ours":    {file: "\x00\x02", rest: "\x00\x02"},
	} {
		for _, e := range append([]encoding{{}}, encodings...) {
			rest := tt.rest
			if before, _, ok := strings.Cut(rest, "\x01"); ok { // as wide as the value was
				rest = before + strings.Repeat(" ", e.width([]byte(tt.key)))
			}
			got, out := TakeOut(e.encode([]byte(tt.file)), secretAt)
			if string(out) != string(e.encode([]byte(rest))) {
				t.Errorf("%s, mark %q:\ngot  %q\nwant %q", name, e.mark, decode(out), rest)
			}
			if got["llm.api_key"] != tt.key || got["console.token"] != tt.token {
				t.Errorf("%s, mark %q: took %q", name, e.mark, got)
			}
		}
	}
}

// What is written into the file of secrets is read back.
func TestSecretsFile(t *testing.T) {
	want := map[string]string{"llm.api_key": `a"b\c`, "console.token": "密", "speech.token": "x"}
	got := ReadSecrets(WriteSecrets(want))
	if len(got) != len(want) {
		t.Errorf("got %q", got)
	}
	for key, v := range want {
		if got[key] != v {
			t.Errorf("%s: %q, want %q", key, got[key], v)
		}
	}
	for key, secret := range map[string]bool{"llm.api_key": true, "system.wifi_password": true, "llm.model": false, "nothing": false} {
		if IsSecret(key) != secret {
			t.Errorf("IsSecret(%q) is %v", key, !secret)
		}
	}
}

// Whatever the bytes, taking out changes no length, is done after one time, and
// leaves nothing of what was taken where it stood.
func FuzzTakeOut(f *testing.F) {
	f.Add([]byte("[llm]\napi_key = \"sk\" # x\n"))
	f.Add([]byte("\xff\xfe[\x00l\x00l\x00m\x00]\x00\n\x00"))
	f.Add([]byte("llm = {api_key='k'}\n[llm]\nx"))
	f.Add([]byte("\xef\xbb\xbf[llm]\r\napi_key=\"\"\"a\r\nb\"\"\""))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, out := TakeOut(data, secretAt)
		if len(out) != len(data) && utf8.Valid(decode(data)) && encodingOf(data).order == nil {
			t.Errorf("%d bytes became %d", len(data), len(out))
		}
		again, same := TakeOut(out, secretAt)
		if len(again) > 0 || string(same) != string(out) {
			t.Errorf("taken again: %q", again)
		}
	})
}

// Whatever the file, a device gets a configuration that Load would not refuse.
func FuzzLoadAnyway(f *testing.F) {
	f.Add([]byte("[llm]\nmodel = m\n[voice]\nvolume = 900\n"))
	f.Add([]byte("[console]\nlisten = \"0.0.0.0:1\"\n[led]\nstate = \"GPIO17\"\n"))
	f.Add([]byte("[system]\nwifi_password = \"12345678\"\n"))
	f.Add([]byte("[speech]\nurl = \"http://h\"\ntranscribe = \"vosk ws://h:1\"\n[wake]\ntuning = [\"x: boost 1\"]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := Default()
		c.Path = "homebot.toml"
		text, found, _ := Salvage(c.Path, data)
		c, found = c.fillAnyway(sources{file: text, getenv: env(nil)}, found)
		if wrong := c.checkTogether(); len(wrong) > 0 {
			t.Errorf("in force is %v", wrong)
		}
		if _, err := parse(Default(), data, env(nil)); err == nil && len(found) > 0 {
			t.Errorf("Load finds nothing, LoadAnyway %v", found)
		}
		for _, p := range found {
			if strings.Contains(p.String(), "\n") {
				t.Errorf("not one line: %q", p)
			}
		}
	})
}
