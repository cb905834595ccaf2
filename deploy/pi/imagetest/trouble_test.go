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

	t.Log("the card is full")
	// What is left for root alone is written, byte after byte in the end.
	m.run("fallocate -l $(($(df --output=avail -B1 /data | tail -1) - 4194304)) /data/fill; dd if=/dev/zero of=/data/fill2 bs=64k 2>/dev/null; dd if=/dev/zero of=/data/fill2 bs=1 oflag=append conv=notrunc count=65536 2>/dev/null; sync; true")
	if o := m.chat("how many grams are three ounces")[0]; o.Error == nil {
		t.Errorf("a full card is not told: %+v", o)
	} else {
		t.Logf("full: %q %+v", o.Reply, *o.Error)
	}
	m.show(as + "doctor")
	m.run("rm /data/fill /data/fill2; sync")
	m.answers()

	t.Log("the data partition is read-only")
	m.run("mount -o remount,ro /data")
	if o := m.chat("how many grams are three ounces")[0]; o.Error == nil {
		t.Errorf("a read-only card is not told: %+v", o)
	} else {
		t.Logf("read-only: %q %+v", o.Reply, *o.Error)
	}
	m.run("mount -o remount,rw /data")
	m.answers()

	t.Log("a week without a network")
	for range 7 {
		m.run("date -s '+1 day' >/dev/null && sleep 2")
	}
	m.answers()
	m.healthy()
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
	m.healthy()
}
