package imagetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// card is a card that the image was written to, and a second disk on which the
// host and the guest hand each other files.
type card struct {
	path, desk string
}

// image is the file to test; without it the test is skipped.
func image(t *testing.T) string {
	t.Helper()
	path := os.Getenv("HOMEBOT_IMAGE")
	if path == "" {
		t.Skip("no HOMEBOT_IMAGE: make test-image builds the image and sets it")
	}
	return path
}

// The bytes before the boot partition, and the size of a card in the tests. It is
// a power of two: QEMU's card readers want that.
const (
	bootOffset = "@@4M"
	cardSize   = 4 << 30
)

// newCard writes the image to a card, and settings onto its boot partition, as a
// person does.
func newCard(t *testing.T, settings string) *card {
	t.Helper()
	dir := t.TempDir()
	c := &card{path: filepath.Join(dir, "card"), desk: filepath.Join(dir, "desk")}
	host(t, "cp", "--sparse=always", image(t), c.path)
	if err := os.Truncate(c.path, cardSize); err != nil {
		t.Fatal(err)
	}
	host(t, "truncate", "-s", "64M", c.desk)
	host(t, "mkfs.vfat", "-n", "DESK", c.desk)
	file := filepath.Join(dir, "homebot.toml")
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	host(t, "mcopy", "-o", "-i", c.path+bootOffset, file, "::homebot.toml")
	return c
}

func (c *card) fromBoot(t *testing.T, name, to string) {
	t.Helper()
	host(t, "mcopy", "-i", c.path+bootOffset, "::"+name, to)
}

// lay puts a file on the desk, take fetches one.
func (c *card) lay(t *testing.T, path string) {
	t.Helper()
	host(t, "mcopy", "-o", "-i", c.desk, path, "::")
}

func (c *card) take(t *testing.T, name string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), name)
	host(t, "mcopy", "-i", c.desk, "::"+name, to)
	return to
}

// partition copies a partition (from 1) out of the card, to look at it.
func (c *card) partition(t *testing.T, n int) string {
	t.Helper()
	var start, size int64
	for line := range strings.Lines(host(t, "sfdisk", "--dump", c.path)) {
		if _, fields, ok := strings.Cut(line, fmt.Sprintf("card%d : ", n)); ok {
			fmt.Sscanf(strings.ReplaceAll(fields, " ", ""), "start=%d,size=%d,", &start, &size)
		}
	}
	if size == 0 {
		t.Fatalf("the card has no partition %d", n)
	}
	to := filepath.Join(t.TempDir(), fmt.Sprint("p", n))
	host(t, "dd", "if="+c.path, "of="+to, "bs=1M", "conv=sparse", "iflag=skip_bytes,count_bytes", fmt.Sprint("skip=", start*512), fmt.Sprint("count=", size*512), "status=none")
	return to
}

// checkData: the data partition is a whole file system, once its journal is played.
func (c *card) checkData(t *testing.T) {
	t.Helper()
	p := c.partition(t, 3)
	defer os.Remove(p)
	// The first plays the journal, as a mount does; the second may find nothing.
	if out, err := exec.Command("e2fsck", "-p", p).CombinedOutput(); err != nil {
		t.Errorf("e2fsck -p: %v: %s", err, out)
	}
	if out, err := exec.Command("e2fsck", "-fn", p).CombinedOutput(); err != nil {
		t.Errorf("the data partition is damaged: %v: %s", err, out)
	}
}

// host runs a tool of this computer.
func host(t *testing.T, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "MTOOLS_SKIP_CHECK=1", "PATH="+os.Getenv("PATH")+":/usr/sbin:/sbin")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v: %s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}
