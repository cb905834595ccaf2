package agent_test

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// R49: the end of a mode by itself is told with the first turn that is saved,
// whichever process found it; a turn that was not saved told nothing.
func TestExpiryIsToldByATurnThatIsSaved(t *testing.T) {
	d := newDisk()
	k := newKitchen(t, d)
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	k.clock = k.clock.Add(24 * time.Hour)
	k.restart()
	k.restart()
	header := func() string { return last(last(k.model.requests).Messages).Content }
	d.FailFrom(0, syscall.ENOSPC)
	if res := k.turn("早", say("早。")); code(res) != "disk_full" || !strings.Contains(header(), "自动结束") {
		t.Errorf("%+v, header %q", res.Err, header())
	}
	d.FailFrom(0, nil)
	k.restart()
	if k.turn("早上好"); !strings.Contains(header(), "[做饭模式已于 00:10 自动结束，已归档]") {
		t.Errorf("not told: %q", header())
	}
	k.restart()
	if k.turn("再见"); strings.Contains(header(), "自动结束") {
		t.Errorf("told again: %q", header())
	}
}

// A notice names the mode in the language of the turn that hears it.
func TestExpiryIsToldInTheTurnsLanguage(t *testing.T) {
	k := newKitchen(t, newDisk())
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	k.clock = k.clock.Add(24 * time.Hour)
	k.restart()
	k.turn("good morning", say("Good morning."))
	if header := last(last(k.model.requests).Messages).Content; !strings.Contains(header, "[cooking mode ended by itself at 00:10 and was archived]") {
		t.Errorf("header %q", header)
	}
}
