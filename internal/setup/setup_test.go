package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"homebot/internal/config"
	"homebot/internal/store/storetest"
)

const (
	boot = "/boot"
	data = "/data/system"
)

// card is a disk with these files on the FAT partition.
func card(files map[string]string) *storetest.Disk {
	d := storetest.New(boot, "/data")
	for name, text := range files {
		put(d, name, text)
	}
	d.Settle()
	return d
}

func put(d *storetest.Disk, name, text string) {
	f, err := d.OpenFile(boot+"/"+name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err == nil {
		_, err = f.Write([]byte(text))
	}
	if err == nil {
		err = errors.Join(f.Sync(), f.Close(), d.SyncDir(boot))
	}
	if err != nil {
		panic(err)
	}
}

func prepare(d *storetest.Disk) Result { return Prepare(Config{FS: d, Boot: boot, Data: data}) }

func onFAT(d *storetest.Disk, name string) string { return d.Files()[boot+"/"+name] }

// A first start: what a person wrote is in force, and its secrets are no longer on
// the card, while their comments are.
func TestFirstStart(t *testing.T) {
	d := card(map[string]string{ConfigName: "# ours\n[llm]\napi_key = \"sk-1\" # Anna's\nmodel = \"m\"\n" +
		"[system]\nhostname = \"kitchen\"\ntimezone = \"Asia/Shanghai\"\ncountry = \"CN\"\nwifi_ssid = \"家\"\nwifi_password = \"12345678\"\n"})
	r := prepare(d)
	if len(r.Problems) > 0 {
		t.Errorf("problems: %v", r.Problems)
	}
	want := "# ours\n[llm]\napi_key = \"\"     # Anna's\nmodel = \"m\"\n" +
		"[system]\nhostname = \"kitchen\"\ntimezone = \"Asia/Shanghai\"\ncountry = \"CN\"\nwifi_ssid = \"家\"\nwifi_password = \"\"        \n"
	if got := onFAT(d, ConfigName); got != want || string(r.File) != want {
		t.Errorf("on the card is\n%q\nwant\n%q", got, want)
	}
	c, problems := config.ReadAnyway(ConfigName, r.File, r.Secrets)
	if len(problems) > 0 || c.LLM.APIKey.Reveal() != "sk-1" || c.LLM.Model != "m" {
		t.Errorf("homebot gets %+v, %v", c.LLM, problems)
	}
	if strings.Contains(string(r.Secrets), "12345678") {
		t.Error("homebot is given the Wi-Fi password, which it does not need")
	}
	s := r.System
	if s.Hostname != "kitchen" || s.Timezone != "Asia/Shanghai" || s.Country != "CN" || len(s.Networks) != 1 || s.Networks[0].Password != "12345678" {
		t.Errorf("the machine is to be %+v", s)
	}
	for name, text := range d.Files() {
		info, err := d.Stat(name)
		if err != nil || strings.HasPrefix(name, data) && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v (%v): %d bytes", name, info.Mode(), err, len(text))
		}
	}
	if again := prepare(d); !same(r, again) {
		t.Errorf("the second start gives\n%v\nthe first gave\n%v", again, r)
	}
}

func same(a, b Result) bool { return reflect.DeepEqual(a, b) }

// A card that is edited again: what is new is taken over, what is empty stays known,
// "-" is forgotten.
func TestEditedAgain(t *testing.T) {
	d := card(nil)
	for i, tt := range []struct{ file, key, password string }{
		{"[llm]\napi_key = \"one\"\n[system]\nwifi_ssid = \"a\"\nwifi_password = \"password-a\"\n", "one", "password-a"},
		{"[llm]\napi_key = \"two\"\n[system]\nwifi_ssid = \"a\"\n", "two", "password-a"},
		{"[system]\nwifi_ssid = \"b\"\nwifi_password = \"password-b\"\n", "two", "password-b"},
		{"[system]\nwifi_ssid = \"open\"\n", "two", ""},
		{"[system]\nwifi_ssid = \"a\"\n", "two", "password-a"},
		{"[llm]\napi_key = \"-\"\n[system]\nwifi_ssid = \"b\"\nwifi_password = \"-\"\n", "", ""},
		{"[llm]\napi_key = \"\"\n[system]\nwifi_ssid = \"b\"\n", "", ""},
		{"[system]\nwifi_ssid = \"a\"\n", "", "password-a"},
	} {
		put(d, ConfigName, tt.file)
		for range 2 {
			r := prepare(d)
			if got := config.ReadSecrets(r.Secrets)["llm.api_key"]; got != tt.key || len(r.Problems) > 0 {
				t.Errorf("step %d: key %q, want %q (%v)", i, got, tt.key, r.Problems)
			}
			if n := r.System.Networks; len(n) != 1 || n[0].Password != tt.password {
				t.Errorf("step %d: networks %+v, want password %q", i, n, tt.password)
			}
		}
	}
}

// V8: no file, garbage, a value that is wrong: the device gets the last good file or
// the defaults, and a problem with its place. A secret that is wrong stays where its
// owner can mend it.
func TestMistakes(t *testing.T) {
	good := "[system]\nhostname = \"kitchen\"\n"
	for name, tt := range map[string]struct{ before, file, hostname, problems, stays string }{
		"no file":              {hostname: "homebot"},
		"garbage":              {file: "\x00\x00", hostname: "homebot", problems: "homebot.toml:1:1: invalid character at start of key: U+0000; correct this line"},
		"garbage after a good": {before: good, file: "\x00\x00", hostname: "kitchen", problems: "homebot.toml:1:1: invalid character at start of key: U+0000; correct this line"},
		"one line":             {file: good + "wifi_ssid = Home\n", hostname: "kitchen"},
		"too large":            {before: good, file: strings.Repeat("#", maxFile+1), hostname: "kitchen", problems: "homebot.toml: is far too large for a file of settings; write a new one"},
		"a wrong secret":       {file: "[system]\nwifi_ssid = \"a\"\nwifi_password = \"short\"\n", hostname: "homebot", stays: "\"short\""},
		"UTF-16":               {file: "\xff\xfe[\x00l\x00l\x00m\x00]\x00\n\x00m\x00o\x00d\x00e\x00l\x00=\x00\"\x00m\x00\"\x00\n\x00", hostname: "homebot"},
	} {
		d := card(nil)
		if tt.before != "" {
			put(d, ConfigName, tt.before)
			prepare(d)
		}
		if tt.file != "" {
			put(d, ConfigName, tt.file)
		}
		r := prepare(d)
		if r.System.Hostname != tt.hostname || r.Problems.Error() != tt.problems {
			t.Errorf("%s: host %q, problems %q", name, r.System.Hostname, r.Problems)
		}
		if !strings.Contains(onFAT(d, ConfigName), tt.stays) {
			t.Errorf("%s: on the card is %q", name, onFAT(d, ConfigName))
		}
	}
}

// The file as Raspberry Pi Imager writes it (generateRpiPreseedToml in its source).
const imagerFile = `config_version = "1.0"

[system]
hostname = "Pantry"

[user]
name = "pi"
password = "$y$j9T$abc"
password_encrypted = true
groups = ["sudo"]

[ssh]
enabled = true
password_authentication = true

[wlan]
ssid = "Café \"5\""
password = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
password_encrypted = true
hidden = true
country = "DE"

[locale]
keymap = "de"
timezone = "Europe/Berlin"
`

// Imager's settings hold where homebot.toml says nothing; its secrets are emptied.
func TestImager(t *testing.T) {
	d := card(map[string]string{PreseedName: imagerFile, ConfigName: "[system]\nhostname = \"\"\n"})
	r := prepare(d)
	s := r.System
	if len(r.Problems) > 0 || s.Hostname != "pantry" || s.Timezone != "Europe/Berlin" || s.Country != "DE" {
		t.Errorf("%+v, %v", s, r.Problems)
	}
	if len(s.Networks) != 1 || string(s.Networks[0].SSID) != `Café "5"` || !s.Networks[0].Hidden || !strings.HasPrefix(s.Networks[0].Password, "01234567") {
		t.Errorf("networks %+v", s.Networks)
	}
	if left := onFAT(d, PreseedName); strings.Contains(left, "0123456789") || strings.Contains(left, "$y$") || len(left) != len(imagerFile) {
		t.Errorf("on the card is\n%s", left)
	}
	if again := prepare(d); !same(r, again) {
		t.Errorf("the second start gives %+v, want %+v", again, r)
	}
	put(d, ConfigName, "[system]\nhostname = \"mine\"\nwifi_ssid = \"x\"\n")
	if s := prepare(d).System; s.Hostname != "mine" || len(s.Networks) != 2 || string(s.Networks[0].SSID) != "x" {
		t.Errorf("homebot.toml does not win: %+v", s)
	}
	put(d, PreseedName, "[wlan]\nssid_hex = \"ff00\"\npassword = \"12345678\"\ncountry = \"nowhere\"\nhidden = false\n")
	r = prepare(d)
	if n := r.System.Networks; len(n) != 2 || string(n[1].SSID) != "\xff\x00" || n[1].Password != "12345678" {
		t.Errorf("a name that is no text: %+v", n)
	}
	if got := r.Problems.Error(); got != `rpi-preseed.toml: wlan.country: "NOWHERE" is not a country code; write two capital letters, like CN` {
		t.Errorf("problems %s", got)
	}
}

// A console that is open to the network gets a token of its own, once.
func TestConsoleToken(t *testing.T) {
	d := card(map[string]string{ConfigName: "[console]\nlisten = \"0.0.0.0:8080\"\n"})
	token := config.ReadSecrets(prepare(d).Secrets)[tokenKey]
	r := prepare(d)
	c, problems := config.ReadAnyway(ConfigName, r.File, r.Secrets)
	if len(token) != 32 || c.Console.Token.Reveal() != token || c.Console.Listen != "0.0.0.0:8080" || len(problems) > 0 {
		t.Errorf("token %q, then %q; console %v, %v", token, c.Console.Token.Reveal(), c.Console, problems)
	}
	put(d, ConfigName, "[console]\nlisten = \"127.0.0.1:8080\"\n")
	if other := card(map[string]string{ConfigName: "[console]\nlisten = \"127.0.0.1:8080\"\n"}); config.ReadSecrets(prepare(other).Secrets)[tokenKey] != "" {
		t.Error("a console that is not open got a token")
	}
	if other := card(map[string]string{ConfigName: "[console]\ntls = \":8443\"\n"}); len(config.ReadSecrets(prepare(other).Secrets)[tokenKey]) != 32 {
		t.Error("a console that is open over https got no token")
	}
}

const crashFile = "[llm]\napi_key = \"sk-1\" # x\n[system]\nwifi_ssid = \"a\"\nwifi_password = \"password-a\"\n"

// S3: the power may go at any instant of a first start, and again at any instant of
// the next one: the key is never lost, is not on the card in the end, and nothing
// else of the file changes.
func TestPowerCuts(t *testing.T) {
	begin := func(d *storetest.Disk) error {
		for _, dir := range []string{boot, "/data"} {
			if err := d.Mkdir(dir, 0o755); err != nil {
				return err
			}
		}
		put(d, ConfigName, crashFile)
		return nil
	}
	run := func(d *storetest.Disk) error { prepare(d); return nil }
	want := strings.NewReplacer(`"sk-1"`, `""    `, `"password-a"`, `""          `).Replace(crashFile)
	n := storetest.EachCrash(t, begin, run, func(c storetest.Crash) error {
		if r := prepare(c.Disk); config.ReadSecrets(r.Secrets)["llm.api_key"] != "sk-1" || len(r.System.Networks) != 1 || r.System.Networks[0].Password != "password-a" {
			return fmt.Errorf("a secret is lost: %+v", r)
		}
		if got := onFAT(c.Disk, ConfigName); got != want {
			return fmt.Errorf("on the card is %q", got)
		}
		if c.Disk.Files()[data+"/"+blankingName] != "" {
			return errors.New("the write is not put down as done")
		}
		return nil
	})
	twice := storetest.EachDoubleCrash(t, begin, run, func(c storetest.Crash) error {
		prepare(c.Disk)
		r := prepare(c.Disk)
		if config.ReadSecrets(r.Secrets)["llm.api_key"] != "sk-1" || onFAT(c.Disk, ConfigName) != want {
			return fmt.Errorf("after two cuts: %+v, on the card %q", r, onFAT(c.Disk, ConfigName))
		}
		return nil
	})
	t.Logf("%d crash states, %d with a second crash", n, twice)
}

// S2: a disk that fails at any operation loses no key either: it is where it was,
// or in force and durable.
func TestFaults(t *testing.T) {
	begin := func(d *storetest.Disk) error {
		for _, dir := range []string{boot, "/data"} {
			if err := d.Mkdir(dir, 0o755); err != nil {
				return err
			}
		}
		put(d, ConfigName, crashFile)
		return nil
	}
	later := func(d *storetest.Disk) error { // a key is known, and the card has another secret
		if err := begin(d); err != nil {
			return err
		}
		prepare(d)
		put(d, ConfigName, "[console]\ntoken = \"t\"\n[system]\nwifi_ssid = \"a\"\n")
		return nil
	}
	check := func(c storetest.Crash) error {
		if r := prepare(c.Disk); config.ReadSecrets(r.Secrets)["llm.api_key"] != "sk-1" || r.System.Networks[0].Password != "password-a" {
			return fmt.Errorf("a secret is lost: %+v", r)
		}
		return nil
	}
	run := func(d *storetest.Disk) error { prepare(d); return nil }
	storetest.EachFault(t, begin, run, check)
	storetest.EachFault(t, later, run, check)
}

// A card that cannot be written, and a data partition that cannot: the device works,
// and says so; a key is only emptied where it is kept elsewhere.
func TestReadOnly(t *testing.T) {
	d := card(map[string]string{ConfigName: crashFile})
	r := Prepare(Config{FS: d, Boot: boot, Data: data, Writable: func() (func(), error) { return nil, syscall.EROFS }})
	if config.ReadSecrets(r.Secrets)["llm.api_key"] != "sk-1" || !strings.Contains(r.Problems.Error(), "take them out of the file") || !strings.Contains(r.Problems.In("zh"), "请从文件里删掉") {
		t.Errorf("card: %v", r.Problems)
	}
	d = card(map[string]string{ConfigName: crashFile})
	r = Prepare(Config{FS: readOnly{d}, Boot: boot, Data: data})
	if config.ReadSecrets(r.Secrets)["llm.api_key"] != "sk-1" || r.System.Networks[0].Password != "password-a" ||
		onFAT(d, ConfigName) != crashFile || !strings.Contains(r.Problems.Error(), "the data partition cannot be read or written (read-only file system)") {
		t.Errorf("data: %v, on the card %q", r.Problems, onFAT(d, ConfigName))
	}
}

// readOnly is a disk whose data partition cannot be written.
type readOnly struct{ *storetest.Disk }

func (r readOnly) Mkdir(name string, _ fs.FileMode) error {
	return &fs.PathError{Op: "mkdir", Path: name, Err: syscall.EROFS}
}

// Nothing of what was taken gets into the log or a problem.
func TestTellsNoSecret(t *testing.T) {
	for _, file := range []string{crashFile, "[llm]\napi_key = sk-1\n", "[system]\nwifi_password = \"password-a\n", "[console]\ntoken = [\"sk-1\"]\n"} {
		var log bytes.Buffer
		d := card(map[string]string{ConfigName: file, PreseedName: strings.ReplaceAll(imagerFile, "$y$", "sk-1")})
		c := Config{FS: d, Boot: boot, Data: data, Log: slog.New(slog.NewTextHandler(&log, nil))}
		c.Writable = func() (func(), error) { return nil, syscall.EROFS }
		r := Prepare(c)
		if told := log.String() + r.Problems.Error() + r.Problems.In("zh"); strings.Contains(told, "sk-1") || strings.Contains(told, "password-a") || strings.Contains(told, "0123456789") {
			t.Errorf("%q: told %s", file, told)
		}
	}
}

// Whatever lies on the card, there is a Result, the same at the next start, and the
// configuration of the Wi-Fi has no line that a name or password brought in.
func FuzzPrepare(f *testing.F) {
	f.Add([]byte(crashFile), []byte(imagerFile))
	f.Add([]byte("\xff\xfe[\x00"), []byte("[wlan]\nssid_hex='0a7d0a'\npassword=\"12345678\"\n"))
	f.Add([]byte("[system]\nwifi_ssid = \"a\\\"}\"\nwifi_password = \"p#\\\"ssword\"\n"), []byte("wlan = {ssid = \"x\", hidden = true}"))
	f.Fuzz(func(t *testing.T, mine, imager []byte) {
		d := card(map[string]string{ConfigName: string(mine), PreseedName: string(imager)})
		r := prepare(d)
		again := prepare(d)
		r.Problems, again.Problems = nil, nil
		if !same(r, again) {
			t.Errorf("first\n%+v\nthen\n%+v", r, again)
		}
		for line := range strings.Lines(string(r.System.supplicant(func(Network) string { return "00" }))) {
			if !plainLine(strings.TrimSpace(line)) {
				t.Errorf("a line of wpa_supplicant.conf is %q", line)
			}
		}
	})
}

func plainLine(line string) bool {
	if line == "network={" || line == "}" {
		return true
	}
	key, value, ok := strings.Cut(line, "=")
	return ok && strings.Trim(key, "abcdefghijklmnopqrstuvwxyz_0123456789") == "" &&
		strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_/") == ""
}
