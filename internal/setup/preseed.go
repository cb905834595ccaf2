package setup

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"homebot/internal/config"
	"homebot/internal/phrases"
)

// preseed is what homebot takes of the file of Raspberry Pi Imager (2.x, with
// init_format rpi-preseed). Its account and its ssh are left alone: nobody logs in
// to this device.
type preseed struct {
	hostname, timezone, country string
	network                     Network
	refused                     bool // the network's password is no password
}

// preseedSecrets are emptied after the file was read, whether homebot uses them or
// not.
var preseedSecrets = map[string]bool{"wlan.password": true, "user.password": true, "connect.token": true}

// takePreseed reads the file and empties its secrets.
func (p *preparing) takePreseed() preseed {
	data, ok := p.onCard(PreseedName)
	if !ok {
		return preseed{}
	}
	text, broken, readable := config.Salvage(PreseedName, data)
	p.problems = append(p.problems, broken...)
	if !readable {
		return preseed{}
	}
	s, wrong := readPreseed(text)
	p.problems = append(p.problems, wrong...)
	_, rest := config.TakeOut(data, func(key, _ string) bool {
		// Emptied, a refused one would be that of an open network at the next start.
		return preseedSecrets[key] && !(s.refused && key == "wlan.password")
	})
	p.remember(s.network)
	if p.keepSecrets() {
		p.blank(PreseedName, data, rest)
	}
	return s
}

// preseedFile has the keys of schema/rpi-preseed.schema that homebot takes.
type preseedFile struct {
	System struct {
		Hostname string `toml:"hostname"`
	} `toml:"system"`
	WLAN struct {
		SSID     string `toml:"ssid"`
		SSIDHex  string `toml:"ssid_hex"` // a name that is not UTF-8; wins over ssid
		Password string `toml:"password"` // or 64 digits, with password_encrypted
		Hidden   bool   `toml:"hidden"`
		Country  string `toml:"country"`
	} `toml:"wlan"`
	Locale struct {
		Timezone string `toml:"timezone"`
	} `toml:"locale"`
}

// readPreseed takes every value that homebot.toml would take too.
func readPreseed(text []byte) (preseed, config.Problems) {
	var f preseedFile
	if err := toml.Unmarshal(text, &f); err != nil {
		return preseed{}, config.Problems{config.Problem{File: PreseedName}.Says(phrases.Errorf(phrases.SetupNotPreseed))}
	}
	var s preseed
	var problems config.Problems
	take := func(to *string, theirs, ours, value string) {
		err := config.Valid(ours, value)
		if value == "" || err == nil {
			*to = value
			return
		}
		problems = append(problems, config.Problem{File: PreseedName, Key: theirs}.Says(err))
	}
	take(&s.hostname, "system.hostname", "system.hostname", strings.ToLower(f.System.Hostname))
	take(&s.timezone, "locale.timezone", "system.timezone", f.Locale.Timezone)
	take(&s.country, "wlan.country", "system.country", strings.ToUpper(f.WLAN.Country))
	take(&s.network.Password, "wlan.password", passwordKey, f.WLAN.Password)
	s.refused = f.WLAN.Password != "" && s.network.Password == ""
	s.network.SSID, s.network.Hidden = []byte(f.WLAN.SSID), f.WLAN.Hidden
	if raw, err := hex.DecodeString(f.WLAN.SSIDHex); err == nil && len(raw) > 0 {
		s.network.SSID = raw
	}
	if len(s.network.SSID) > 32 || utf8.RuneCount(s.network.SSID) == 0 {
		s.network = Network{}
	}
	return s, problems
}
