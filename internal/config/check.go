package config

import (
	"encoding/hex"
	"maps"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"homebot/internal/phrases"
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
		return phrases.Errorf(phrases.ConfigEmpty)
	}
	return nil
}

func isHTTP(s string) error {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https"):
		return phrases.Errorf(phrases.ConfigNoWebAddress)
	case u.User != nil:
		return phrases.Errorf(phrases.ConfigUserInAddress)
	case u.RawQuery != "" || u.Fragment != "":
		return phrases.Errorf(phrases.ConfigQueryInAddress)
	case u.Port() != "" && !isPort(u.Port(), 1):
		return phrases.Errorf(phrases.ConfigNoPort)
	}
	return nil
}

// isModelAddress takes what stands before the endpoint: with it, as many a page
// of a provider shows it, every request would go to one that does not exist.
func isModelAddress(s string) error {
	if err := isHTTP(s); err != nil {
		return err
	}
	if strings.HasSuffix(strings.TrimRight(s, "/"), "/chat/completions") {
		return phrases.Errorf(phrases.ConfigEndpointInAddress)
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
		return phrases.Errorf(phrases.ConfigNoAddress, quote(clip(s)))
	}
	return nil
}

func isTLS(s string) error {
	if s == TLSAuto || s == TLSOff {
		return nil
	}
	if isAddress(s) != nil {
		return phrases.Errorf(phrases.ConfigNoTLSAddress, quote(clip(s)))
	}
	return nil
}

// isHosts takes names without a port.
func isHosts(all []string) error {
	const most = 16
	if len(all) > most {
		return phrases.Errorf(phrases.ConfigTooManyNames, len(all), most)
	}
	for i, h := range all {
		if h == "" || len(h) > 253 || strings.ContainsAny(h, " /:*[]@") {
			return phrases.Errorf(phrases.ConfigNoHostName, i+1)
		}
	}
	return nil
}

func oneOf(words ...string) func(string) error {
	return func(s string) error {
		if slices.Contains(words, s) {
			return nil
		}
		return phrases.Errorf(phrases.ConfigNotOneOf, quote(clip(s)), strings.Join(words, ", "))
	}
}

func isPin(s string) error {
	if strings.ContainsAny(s, " ,/") {
		return phrases.Errorf(phrases.ConfigNoPin, quote(clip(s)))
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
		return phrases.Errorf(phrases.ConfigNoLED, quote(clip(s)))
	}
	return isPin(s)
}

func isCountry(s string) error {
	if len(s) != 2 || s[0] < 'A' || s[0] > 'Z' || s[1] < 'A' || s[1] > 'Z' {
		return phrases.Errorf(phrases.ConfigNoCountry, quote(clip(s)))
	}
	return nil
}

func isTimezone(s string) error {
	if _, err := time.LoadLocation(s); err != nil || s == "Local" {
		return phrases.Errorf(phrases.ConfigNoTimezone, quote(clip(s)))
	}
	return nil
}

func isSSID(s string) error {
	if len(s) > 32 {
		return phrases.Errorf(phrases.ConfigLongSSID)
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
		return phrases.Errorf(phrases.ConfigWiFiPassword)
	}
	return nil
}

// isHostname takes one label of a name (RFC 1123, 2.1), in small letters.
func isHostname(s string) error {
	letters := strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
	if !letters || len(s) > 63 || strings.HasPrefix(s, "-") || strings.HasSuffix(s, "-") {
		return phrases.Errorf(phrases.ConfigNoDeviceName, quote(clip(s)))
	}
	return nil
}

func isPhrases(all []string) error {
	const longest = 40
	switch {
	case len(all) == 0:
		return phrases.Errorf(phrases.ConfigNoWakePhrase)
	case len(all) > MaxWakePhrases:
		return phrases.Errorf(phrases.ConfigTooManyPhrases, len(all), MaxWakePhrases)
	}
	for i, phrase := range all {
		if strings.TrimSpace(phrase) == "" || utf8.RuneCountInString(phrase) > longest {
			return phrases.Errorf(phrases.ConfigLongPhrase, i+1, longest)
		}
		same := func(other string) bool { return samePhrase(other, phrase) }
		if slices.ContainsFunc(all[:i], same) {
			return phrases.Errorf(phrases.ConfigPhraseTwice, i+1)
		}
	}
	return nil
}

// isTranscribe takes a kind and an address, with a model for openai.
func isTranscribe(s string) error {
	words := strings.Fields(s)
	if len(words) < 2 {
		return phrases.Errorf(phrases.ConfigNoTranscriber)
	}
	kind, address := words[0], words[1]
	switch kind {
	case "openai":
		if len(words) > 3 {
			return phrases.Errorf(phrases.ConfigLongOpenAI)
		}
		return isHTTP(address)
	case "vosk", "sherpa", "funasr":
		if len(words) > 2 {
			return phrases.Errorf(phrases.ConfigLongTranscriber, kind)
		}
		return isSocket(address)
	}
	return phrases.Errorf(phrases.ConfigNoServerKind)
}

// isSocket is isHTTP for a websocket.
func isSocket(s string) error {
	u, err := url.Parse(s)
	of := map[string]string{"ws": "http", "wss": "https"}
	if err != nil || u.Hostname() == "" || of[u.Scheme] == "" {
		return phrases.Errorf(phrases.ConfigNoSocket)
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
			return phrases.Errorf(phrases.ConfigNoSpeed, quote(clip(part)))
		}
	}
	return nil
}

func isPath(s string) error {
	if strings.HasPrefix(s, "~") {
		return phrases.Errorf(phrases.ConfigTilde)
	}
	return nil
}

// checkTogether returns what is wrong with values that are right by themselves:
// the key to blame, and the problem.
func (c Config) checkTogether() map[string]error {
	wrong := map[string]error{}
	if !c.Console.Token.Set() {
		maps.Copy(wrong, c.Console.checkOpen())
	}
	if (c.Console.Cert == "") != (c.Console.Key == "") {
		wrong["console.cert"] = phrases.Errorf(phrases.ConfigCertWithoutKey)
	}
	if c.Speech.Transcribe != "" && c.Speech.URL != "" {
		wrong["speech.transcribe"] = phrases.Errorf(phrases.ConfigTwoTranscribers)
	}
	for _, t := range c.Wake.Tuning {
		if !slices.ContainsFunc(c.Wake.Phrases, func(p string) bool { return samePhrase(p, t.Phrase) }) {
			wrong["wake.tuning"] = phrases.Errorf(phrases.ConfigTunesNothing, quote(clip(t.Phrase)))
		}
	}
	maps.Copy(wrong, c.LED.checkPins())
	if c.System.WiFiPassword.Set() && c.System.WiFiSSID == "" {
		wrong["system.wifi_password"] = phrases.Errorf(phrases.ConfigNoNetwork)
	}
	return wrong
}

// checkOpen finds what is open to other machines: https may be where http is not.
func (c Console) checkOpen() map[string]error {
	wrong := map[string]error{}
	if c.Listen == "" {
		return wrong
	}
	for key, address := range map[string]string{"console.listen": c.Listen, "console.tls": c.TLS} {
		if host, _, err := net.SplitHostPort(address); err == nil && !loopback(host) {
			wrong[key] = phrases.Errorf(phrases.ConfigOpenConsole)
		}
	}
	return wrong
}

// checkPins finds lines that are named twice.
func (l LED) checkPins() map[string]error {
	wrong, taken := map[string]error{}, map[string]string{}
	for _, p := range []struct{ key, line string }{
		{"mode_pin", l.ModePin}, {"state", l.State}, {"mute_pin", l.MutePin}, {"stop_pin", l.StopPin},
	} {
		switch other := taken[p.line]; {
		case p.line == "":
		case other == "":
			taken[p.line] = p.key
		case p.key == "state":
			wrong["led.state"] = phrases.Errorf(phrases.ConfigStateIsModePin)
		default:
			wrong["led."+p.key] = phrases.Errorf(phrases.ConfigSamePin, other)
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
	why := phrases.Phrase{ZH: line(phrases.Told(local, phrases.Chinese), 160), EN: line(local.Error(), 160)}
	return Problems{c.problem("speech.url", phrases.Errorf(phrases.ConfigCannotWake, why))}
}
