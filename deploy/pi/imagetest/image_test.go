package imagetest

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"homebot/internal/engine"
)

// S3, R52, V1, V4: a person speaks to a new card in 512 MB of memory. The mode is
// entered, its light is on, the answer is heard. The power goes in the middle of
// the next turn; after it the mode is still active, the light on, and the
// conversation goes on where it was.
func TestSpokenTo(t *testing.T) {
	c := newCard(t, settings)
	c.voice(t, "enter.wav", "hey home bot. open cooking mode")
	c.voice(t, "help.wav", "hey home bot. what can you do")
	m := boot(t, c, hardware{args: []string{"-nic", "none"}})
	m.ready()
	m.figures()
	m.checkCard()
	m.lamp()
	m.room()
	if m.lit() || m.modeActive() != "" {
		t.Fatal("a new card begins in a mode, or with its light on")
	}
	heard := m.record(c, "reply.wav", func() { m.tell("enter.wav", func() bool { return m.modeActive() == "cooking" }) })
	if d := loud(heard); d < time.Second {
		t.Errorf("the spoken answer is %v long; levels %.0f", d, heard)
	}
	if !m.lit() {
		t.Error("a mode is active and its light is dark")
	}
	session := m.chat("help")[0].SessionID
	m.calm()
	m.run("aplay -q -D plughw:Mic,1 /mnt/desk/help.wav >/dev/null 2>&1; true")
	m.cut()

	c.checkData(t)
	m = boot(t, c, hardware{args: []string{"-nic", "none"}})
	m.ready()
	if got := m.modeActive(); got != "cooking" {
		t.Errorf("after the power cut the mode %q is active", got)
	}
	m.lamp()
	if !m.lit() {
		t.Error("after the power cut the light is dark in a mode")
	}
	o := m.chat("help")[0]
	if session == nil || o.SessionID == nil || *o.SessionID != *session {
		t.Errorf("the conversation went on in session %v, not in %v", o.SessionID, session)
	}
	m.healthy()
}

// tell plays a recording into the microphone, again if it was not understood, as a
// person would, until it had its effect and the answer is over.
func (m *machine) tell(recording string, done func() bool) {
	m.t.Helper()
	for try := range 4 {
		m.run("aplay -q -D plughw:Mic,1 /mnt/desk/" + recording)
		for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(pause) {
			if done() {
				m.t.Logf("understood at try %d", try+1)
				time.Sleep(10 * time.Second) // the answer
				return
			}
		}
	}
	m.t.Fatalf("%s was not understood\n%s", recording, m.run("journalctl -b -u homebot -u homebot-speech -u homebot-sound -u homebot-sound-routes --no-pager -n 60 -o short-monotonic; env PIPEWIRE_RUNTIME_DIR=/run/homebot-sound wpctl status"))
}

// figures are the measurements for the note.
func (m *machine) figures() {
	m.t.Helper()
	m.try("systemctl is-system-running --wait", bootLimit)
	m.show("systemd-analyze; systemd-analyze critical-chain homebot.service; systemd-analyze critical-chain homebot-speech.service")
	m.show("free -m; systemctl show homebot homebot-speech homebot-sound homebot-sound-routes -p Id,MemoryCurrent,NRestarts --value | paste -sd' '")
	m.show("for u in homebot homebot-speech homebot-sound homebot-sound-routes; do systemd-analyze security --no-pager $u | tail -1; done")
	m.show("findmnt -n -o TARGET,SOURCE,FSTYPE,OPTIONS / ; findmnt -n /data; df -h /data | tail -1; uname -r; systemd-analyze blame | head -12")
}

// checkCard: the root is read-only under an overlay, data has grown but left room,
// and nobody can log in.
func (m *machine) checkCard() {
	m.t.Helper()
	if out := m.run("findmnt -n -o FSTYPE /; findmnt -n -o OPTIONS /run/homebot-root/lower 2>/dev/null || grep homebot-root/lower /proc/self/mountinfo || grep -c vda2 /proc/mounts"); !strings.HasPrefix(out, "overlay") {
		m.t.Errorf("the root is %q", out)
	}
	// 4 GiB less boot, root and 1 GiB of room.
	if mb := m.number("df --output=size -m /data | tail -1"); mb < 2000 || mb > 3000 {
		m.t.Errorf("/data has %.0f MB on a card of 4096", mb)
	}
	if out := m.run("cut -d: -f2 /etc/shadow | sort -u | tr '\\n' ' '"); strings.Trim(out, "*! ") != "" {
		m.t.Errorf("somebody has a password: %q", out)
	}
	if out := m.run("ls /etc/ssh/*key /usr/sbin/sshd 2>/dev/null; systemctl list-units --plain --no-legend 'getty@*' 'serial-getty@*'"); out != "" {
		m.t.Errorf("somebody can log in: %s", out)
	}
}

// healthy: nothing failed, nothing was restarted by the watchdog or killed for memory.
func (m *machine) healthy() {
	m.t.Helper()
	if out := m.run("systemctl --failed --plain --no-legend"); out != "" {
		m.t.Errorf("failed units: %s", out)
	}
	if out := m.try("dmesg | grep -iE 'out of memory|oom-kill|EXT4-fs error|Oops|BUG:'", commandLimit).out; out != "" {
		m.t.Errorf("the kernel says: %s", out)
	}
}

// calm waits until the appliance has nothing to say.
func (m *machine) calm() { time.Sleep(5 * time.Second) }

// S3: the power is cut at random instants while turns are acknowledged, and what
// was acknowledged outside is on the card afterwards, which repairs itself.
func TestPowerCuts(t *testing.T) {
	c := newCard(t, settings)
	cuts := 5
	if n, err := strconv.Atoi(os.Getenv("CUTS")); err == nil {
		cuts = n
	}
	acked := map[string]bool{}
	for round := range cuts {
		m := boot(t, c, hardware{args: []string{"-nic", "none"}})
		m.ready()
		m.checkAcked(acked)
		if round == 0 {
			m.chat("open cooking mode")
		}
		after := time.Duration(rand.Int64N(int64(15 * time.Second)))
		m.talkUntil(after, acked)
		m.cut()
		t.Logf("cut %d: %v after the first answer, %d turns acknowledged so far", round+1, after.Round(time.Millisecond), len(acked))
		c.checkData(t)
	}
	m := boot(t, c, hardware{args: []string{"-nic", "none"}})
	m.ready()
	m.checkAcked(acked)
	if got := m.modeActive(); got != "cooking" {
		t.Errorf("after %d cuts the mode %q is active", cuts, got)
	}
	m.healthy()
}

// talkUntil lets the guest talk without an end, and notes what is acknowledged on
// this side of the console.
func (m *machine) talkUntil(after time.Duration, acked map[string]bool) {
	m.t.Helper()
	m.heard = nil
	if _, err := m.shell.Write([]byte("n=0; while :; do n=$((n+1)); echo \"how many grams are $n ounces\"; sleep 0.2; done | " + as + "chat --json 2>/dev/null\n")); err != nil {
		m.t.Fatal(err)
	}
	begun, deadline := len(acked), time.Now().Add(commandLimit)
	for buf := make([]byte, 64<<10); time.Now().Before(deadline); {
		m.shell.SetReadDeadline(time.Now().Add(pause))
		n, _ := m.shell.Read(buf)
		m.heard = append(m.heard, buf[:n]...)
		lines := strings.SplitAfter(string(m.heard), "\n")
		m.heard = []byte(lines[len(lines)-1])
		for _, line := range lines[:len(lines)-1] {
			var o engine.Outcome
			if json.Unmarshal([]byte(strings.TrimSpace(line)), &o) == nil && o.ID != "" {
				if len(acked) == begun {
					deadline = time.Now().Add(after)
				}
				acked[o.ID] = true
			}
		}
	}
	if len(acked) == begun {
		m.t.Fatalf("no turn was acknowledged; the shell said %q", m.heard)
	}
}

// checkAcked: every acknowledged turn is in a log of the card.
func (m *machine) checkAcked(acked map[string]bool) {
	m.t.Helper()
	logs := m.run("find /data/homebot -name '*.jsonl' -exec cat {} + | grep -o '\"[0-9a-f]\\{16\\}\"' | sort -u; true")
	lost := 0
	for id := range acked {
		if !strings.Contains(logs, `"`+id+`"`) {
			lost++
		}
	}
	if lost > 0 {
		m.t.Errorf("%d of %d acknowledged turns are lost", lost, len(acked))
	}
}
