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

// life is one card, and what was acknowledged while it lived.
type life struct {
	*card
	acked   map[string]bool
	session string    // of the mode that was entered by voice
	clock   time.Time // of the next start
	step    time.Duration
}

// S3, R52, V1, V4: the life of a card, from the first start on, in 512 MB of memory
// and without a network. A person speaks to it: the mode is entered, its light is on,
// the answer is heard. The power goes in the middle of the next turn, and CUTS times in
// all: the mode stays active, the light on, the conversation goes on, no acknowledged
// turn is lost, the file system needs no repair by hand. In the end everything goes
// wrong that a card and a clock can do.
func TestALife(t *testing.T) {
	t.Parallel()
	morning := time.Now().UTC().Truncate(24 * time.Hour).Add(30 * time.Hour) // after all that the image holds; far from the end of the mode's day
	cuts := 5
	if n, err := strconv.Atoi(os.Getenv("CUTS")); err == nil {
		cuts = n
	}
	l := &life{card: newCard(t, settings), acked: map[string]bool{}, clock: morning, step: min(time.Hour, 17*time.Hour/time.Duration(max(cuts, 1)))}
	l.firstStart(t)
	for round := 2; round <= cuts && !t.Failed(); round++ {
		m := l.start(t, false)
		l.checkAlive(m)
		after := time.Duration(rand.Int64N(int64(15 * time.Second)))
		m.talkUntil(after, l.acked)
		m.cut()
		t.Logf("cut %d: %v after the first answer, %d turns acknowledged so far", round, after.Round(time.Millisecond), len(l.acked))
		l.checkData(t)
	}
	if t.Failed() {
		return
	}
	l.clock = time.Unix(0, 0)
	m := l.start(t, false)
	l.checkAlive(m)
	m.healthy()
	m.trouble()
}

// start turns it on, an hour after the last time by its clock, or less where the power
// is cut so often that the mode's day would end; spoken if it is to be spoken to.
func (l *life) start(t *testing.T, spoken bool) *machine {
	t.Helper()
	m := boot(t, l.card, hardware{clock: l.clock, steady: spoken, args: []string{"-nic", "none"}})
	l.clock = l.clock.Add(l.step)
	m.ready()
	return m
}

// firstStart is a new card's: it is spoken to, and the power goes during a turn.
func (l *life) firstStart(t *testing.T) {
	t.Helper()
	l.voice(t, "enter.wav", "hey home bot. open cooking mode")
	l.voice(t, "help.wav", "hey home bot. what can you do")
	m := l.start(t, true)
	m.figures()
	m.checkCard()
	m.pins()
	m.room()
	if m.lit() || m.modeActive() != "" {
		t.Fatal("a new card begins in a mode, or with its light on")
	}
	heard := m.record(l.card, "reply.wav", func() { m.tell("enter.wav", func() bool { return m.modeActive() == "cooking" }) })
	if d := loud(heard); d < time.Second {
		t.Errorf("the spoken answer is %v long; levels %.0f", d, heard)
	} else {
		t.Logf("the spoken answer is %v long", d)
	}
	if !m.lit() {
		t.Error("a mode is active and its light is dark")
	}
	o := m.chat("help")[0]
	l.acked[o.ID] = true
	if o.SessionID == nil {
		t.Fatalf("no session in %+v", o)
	}
	l.session = *o.SessionID
	m.run("aplay -q -D mouth /mnt/desk/help.wav")
	m.cut()
	l.checkData(t)
}

// checkAlive: all that was acknowledged is there, the mode is active, its light is on,
// and the conversation goes on in the same session.
func (l *life) checkAlive(m *machine) {
	m.t.Helper()
	m.checkAcked(l.acked)
	if got := m.modeActive(); got != "cooking" {
		m.t.Errorf("after the power cut the mode %q is active", got)
	}
	m.lamp()
	if !m.lit() {
		m.t.Error("after the power cut the light is dark in a mode")
	}
	o := m.chat("help")[0]
	l.acked[o.ID] = true
	if o.SessionID == nil || *o.SessionID != l.session {
		m.t.Errorf("the conversation went on in session %v, not in %s", o.SessionID, l.session)
	}
}

// tell plays a recording into the microphone, again if it was not understood, as a
// person would, until it had its effect and the answer is over.
func (m *machine) tell(recording string, done func() bool) {
	m.t.Helper()
	for try := range 4 {
		m.run("aplay -q -D mouth /mnt/desk/" + recording)
		for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(pause) {
			if done() {
				m.t.Logf("understood at try %d", try+1)
				time.Sleep(10 * time.Second) // the answer
				return
			}
		}
	}
	m.t.Fatalf("%s was not understood\n%s", recording, m.run("journalctl -b -u homebot -u homebot-speech -u homebot-sound -u homebot-sound-routes --no-pager -n 60 -o short-monotonic; export PIPEWIRE_RUNTIME_DIR=/run/homebot-sound; wpctl status; pw-link -l"))
}

// figures are the measurements for the note.
func (m *machine) figures() {
	m.t.Helper()
	m.until(bootLimit, "end of the start", func() bool {
		r := m.try("systemctl is-system-running; systemctl list-jobs --no-legend", commandLimit)
		return !strings.HasPrefix(r.out, "starting") && !strings.HasPrefix(r.out, "initializing")
	})
	m.show("systemd-analyze")
	m.show("systemd-analyze critical-chain homebot.service | head -30")
	m.show("free -m; for u in homebot homebot-speech homebot-sound homebot-sound-routes; do echo $u $(systemctl show $u -p MemoryCurrent,NRestarts --value); done")
	m.show("top -b -n 1 | head -20")
	m.show("grep -E '^(/dev|overlay|tmpfs)' /proc/mounts; df -m /data | tail -1; uname -r")
	if used := m.number("free -m | awk '/^Mem/ { print $2 - $7 }'"); used > 300 {
		m.t.Errorf("%.0f MB of memory are in use at rest: too much for a board of 512 MB", used)
	}
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
