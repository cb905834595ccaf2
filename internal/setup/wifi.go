package setup

import (
	"bytes"
	"crypto/pbkdf2"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"homebot/internal/config"
)

const passwordKey = "system.wifi_password"

// maxNetworks are remembered: a card that moves house and back.
const maxNetworks = 8

// Network is a Wi-Fi network. Password is a passphrase of 8 to 63 bytes, or the 64
// hexadecimal digits of a key made of one; empty: the network is open.
type Network struct {
	SSID     []byte `json:"ssid"`
	Password string `json:"password"`
	Hidden   bool   `json:"-"`
}

func readNetworks(data []byte) []Network {
	var all []Network
	_ = json.Unmarshal(data, &all) // a damaged file is an empty one
	return slices.DeleteFunc(all, func(n Network) bool { return len(n.SSID) == 0 || config.Valid(passwordKey, n.Password) != nil })
}

func writeNetworks(all []Network) []byte {
	data, _ := json.Marshal(all) // bytes and strings cannot fail
	return data
}

// networkOf is the network that homebot.toml names, with the password that was in
// it.
func networkOf(file []byte, password string) Network {
	c, _ := config.ReadAnyway(ConfigName, file, nil)
	return Network{SSID: []byte(c.System.WiFiSSID), Password: password}
}

// remember keeps the password of a network, the newest first.
func (p *preparing) remember(n Network) {
	if len(n.SSID) == 0 || n.Password == "" {
		return
	}
	p.networks = slices.DeleteFunc(p.networks, func(o Network) bool { return bytes.Equal(o.SSID, n.SSID) })
	if n.Password != forget {
		p.networks = slices.Insert(p.networks, 0, n)
	}
	p.networks = p.networks[:min(len(p.networks), maxNetworks)]
}

// recall is n with the password that is remembered for it.
func (p *preparing) recall(n Network) Network {
	for _, known := range p.networks {
		if bytes.Equal(known.SSID, n.SSID) {
			n.Password = known.Password
		}
	}
	return n
}

// addNetwork adds n, if it has a name, with the password that is remembered for
// it. A network whose password was refused, and that has no other, is left out: it
// is not open, and whoever opens one of its name must not get the device.
func (p *preparing) addNetwork(s *System, n Network, refused bool) {
	n = p.recall(n)
	if len(n.SSID) == 0 || refused && n.Password == "" {
		return
	}
	s.Networks = appendNetwork(s.Networks, n)
}

// appendNetwork appends n, unless a network of that name is there.
func appendNetwork(all []Network, n Network) []Network {
	if slices.ContainsFunc(all, func(o Network) bool { return bytes.Equal(o.SSID, n.SSID) }) {
		return all
	}
	return append(all, n)
}

// Supplicant is the configuration of wpa_supplicant (its README and
// wpa_supplicant.conf(5)). Names and passwords are written as hexadecimal digits
// only: whatever they hold, nothing of it can be taken for a setting. Earlier
// networks are preferred.
func (s System) Supplicant() []byte { return s.supplicant(Network.key) }

func (s System) supplicant(key func(Network) string) []byte {
	var b bytes.Buffer
	b.WriteString("ctrl_interface=/run/wpa_supplicant\nupdate_config=0\n")
	if s.Country != "" {
		fmt.Fprintf(&b, "country=%s\n", s.Country)
	}
	for i, n := range s.Networks {
		fmt.Fprintf(&b, "network={\n\tssid=%x\n\tpriority=%d\n", n.SSID, len(s.Networks)-i)
		if n.Hidden {
			b.WriteString("\tscan_ssid=1\n")
		}
		b.WriteString(n.security(key))
		b.WriteString("}\n")
	}
	return b.Bytes()
}

// security lets WPA2 and WPA3 in, each with what it needs: the key of WPA2 is made
// here, as 64 digits; WPA3 wants the passphrase itself.
func (n Network) security(key func(Network) string) string {
	if n.Password == "" {
		return "\tkey_mgmt=NONE\n"
	}
	if len(n.Password) == 64 {
		return fmt.Sprintf("\tkey_mgmt=WPA-PSK WPA-PSK-SHA256\n\tpsk=%s\n\tieee80211w=1\n", n.Password)
	}
	return fmt.Sprintf("\tkey_mgmt=WPA-PSK WPA-PSK-SHA256 SAE\n\tpsk=%s\n\tsae_password=%x\n\tieee80211w=1\n", key(n), n.Password)
}

// key is the pairwise master key of a passphrase (IEEE 802.11i, annex H.4.1).
func (n Network) key() string {
	key, err := pbkdf2.Key(sha1.New, n.Password, n.SSID, 4096, 32)
	if err != nil { // only FIPS mode refuses
		return hex.EncodeToString(make([]byte, 32))
	}
	return hex.EncodeToString(key)
}
