package imagetest

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"homebot/audio"
	"homebot/audio/wav"
	"homebot/internal/engine"
)

// settings are what a person wrote into homebot.toml on the card.
const settings = `[system]
language = "en"
[led]
mode_pin = "GPIO17"
`

// As is how root in the guest runs something as the appliance.
const as = "runuser -u homebot -- env HOMEBOT_WORKSPACE=/data/homebot homebot "

// ready waits until both services say that they are, and returns when they did,
// in seconds since the kernel began.
func (m *machine) ready() {
	m.t.Helper()
	m.until(bootLimit, "homebot.service and homebot-speech.service ready", func() bool {
		// With several units systemctl is content with one that is active.
		return m.try("systemctl is-active homebot.service homebot-speech.service", commandLimit).out == "active\nactive"
	})
	m.t.Logf("both services are ready %v after power on; %s s in the guest", m.since(), strings.Fields(m.run("cat /proc/uptime"))[0])
}

// modeActive asks the appliance which mode is active.
func (m *machine) modeActive() string {
	m.t.Helper()
	var action struct {
		Active bool   `json:"active"`
		ID     string `json:"mode_id"`
	}
	r := m.try("cat /data/homebot/modes/action.json", commandLimit)
	if err := json.Unmarshal([]byte(r.out), &action); err != nil || !action.Active {
		return ""
	}
	return action.ID
}

// chat says lines to the appliance in text and returns what it answered.
func (m *machine) chat(lines ...string) []engine.Outcome {
	m.t.Helper()
	r := m.try(fmt.Sprintf("printf '%%s\\n' %s | %s chat --json 2>/dev/null", quoted(lines), as), commandLimit)
	var all []engine.Outcome
	for line := range strings.Lines(r.out) {
		var o engine.Outcome
		if json.Unmarshal([]byte(line), &o) == nil && o.ID != "" {
			all = append(all, o)
		}
	}
	if len(all) != len(lines) {
		m.t.Fatalf("%d lines got %d answers: %+v\n%s", len(lines), len(all), r, m.run("journalctl -b -u homebot --no-pager -n 20 -o cat"))
	}
	return all
}

func quoted(words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "' ")
	}
	return b.String()
}

// lamp is pins, and homebot started anew so that it finds them.
func (m *machine) lamp() {
	m.t.Helper()
	m.pins()
	m.run("systemctl restart homebot")
	m.ready()
}

// pins puts a simulated GPIO chip with a Raspberry Pi's names into the guest: no
// emulated board has both pins and sound.
func (m *machine) pins() {
	m.t.Helper()
	m.run(`modprobe gpio-sim && { mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config; } &&
cd /sys/kernel/config/gpio-sim && mkdir -p pi/bank0/line17 && echo 54 >pi/bank0/num_lines && echo pinctrl-sim >pi/bank0/label &&
echo GPIO17 >pi/bank0/line17/name && echo 1 >pi/live && cd / && udevadm settle`)
}

// lit reads the light's line back from the chip.
func (m *machine) lit() bool {
	m.t.Helper()
	level := m.run("cat /sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio17/value")
	if level != "0" && level != "1" {
		m.t.Fatalf("the light's line is at %q", level)
	}
	return level == "1"
}

// room gives the guest two sound cards of ALSA's loopback: what is played into the
// far end of Mic is heard by homebot, what homebot plays comes out at the far end of
// Speaker. They appear while it runs, like a USB microphone that is plugged in. The
// loopback wants the same format at both ends, and samples of channels side by side.
func (m *machine) room() {
	m.t.Helper()
	m.run(`mkdir -p /etc/wireplumber/wireplumber.conf.d /mnt/desk && { mountpoint -q /mnt/desk || mount LABEL=DESK /mnt/desk; }
cat >/etc/wireplumber/wireplumber.conf.d/60-test.conf <<'C'
monitor.alsa.rules = [
    { matches = [ { node.name = "~alsa_output.platform-snd_aloop.0.*" } { node.name = "~alsa_input.platform-snd_aloop.1.*" } ]
      actions = { update-props = { node.disabled = true } } }
    { matches = [ { node.name = "~alsa_.*snd_aloop.*" } ]
      actions = { update-props = { audio.format = "S16LE" } } }
]
C
cat >/etc/asound.conf <<'C'
pcm.mouth { type plug slave { pcm "hw:Mic,1" channels 2 rate 48000 format S16_LE } }
pcm.ear { type plug slave { pcm "hw:Speaker,1" channels 2 rate 48000 format S16_LE } }
C
modprobe snd-aloop enable=1,1 index=5,6 id=Mic,Speaker pcm_substreams=1,1 && udevadm settle && systemctl restart homebot-sound && systemctl restart homebot`)
	m.ready()
}

// voice makes recordings of words on the desk, with espeak-ng of this computer. The
// loopback loses the beginning of what starts it, a microphone that is open does not:
// so there is silence before the words.
func (c *card) voice(t *testing.T, name, words string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	host(t, "espeak-ng", "-v", "en-us", "-s", "130", "-w", path, words)
	pcm, _, err := wav.ReadFile(path, audio.CaptureRate)
	if err != nil {
		t.Fatal(err)
	}
	if err := wav.WriteFile(path, append(make([]int16, 3*audio.CaptureRate/2), pcm...), audio.CaptureRate); err != nil {
		t.Fatal(err)
	}
	c.lay(t, path)
}

// record runs what is done while the loudspeaker is recorded, and returns how loud
// it was in each tenth of a second.
func (m *machine) record(c *card, name string, do func()) []float64 {
	m.t.Helper()
	m.run("arecord -q -D ear -f S16_LE -r 16000 -c 1 /tmp/" + name + " >/dev/null 2>&1 & echo $! >/run/ear")
	do()
	m.run("kill -INT $(cat /run/ear); wait $(cat /run/ear); cp /tmp/" + name + " /mnt/desk/ && sync -f /mnt/desk && rm /tmp/" + name)
	pcm, _, err := wav.ReadFile(c.take(m.t, name), audio.CaptureRate)
	if err != nil {
		m.t.Fatal(err)
	}
	return levels(pcm)
}

func levels(pcm []int16) []float64 {
	const n = audio.CaptureRate / 10
	var all []float64
	for ; len(pcm) >= n; pcm = pcm[n:] {
		var sum float64
		for _, s := range pcm[:n] {
			sum += float64(s) * float64(s)
		}
		all = append(all, math.Sqrt(sum/n))
	}
	return all
}

// loud is how long it was louder than noise.
func loud(levels []float64) time.Duration {
	var d time.Duration
	for _, l := range levels {
		if l > 300 {
			d += 100 * time.Millisecond
		}
	}
	return d
}

// number reads a figure that the guest prints.
func (m *machine) number(command string) float64 {
	m.t.Helper()
	out := m.run(command)
	v, err := strconv.ParseFloat(strings.TrimSpace(out), 64)
	if err != nil {
		m.t.Fatalf("%q printed %q, no number", command, out)
	}
	return v
}
