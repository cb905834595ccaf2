package imagetest

import (
	"strings"
	"testing"
)

// trouble: a card that is full to its last byte, a data partition that cannot be
// written, a clock that said 1970 and no network for a week: it says so, goes on
// answering, and is well again when the trouble is over.
func (m *machine) trouble() {
	m.t.Helper()
	t := m.t
	t.Log("the clock of 1970")
	if year := m.number("date +%Y"); year < 2025 {
		t.Errorf("the clock says %.0f", year)
	}
	m.answers()

	t.Log("a week without a network")
	for range 7 {
		m.run("date -s '+1 day' >/dev/null && sleep 2")
	}
	m.answers()
	m.healthy()

	t.Log("the card is full")
	m.run("dd if=/dev/zero of=/data/fill bs=1M 2>/dev/null; dd if=/dev/zero of=/data/fill2 bs=4k 2>/dev/null; sync; true")
	// What still fits into a block that a log has already is saved, and not lost.
	m.told("disk_full", 40)
	m.run("rm /data/fill /data/fill2; sync")
	m.answers()

	t.Log("the data partition is read-only") // as the kernel makes it after an error of the card
	m.run("echo test >/sys/fs/ext4/vda3/trigger_fs_error")
	m.told("disk_readonly", 1)
	m.ready()
}

// told: of so many turns one at least is answered with that error, in words.
func (m *machine) told(code string, turns int) {
	m.t.Helper()
	for range turns {
		if o := m.chat("how many grams are three ounces")[0]; o.Error != nil && o.Error.Code == code && o.Error.Text != "" {
			m.t.Logf("%s: %q", code, o.Error.Text)
			return
		}
	}
	m.t.Errorf("%d turns, and none said %s", turns, code)
}

// answers: a turn is answered, without a fault.
func (m *machine) answers() {
	m.t.Helper()
	o := m.chat("how many grams are two ounces")[0]
	if o.Error != nil && o.Error.Code != "llm" || strings.TrimSpace(o.Reply) == "" {
		m.t.Errorf("answered %q, %+v", o.Reply, o.Error)
	}
}

// The card boots on an emulated Raspberry Pi 3, with its device tree and its
// card reader, to both services ready.
func TestRaspberryPi3(t *testing.T) {
	t.Parallel()
	c := newCard(t, settings)
	m := newMachine(t, c)
	c.fromBoot(t, "bcm2837-rpi-3-b.dtb", m.file("board.dtb"))
	// The second serial port is the console. The board's watchdog resets QEMU at once,
	// and it has no VideoCore: what talks to it fails in the kernel.
	m.start("qemu-system-aarch64", "-M", "raspi3b", "-kernel", m.file("vmlinuz"), "-initrd", m.file("initrd.img"), "-dtb", m.file("board.dtb"),
		"-drive", "file="+c.path+",if=sd,format=raw", "-display", "none", "-monitor", "none", "-no-reboot",
		"-serial", "file:"+m.file("serial.log"), "-chardev", "socket,id=shell,path="+m.file("shell")+",server=on,wait=off", "-serial", "chardev:shell",
		"-append", strings.NewReplacer("hvc0", "ttyS1").Replace(kernelLine)+" console=ttyS1,115200 quiet loglevel=1 systemd.show_status=no systemd.watchdog_sec=0 "+
			"modprobe.blacklist=bcm2835_wdt,vchiq,snd_bcm2835,bcm2835_v4l2,bcm2835_mmal_vchiq,vc4 initcall_blacklist=bcm2835_wdt_driver_init")
	m.connect()
	m.ready()
	m.show("cat /proc/device-tree/model; echo; systemd-analyze; free -m; gpiodetect")
	m.lights()
	m.healthy()
}

// lights: the board's own pin is high exactly while a mode is active. Its green light
// hangs on a chip that QEMU has not.
func (m *machine) lights() {
	m.t.Helper()
	for _, step := range []struct{ words, level string }{{"open cooking mode", "out hi"}, {"exit cooking mode", "out lo"}} {
		m.chat(step.words)
		if line := m.run("grep GPIO17 /sys/kernel/debug/gpio"); !strings.Contains(line, step.level) {
			m.t.Errorf("after %q the pin of the mode light is %q", step.words, line)
		}
	}
}
