package main

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// disk is a disk of a virtual machine: an image with ext4, the image as it was
// when the machine was switched on, QEMU's log of all writes since, and the image
// as a crash could have left it.
type disk struct{ image, before, log, crashed string }

func newDisk(t *testing.T) disk {
	t.Helper()
	dir := t.TempDir()
	d := disk{filepath.Join(dir, "disk"), filepath.Join(dir, "before"), filepath.Join(dir, "log"), filepath.Join(dir, "crashed")}
	if out, err := exec.Command("mke2fs", "-q", "-t", "ext4", d.image, "64M").CombinedOutput(); err != nil {
		t.Fatalf("mke2fs: %v\n%s", err, out)
	}
	return d
}

// begin keeps the image as it is and empties the log.
func (d disk) begin(t *testing.T) {
	t.Helper()
	if err := errors.Join(copySparse(d.image, d.before), os.WriteFile(d.log, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
}

func copySparse(from, to string) error {
	return exec.Command("cp", "--sparse=always", from, to).Run()
}

// written is how long the log is now, in bytes.
func (d disk) written(t *testing.T) int64 {
	t.Helper()
	info, err := os.Stat(d.log)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// hardware is the disk in QEMU's terms. A flush of the guest's is logged and goes
// no further: the host stays up.
func (d disk) hardware() []string {
	return []string{
		"-blockdev", "driver=file,cache.no-flush=on,node-name=image,filename=" + d.image,
		"-blockdev", "driver=file,cache.no-flush=on,node-name=log,filename=" + d.log,
		"-blockdev", "driver=blklogwrites,node-name=disk,file=image,log=log,log-sector-size=512",
		"-device", "virtio-blk-device,drive=disk",
	}
}

// copyOut repairs a copy of an image as a boot does, without a person: with its
// journal. Nothing more may be wrong. It returns a directory with the files.
func copyOut(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	image, files := filepath.Join(dir, "image"), filepath.Join(dir, "files")
	if err := errors.Join(copySparse(from, image), os.Mkdir(files, 0o700)); err != nil {
		t.Fatal(err)
	}
	preen := exec.Command("e2fsck", "-p", image)
	out, err := preen.CombinedOutput()
	if code := preen.ProcessState.ExitCode(); code != 0 && code != 1 { // 1: done, as after orphans
		t.Fatalf("e2fsck -p: %v\n%s", err, out)
	}
	if out, err := exec.Command("e2fsck", "-fn", image).CombinedOutput(); err != nil {
		t.Fatalf("the journal was not enough: %v\n%s", err, out)
	}
	if out, err := exec.Command("debugfs", "-R", "rdump / "+files, image).CombinedOutput(); err != nil {
		t.Fatalf("debugfs: %v\n%s", err, out)
	}
	return files
}

// The log is dm-log-writes' (Documentation/admin-guide/device-mapper/log-writes.rst
// of Linux, block/blklogwrites.c of QEMU): a superblock, then entries, each a
// sector with the header and the data behind it. All numbers are little-endian.
const (
	logSector  = 512
	logMagic   = 0x6a736677736872
	logFlush   = 1
	logDiscard = 4
)

// logged is an entry: a write, or a flush.
type logged struct {
	at    int64 // where on the disk, in bytes
	data  []byte
	flush bool
	from  int64 // where in the log, in bytes
}

// entries are those of the log. Its end may be cut off, as anything.
func (d disk) entries(t *testing.T) []logged {
	t.Helper()
	log, err := os.ReadFile(d.log)
	if err != nil {
		t.Fatal(err)
	}
	number := func(at int) uint64 { return binary.LittleEndian.Uint64(log[at:]) }
	if len(log) < logSector || number(0) != logMagic {
		t.Fatalf("QEMU's log of writes is none: %d bytes", len(log))
	}
	var all []logged
	for at := logSector; at+logSector <= len(log); {
		sectors, flags := int(number(at+8)), number(at+16)
		if sectors == 0 && flags == 0 {
			break // begun when the power failed
		}
		e := logged{at: int64(number(at)) * logSector, flush: flags&logFlush != 0, from: int64(at)}
		at += logSector
		if flags&logDiscard == 0 {
			if at+sectors*logSector > len(log) {
				break
			}
			e.data = log[at : at+sectors*logSector]
			at += len(e.data)
		}
		all = append(all, e)
	}
	if uint64(len(all)) < number(16) {
		t.Fatalf("QEMU's log has %d entries, its superblock says %d", len(all), number(16))
	}
	return all
}

// crash makes of the image before and a part of the log what a disk with a cache
// of its own would have kept: all writes before the last flush, and of those after
// it some, some in part. It returns how many writes had not been flushed.
//
// The log has a write when it is done, so one that was under way while the disk
// was flushed counts as flushed: this disk is a little kinder than it could be.
func (d disk) crash(t *testing.T, log []logged, rnd *rand.Rand) (loose int) {
	t.Helper()
	flushed := 0
	for i, e := range log {
		if e.flush {
			flushed = i
		}
	}
	if err := copySparse(d.before, d.crashed); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(d.crashed, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range log {
		keep := len(e.data)
		if i > flushed && rnd.IntN(2) == 0 {
			keep = rnd.IntN(len(e.data)/logSector+1) * logSector
		}
		if _, werr := f.WriteAt(e.data[:keep], e.at); werr != nil {
			err = werr
		}
	}
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	return len(log) - 1 - flushed
}
