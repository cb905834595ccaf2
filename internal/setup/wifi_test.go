package setup

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"os"
)

// The keys of IEEE 802.11i, annex H.4.3.
func TestKey(t *testing.T) {
	for _, tt := range []struct{ password, ssid, want string }{
		{"password", "IEEE", "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"},
		{"ThisIsAPassword", "ThisIsASSID", "0dc0d6eb90555ed6419756b9a15ec3e3209b63df707dd508d14581f8982721af"},
	} {
		if got := (Network{SSID: []byte(tt.ssid), Password: tt.password}).key(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.ssid, got, tt.want)
		}
	}
}

var nasty = System{Country: "CN", Networks: []Network{
	{SSID: []byte("家里 \"的\" #1\n}"), Password: "p\"a#s\\s\nw0rd", Hidden: true},
	{SSID: []byte{0xff, 0, '{'}, Password: strings.Repeat("0f", 32)},
	{SSID: []byte("open")},
}}

func TestSupplicant(t *testing.T) {
	want := `ctrl_interface=/run/wpa_supplicant
update_config=0
country=CN
network={
	ssid=e5aeb6e9878c2022e79a84222023310a7d
	priority=3
	scan_ssid=1
	key_mgmt=WPA-PSK WPA-PSK-SHA256 SAE
	psk=KEY
	sae_password=7022612373`
	got := string(nasty.supplicant(func(Network) string { return "KEY" }))
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s…", got, want)
	}
	if open := "network={\n\tssid=6f70656e\n\tpriority=1\n\tkey_mgmt=NONE\n}\n"; !strings.HasSuffix(got, open) {
		t.Errorf("got\n%s\nwant at the end\n%s", got, open)
	}
}

// wpa_supplicant itself reads what we write for it, and understands it.
func TestSupplicantReadsIt(t *testing.T) {
	program, err := exec.LookPath("wpa_supplicant")
	if err != nil {
		t.Skip("wpa_supplicant is not installed (apt-get install wpasupplicant)")
	}
	conf := filepath.Join(t.TempDir(), "wpa.conf")
	if err := os.WriteFile(conf, nasty.Supplicant(), 0o600); err != nil {
		t.Fatal(err)
	}
	// No such interface: it ends after it read the file and before it touches
	// anything.
	out, _ := exec.Command(program, "-dd", "-K", "-Dwired", "-ihomebot-none", "-c"+conf).CombinedOutput()
	for _, line := range []string{
		"Priority group 3\n   id=0 ssid='\\xe5\\xae\\xb6\\xe9\\x87\\x8c \\\"\\xe7\\x9a\\x84\\\" #1\\n}'",
		"Priority group 2\n   id=1 ssid='\\xff\\x00{'",
		"Priority group 1\n   id=2 ssid='open'",
	} {
		if !strings.Contains(string(out), line) {
			t.Errorf("it did not see %s", line)
		}
	}
	for _, bad := range []string{"Line ", "failed to parse", "Failed to read or parse"} {
		if strings.Contains(string(out), bad) {
			t.Errorf("it complains (%s)", bad)
		}
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
}

// A password that is none makes no open network of its name, at the next start
// neither; the one that was known still holds.
func TestRefusedPasswordIsNoOpenNetwork(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"homebot.toml": {ConfigName: "[system]\nwifi_ssid = \"home\"\nwifi_password = \"short\"\n"},
		"Imager":       {PreseedName: "[wlan]\nssid = \"home\"\npassword = \"" + strings.Repeat("x", 64) + "\"\n"},
	} {
		d := card(files)
		for start := range 3 {
			if n := prepare(d).System.Networks; len(n) > 0 {
				t.Errorf("%s, start %d: networks %+v", name, start, n)
			}
		}
	}
	d := card(map[string]string{ConfigName: "[system]\nwifi_ssid = \"home\"\nwifi_password = \"password\"\n"})
	prepare(d)
	put(d, ConfigName, "[system]\nwifi_ssid = \"home\"\nwifi_password = \"short\"\n")
	if n := prepare(d).System.Networks; len(n) != 1 || n[0].Password != "password" {
		t.Errorf("after a password that was right: %+v", n)
	}
}
