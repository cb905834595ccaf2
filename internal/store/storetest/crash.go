package storetest

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Crash is one state that a power cut may leave.
type Crash struct {
	Name  string   // when it happened and what became of the unsynced
	Acked []string // what had been acknowledged by then
	Disk  *Disk    // the disk as found afterwards: its own, with no operations yet
}

// Crashes yields every crash state from Settle up to now. The Disk may not be
// used during the iteration; each Crash has a Disk of its own.
func (d *Disk) Crashes() iter.Seq[Crash] {
	return func(yield func(Crash) bool) {
		seen := map[string]bool{}
		for _, m := range d.past {
			if !m.crashes(seen, yield) {
				return
			}
		}
	}
}

// CrashesNow yields the crash states of this instant only, and as the first of
// them a disk with everything on it: the process died, the power stayed.
func (d *Disk) CrashesNow() iter.Seq[Crash] {
	return func(yield func(Crash) bool) {
		m := moment{after: "now", state: d.now.clone()}
		c := Crash{Name: "only the process died", Acked: m.state.acked, Disk: m.restart()}
		if yield(c) {
			m.crashes(map[string]bool{c.Disk.fingerprint(): true}, yield)
		}
	}
}

// restart is the disk a new process finds after the old one died: all that was
// written is readable, what was not durable is still not.
func (m moment) restart() *Disk {
	d := &Disk{now: m.state.clone()}
	d.remember("the restart")
	return d
}

func (m moment) crashes(seen map[string]bool, yield func(Crash) bool) bool {
	for _, names := range subsets(len(m.state.names)) {
		for _, f := range m.state.fates() {
			c := Crash{Acked: m.state.acked, Disk: m.state.crashed(names, f)}
			c.Name = fmt.Sprintf("after %s: names kept %v of %d, %s", m.after, names, len(m.state.names), f.name)
			key := c.Disk.fingerprint()
			if seen[key] {
				continue
			}
			seen[key] = true
			if !yield(c) {
				return false
			}
		}
	}
	return true
}

// maxFree is the number of unsynced names up to which every subset is tried.
const maxFree = 4

// subsets returns the sets of indices below n that may have become durable.
func subsets(n int) [][]int {
	var sets [][]int
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	if n <= maxFree {
		for bits := range 1 << n {
			sets = append(sets, slices.DeleteFunc(slices.Clone(all), func(i int) bool { return bits>>i&1 == 0 }))
		}
		return sets
	}
	for i := range n {
		sets = append(sets, all[:i], []int{i}, slices.Delete(slices.Clone(all), i, i+1))
	}
	return append(sets, all)
}

// fate is the content each unsynced file is found with.
type fate struct {
	name    string
	content map[int][]byte
}

// fates varies each unsynced file while the others are absent, then full.
func (s *state) fates() []fate {
	absent, full := map[int][]byte{}, map[int][]byte{}
	for id, n := range s.nodes {
		if len(n.pending) > 0 {
			absent[id], full[id] = n.durable, n.live
		}
	}
	fates := []fate{{"unsynced data absent", absent}, {"unsynced data full", full}}
	for _, id := range slices.Sorted(maps.Keys(full)) {
		for _, v := range s.nodes[id].variants() {
			for _, others := range []map[int][]byte{absent, full} {
				content := maps.Clone(others)
				content[id] = v.content
				fates = append(fates, fate{fmt.Sprintf("file %d %s", id, v.name), content})
			}
		}
	}
	return fates
}

// variant is one content a file may be found with.
type variant struct {
	name    string
	content []byte
}

// variants returns what lies between absent and full.
func (n *node) variants() []variant {
	total := 0
	for _, op := range n.pending {
		total += len(op.data)
	}
	var vs []variant
	for _, kept := range []int{0, 1, total / 2, total - 1} {
		if kept >= 0 && kept < total {
			vs = append(vs, variant{fmt.Sprintf("torn at %d of %d", kept, total), n.replay(kept, 0, true)})
		}
	}
	return append(vs,
		variant{"zero-filled", n.replay(total, total, true)},
		variant{"zeros in the first half", n.replay(total, total/2, true)},
		variant{"not truncated", n.replay(total, 0, false)})
}

// replay applies the pending operations up to limit bytes, the first zeros of
// them as zeros, with or without the truncations.
func (n *node) replay(limit, zeros int, truncate bool) []byte {
	content := n.durable
	for _, op := range n.pending {
		if op.data == nil {
			if truncate {
				content = op.apply(content)
			}
			continue
		}
		if limit == 0 {
			break
		}
		data := slices.Clone(op.data[:min(len(op.data), limit)])
		clear(data[:min(len(data), zeros)])
		limit, zeros = limit-len(data), max(0, zeros-len(data))
		content = dataOp{off: op.off, data: data}.apply(content)
	}
	return content
}

// crashed is the disk after the power came back.
func (s *state) crashed(names []int, f fate) *Disk {
	c := s.clone()
	for _, i := range names {
		c.makeDurable(c.names[i])
	}
	c.names = nil
	for id, n := range c.nodes {
		if content, ok := f.content[id]; ok {
			n.durable = content
		}
		n.live, n.pending, n.stuck = n.durable, nil, -1
		n.kids = maps.Clone(n.durableKids)
	}
	d := &Disk{now: c}
	d.remember("the restart")
	return d
}

// fingerprint is equal for disks on which the same is found and the same had
// been promised.
func (d *Disk) fingerprint() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q", d.now.acked)
	d.now.walk(rootID, "", func(path string, n *node) { fmt.Fprintf(&b, "%q %v %q", path, n.perm, n.live) })
	return b.String()
}
