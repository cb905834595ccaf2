package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/engine"
	"homebot/internal/store"
)

// cuts is how often the power is cut, soakCuts in the long test. A life ends at a
// random instant within span after a random acknowledgement, at most the
// maxAcks-th. In crashes other instants of it the disk's cache is lost too.
const (
	cuts     = 2
	soakCuts = 20
	maxAcks  = 20
	span     = 2 * time.Second
	crashes  = 10
)

// S3: the power of a real machine is cut. The arm64 program as it ships talks,
// enters and leaves modes on ext4 in a virtual machine, which is killed at a
// random instant and started again from the same disk. Every acknowledged turn is
// in a log, once; the mode's state is whole; the file system needs no more than
// its journal; and the next life answers.
//
// What a plain SIGKILL proves: QEMU has handed every finished write to the host,
// so it tests the journal, the order of homebot's writes and its recovery, but no
// lost cache. So QEMU also logs all writes, and of these the disk is made anew as
// it could have been after a cut at other instants: with all that was flushed and
// with some, torn or whole, of what was not. Every other life begins on such a
// disk. A card that lies about its flushes remains untested, as does one that
// damages what it does not write.
func TestPowerCuts(t *testing.T) {
	if testing.Short() {
		t.Skip("three starts of a virtual machine; skipped with -short")
	}
	v := newVictim(t)
	rounds := cuts
	if os.Getenv("HOMEBOT_SOAK") != "" {
		rounds = soakCuts
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for round := range rounds {
		v.live(round)
		v.check(round, v.disk.image, v.disk.written(t))
		v.loseCaches(round, round%2 == 0)
	}
	v.last(rounds)
}

// victim is a virtual machine, its disk, and what it acknowledged in its lives.
type victim struct {
	*archive
	initramfs string
	disk      disk
	rnd       *rand.Rand
	acked     map[string]int64 // ids of turns, and how long the log of this life's writes was then
}

func newVictim(t *testing.T) *victim {
	t.Helper()
	for _, tool := range []string{"mke2fs", "e2fsck", "debugfs"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s in PATH: on Debian it is in /usr/sbin, from e2fsprogs", tool)
		}
	}
	a := newArchive(t, "testdata/powercut/init", "homebot")
	for _, depth := range []string{"*", "*/*", "*/*/*"} {
		modules, _ := filepath.Glob(filepath.Join(a.root, "usr/lib/modules/*/kernel", depth, "*.ko"))
		for _, module := range modules {
			a.file("lib/"+filepath.Base(module), module)
		}
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return &victim{
		archive: a, initramfs: a.write(), disk: newDisk(t),
		rnd: rand.New(rand.NewPCG(seed, 1)), acked: map[string]int64{},
	}
}

// run is one life; acked is called after each acknowledgement and may end it. It
// returns all that was said.
func (v *victim) run(parameters string, acked func(kill func())) report {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), 4*time.Minute)
	defer cancel()
	v.disk.begin(v.t)
	for id := range v.acked {
		v.acked[id] = 0
	}
	m := v.start(ctx, v.initramfs, "console=ttyAMA0 "+parameters,
		append([]string{"-M", "virt", "-cpu", "cortex-a72", "-nic", "none"}, v.disk.hardware()...)...)
	r, all := report{}, strings.Builder{}
	for r["done"] == nil && m.lines.Scan() {
		all.WriteString(m.lines.Text() + "\n")
		said := reported.FindStringSubmatch(m.lines.Text())
		if said == nil {
			continue
		}
		r[said[1]] = append(r[said[1]], said[2])
		if said[1] == "said" && v.acknowledge(said[2]) {
			acked(cancel)
		}
	}
	cancel()
	if err := m.cmd.Wait(); errors.Is(ctx.Err(), context.DeadlineExceeded) || r["booted"] == nil || r["failed"] != nil {
		v.t.Fatalf("%v %v\n%s\nits console:\n%s", ctx.Err(), err, &m.errs, &all)
	}
	return r
}

// acknowledge notes an object of chat, unless the cut came in the middle of it.
func (v *victim) acknowledge(object string) bool {
	var o engine.Outcome
	if json.Unmarshal([]byte(object), &o) != nil {
		return false
	}
	if o.Error != nil {
		v.t.Errorf("a turn failed: %s", object)
	}
	v.acked[o.ID] = v.disk.written(v.t)
	return true
}

// live is a life that is cut short.
func (v *victim) live(round int) {
	v.t.Helper()
	enough, acks, began := 1+v.rnd.IntN(maxAcks), 0, time.Now()
	var booted time.Duration
	var death *time.Timer
	r := v.run("life="+strconv.Itoa(round), func(kill func()) {
		if acks++; acks == 1 {
			booted = time.Since(began)
		}
		if acks == enough {
			death = time.AfterFunc(time.Duration(v.rnd.Int64N(int64(span))), kill)
		}
	})
	if death == nil {
		v.t.Fatalf("the machine ended by itself after %d turns: %v", acks, r)
	}
	v.t.Logf("life %d: first turn after %v, cut after %v and %d turns; mounted with %q", round, booted, time.Since(began), acks, r["ext4"])
}

// last is a life that ends well. After it everything is in order.
func (v *victim) last(round int) {
	v.t.Helper()
	acks := 0
	v.run("last=1 life="+strconv.Itoa(round), func(func()) { acks++ })
	if acks != 1 {
		v.t.Errorf("%d answers in the last life, want one", acks)
	}
	h := &home{t: v.t, workspace: v.check(round, v.disk.image, v.disk.written(v.t))}
	once(v.t, h.records("modes/sessions/*/*/conversation.jsonl"), h.records("sessions/text/*.jsonl"))
	checkSessions(v.t, h)
	v.t.Logf("%d turns acknowledged", len(v.acked))
}

// once: no two records are of the same words; the guest never says them twice.
func once(t *testing.T, logs ...[]conversation.Record) {
	t.Helper()
	seen := map[string]int{}
	for _, log := range logs {
		for _, r := range log {
			if r.IsTurn() {
				seen[r.User]++
			}
		}
	}
	for words, n := range seen {
		if n > 1 {
			t.Errorf("turn %q is there %d times", words, n)
		}
	}
}

// loseCaches checks disks as they could have been at random instants since the
// first turn of this life. With keep the next life begins on the last of them, and
// what was acknowledged later has not happened.
func (v *victim) loseCaches(round int, keep bool) {
	v.t.Helper()
	log, first := v.disk.entries(v.t), v.disk.written(v.t)
	for _, at := range v.acked {
		if at > 0 {
			first = min(first, at)
		}
	}
	begin, _ := slices.BinarySearchFunc(log, first, func(e logged, at int64) int { return cmp.Compare(e.from, at) })
	var loose []int
	var cut int64
	for range crashes {
		end := begin + v.rnd.IntN(len(log)-begin+1)
		cut = v.disk.written(v.t)
		if end < len(log) {
			cut = log[end].from
		}
		loose = append(loose, v.disk.crash(v.t, log[:end], v.rnd))
		v.check(round, v.disk.crashed, cut)
	}
	v.t.Logf("life %d: %d writes and flushes, %d of them before its first turn was acknowledged; not flushed at the cuts: %d", round, len(log), begin, loose)
	if !keep {
		return
	}
	if err := os.Rename(v.disk.crashed, v.disk.image); err != nil {
		v.t.Fatal(err)
	}
	maps.DeleteFunc(v.acked, func(_ string, at int64) bool { return at > cut })
}

// check looks at a disk as it was left when the log was cut bytes long, on a copy:
// the guest's kernel is to find it untouched. It returns where the workspace was
// copied to.
func (v *victim) check(round int, image string, cut int64) string {
	v.t.Helper()
	workspace := filepath.Join(copyOut(v.t, image), "ws")
	seen := v.recorded(workspace)
	for id, at := range v.acked {
		if at <= cut && seen[id] != 1 {
			v.t.Errorf("life %d, cut after %d bytes: acknowledged turn %s is there %d times", round, cut, id, seen[id])
		}
	}
	var action struct {
		Active    *bool   `json:"active"`
		ModeID    *string `json:"mode_id"`
		SessionID *string `json:"session_id"`
	}
	data, err := os.ReadFile(filepath.Join(workspace, "modes/action.json"))
	if err := errors.Join(err, json.Unmarshal(data, &action)); err != nil {
		v.t.Fatalf("life %d: action.json: %v: %q", round, err, data)
	}
	if action.Active == nil || *action.Active != (action.ModeID != nil) || *action.Active != (action.SessionID != nil) {
		v.t.Errorf("life %d: half a mode: %s", round, data)
	}
	return workspace
}

// recorded counts the turns in the logs by their ids.
func (v *victim) recorded(workspace string) map[string]int {
	v.t.Helper()
	seen := map[string]int{}
	for _, pattern := range []string{"modes/sessions/*/*/conversation.jsonl", "sessions/text/*.jsonl"} {
		files, _ := filepath.Glob(filepath.Join(workspace, pattern))
		for _, f := range files {
			records, _, err := conversation.Load(store.OS(), f) // a torn last line was not acknowledged
			if err != nil {
				v.t.Error(err)
			}
			for _, r := range records {
				if r.IsTurn() {
					seen[r.ID]++
				}
			}
		}
	}
	return seen
}
