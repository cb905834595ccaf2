package config

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The checks of one value. Their errors say what is wrong and the way out; they
// do not repeat a URL, which might hold a password.

func optional(check func(string) error) func(string) error {
	return func(s string) error {
		if s == "" {
			return nil
		}
		return check(s)
	}
}

func isFilled(s string) error {
	if strings.TrimSpace(s) == "" {
		return errors.New("is empty; fill it in or take the line out")
	}
	return nil
}

func isHTTP(s string) error {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https"):
		return errors.New("is not a web address; write it like http://host:port/path")
	case u.User != nil:
		return errors.New("holds a user name or password; take it out of the address and use the key or token instead")
	case u.RawQuery != "" || u.Fragment != "":
		return errors.New("holds a ? or #; end the address before it")
	case u.Port() != "" && !isPort(u.Port(), 1):
		return errors.New("has no such port; write a number from 1 to 65535")
	}
	return nil
}

func isPort(s string, lowest int) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= lowest && n <= 65535
}

func isAddress(s string) error {
	_, port, err := net.SplitHostPort(s)
	if err != nil || !isPort(port, 0) {
		return fmt.Errorf("%s is not an address; write host:port, like 127.0.0.1:8080", quote(clip(s)))
	}
	return nil
}

func isTLS(s string) error {
	if s == TLSAuto || s == TLSOff {
		return nil
	}
	if isAddress(s) != nil {
		return fmt.Errorf("%s is not known; write auto, off, or host:port like 0.0.0.0:8443", quote(clip(s)))
	}
	return nil
}

// isHosts takes names without a port.
func isHosts(all []string) error {
	const most = 16
	if len(all) > most {
		return fmt.Errorf("has %d names; keep at most %d", len(all), most)
	}
	for i, h := range all {
		if h == "" || len(h) > 253 || strings.ContainsAny(h, " /:*[]@") {
			return fmt.Errorf("item %d is no host name; write it like kitchen.example.org, without port", i+1)
		}
	}
	return nil
}

func oneOf(words ...string) func(string) error {
	return func(s string) error {
		if slices.Contains(words, s) {
			return nil
		}
		return fmt.Errorf("%s is not known; write one of %s", quote(clip(s)), strings.Join(words, ", "))
	}
}

func isPin(s string) error {
	if strings.ContainsAny(s, " ,/") {
		return fmt.Errorf("%s is not a line name; write it as gpioinfo shows it, like GPIO17", quote(clip(s)))
	}
	return nil
}

// isLamp takes a pin or one of the kernel's LEDs.
func isLamp(s string) error {
	name, ok := strings.CutPrefix(s, "/sys/class/leds/")
	if ok && name != "" && name != "." && name != ".." && !strings.Contains(name, "/") {
		return nil
	}
	if strings.Contains(s, "/") {
		return fmt.Errorf("%s is no LED; write it like /sys/class/leds/ACT (ls /sys/class/leds lists them)", quote(clip(s)))
	}
	return isPin(s)
}

func isCountry(s string) error {
	if len(s) != 2 || s[0] < 'A' || s[0] > 'Z' || s[1] < 'A' || s[1] > 'Z' {
		return fmt.Errorf("%s is not a country code; write two capital letters, like CN", quote(clip(s)))
	}
	return nil
}

func isTimezone(s string) error {
	if _, err := time.LoadLocation(s); err != nil || s == "Local" {
		return fmt.Errorf("%s is not a time zone; write its name, like Asia/Shanghai", quote(clip(s)))
	}
	return nil
}

func isSSID(s string) error {
	if len(s) > 32 {
		return errors.New("is longer than 32 bytes; no Wi-Fi network has such a name")
	}
	return nil
}

// isWiFiPassword takes a passphrase, or the 64 hexadecimal digits of a key that
// was made of one (IEEE 802.11i, 8.5 and annex H.4).
func isWiFiPassword(s string) error {
	if _, err := hex.DecodeString(s); err == nil && len(s) == 64 {
		return nil
	}
	if n := len(s); n < 8 || n > 63 {
		return errors.New("has the wrong length; a Wi-Fi password has 8 to 63 characters")
	}
	return nil
}

// isHostname takes one label of a name (RFC 1123, 2.1), in small letters.
func isHostname(s string) error {
	letters := strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
	if !letters || len(s) > 63 || strings.HasPrefix(s, "-") || strings.HasSuffix(s, "-") {
		return fmt.Errorf("%s cannot be the name of a device; write small letters a to z, digits and -, like kitchen", quote(clip(s)))
	}
	return nil
}

func isPhrases(all []string) error {
	const longest = 40
	switch {
	case len(all) == 0:
		return errors.New("is empty, so nothing could wake the device; write at least one phrase or take the line out")
	case len(all) > MaxWakePhrases:
		return fmt.Errorf("has %d phrases; keep at most %d", len(all), MaxWakePhrases)
	}
	for i, phrase := range all {
		if strings.TrimSpace(phrase) == "" || utf8.RuneCountInString(phrase) > longest {
			return fmt.Errorf("item %d is empty or longer than %d characters; write a short phrase", i+1, longest)
		}
		same := func(other string) bool { return samePhrase(other, phrase) }
		if slices.ContainsFunc(all[:i], same) {
			return fmt.Errorf("item %d repeats an earlier phrase; take it out", i+1)
		}
	}
	return nil
}

// isTranscribe takes a kind and an address, with a model for openai.
func isTranscribe(s string) error {
	words := strings.Fields(s)
	if len(words) < 2 {
		return errors.New(`is no kind and address; write it like "vosk ws://host:port"`)
	}
	kind, address := words[0], words[1]
	switch kind {
	case "openai":
		if len(words) > 3 {
			return errors.New(`has too many words; write it like "openai http://host:port/v1 MODEL"`)
		}
		return isHTTP(address)
	case "vosk", "sherpa", "funasr":
		if len(words) > 2 {
			return fmt.Errorf(`has too many words; write it like "%s ws://host:port"`, kind)
		}
		return isSocket(address)
	}
	return errors.New("begins with no kind of server; write one of openai, vosk, sherpa, funasr in front of the address")
}

// isSocket is isHTTP for a websocket.
func isSocket(s string) error {
	u, err := url.Parse(s)
	of := map[string]string{"ws": "http", "wss": "https"}
	if err != nil || u.Hostname() == "" || of[u.Scheme] == "" {
		return errors.New("is not the address of a websocket; write it like ws://host:port")
	}
	u.Scheme = of[u.Scheme]
	return isHTTP(u.String())
}

// isSpeeds takes "zh=1.1,en=0.9".
func isSpeeds(s string) error {
	for part := range strings.SplitSeq(s, ",") {
		lang, speed, _ := strings.Cut(part, "=")
		v, err := strconv.ParseFloat(strings.TrimSpace(speed), 64)
		if lang = strings.TrimSpace(lang); lang != "zh" && lang != "en" || err != nil || !(v >= 0.25 && v <= 4) {
			return fmt.Errorf(`%s is no speed; write languages with 0.25 to 4, like "zh=1.1,en=0.9"`, quote(clip(part)))
		}
	}
	return nil
}

func isPath(s string) error {
	if strings.HasPrefix(s, "~") {
		return errors.New("begins with ~, which only a shell understands; write the whole path, or one that begins in the workspace")
	}
	return nil
}

// checkTogether returns what is wrong with values that are right by themselves:
// the key to blame, and the problem.
func (c Config) checkTogether() map[string]string {
	wrong := map[string]string{}
	if host, _, err := net.SplitHostPort(c.Console.Listen); err == nil && !loopback(host) && !c.Console.Token.Set() {
		wrong["console.listen"] = "is open to other machines and has no token; set [console] token, or listen on 127.0.0.1"
	}
	if (c.Console.Cert == "") != (c.Console.Key == "") {
		wrong["console.cert"] = "goes with key: set both, or neither"
	}
	if c.Speech.Transcribe != "" && c.Speech.URL != "" {
		wrong["speech.transcribe"] = "cannot be used beside url, whose server understands speech itself; take one of them out"
	}
	for _, t := range c.Wake.Tuning {
		if !slices.ContainsFunc(c.Wake.Phrases, func(p string) bool { return samePhrase(p, t.Phrase) }) {
			wrong["wake.tuning"] = quote(clip(t.Phrase)) + " is none of the wake phrases; write it as in phrases, or take it out"
		}
	}
	maps.Copy(wrong, c.LED.checkPins())
	if c.System.WiFiPassword.Set() && c.System.WiFiSSID == "" {
		wrong["system.wifi_password"] = "has no network to go with; set [system] wifi_ssid"
	}
	return wrong
}

// checkPins finds lines that are named twice.
func (l LED) checkPins() map[string]string {
	wrong, taken := map[string]string{}, map[string]string{}
	for _, p := range []struct{ key, line string }{
		{"mode_pin", l.ModePin}, {"state", l.State}, {"mute_pin", l.MutePin}, {"stop_pin", l.StopPin},
	} {
		switch other := taken[p.line]; {
		case p.line == "":
		case other == "":
			taken[p.line] = p.key
		case p.key == "state":
			wrong["led.state"] = "is the same pin as mode_pin, which shows nothing but the mode; choose another one"
		default:
			wrong["led."+p.key] = "is the same pin as " + other + "; choose another one"
		}
	}
	return wrong
}

// CheckWake refuses a remote speech server that would have to listen for the wake
// word, so that everything said in the room would leave the machine (V1). local
// is why this machine cannot listen for it itself; nil means that it can.
func (c Config) CheckWake(local error) error {
	if local == nil || c.Speech.RemoteWake || !c.Speech.Remote() {
		return nil
	}
	what := fmt.Sprintf("is on another machine, and this one cannot listen for the wake word (%s)", line(local.Error(), 160))
	return Problems{c.problem("speech.url", what+"; install what is missing, or set remote_wake = true to let that server hear everything")}
}
