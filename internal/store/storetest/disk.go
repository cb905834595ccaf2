package storetest

import (
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"homebot/internal/store"
)

// Disk is a file system in memory that knows what a power cut would leave of
// it. Make one with New. It is safe for concurrent use, though its crash states
// are only the same from run to run when the operations are.
type Disk struct {
	mu    sync.Mutex
	now   *state
	past  []moment // the state after each operation that changed something
	ops   int
	fault fault
}

var _ store.FS = (*Disk)(nil)

// moment is the disk at one instant.
type moment struct {
	after string // the operation just done
	state *state
}

// state is everything on the disk, cached and durable. Byte slices in it are
// never written to, so that copies may share them.
type state struct {
	nodes  map[int]*node
	names  []nameOp // not yet durable, oldest first
	acked  []string // what had been acknowledged by then
	nextID int
}

// node is a file or a directory.
type node struct {
	perm fs.FileMode // with fs.ModeDir for a directory

	live, durable []byte   // a file's content, as read and as synced
	pending       []dataOp // from durable to live
	stuck         int      // from this byte on Sync does nothing; -1: none

	kids, durableKids map[string]int
}

// dataOp is a write at off, or a truncation to off when data is nil.
type dataOp struct {
	off  int
	data []byte
}

// nameOp is a change of directory dir: add names node, or with add empty, drop
// is removed. A rename does both. drop is in dropDir.
type nameOp struct {
	dir, node int
	add, drop string
	dropDir   int
}

const rootID = 0

// New returns an empty disk with these directories, durable.
func New(dirs ...string) *Disk {
	d := &Disk{now: &state{nodes: map[int]*node{}}}
	d.now.add(newNode(fs.ModeDir | 0o755))
	for _, dir := range dirs {
		if err := store.MkdirAll(d, dir, 0o755); err != nil {
			panic(err) // an empty disk does not fail
		}
	}
	d.Settle()
	return d
}

func newNode(perm fs.FileMode) *node {
	n := &node{perm: perm, stuck: -1}
	if perm.IsDir() {
		n.kids, n.durableKids = map[string]int{}, map[string]int{}
	}
	return n
}

func (s *state) add(n *node) int {
	id := s.nextID
	s.nodes[id] = n
	s.nextID++
	return id
}

func (s *state) clone() *state {
	c := &state{
		nodes: make(map[int]*node, len(s.nodes)), names: slices.Clone(s.names),
		acked: slices.Clip(s.acked), nextID: s.nextID,
	}
	for id, n := range s.nodes {
		k := *n
		k.kids, k.durableKids = maps.Clone(n.kids), maps.Clone(n.durableKids)
		k.pending = slices.Clone(n.pending)
		c.nodes[id] = &k
	}
	return c
}

// Settle makes everything durable and forgets operations, acknowledgements and
// faults: what a test sets up before the part it enumerates.
func (d *Disk) Settle() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, n := range d.now.nodes {
		n.durable, n.pending, n.stuck = n.live, nil, -1
		n.durableKids = maps.Clone(n.kids)
	}
	d.now.names, d.now.acked = nil, nil
	d.ops, d.fault, d.past = 0, fault{}, nil
	d.remember("the start")
}

// Ack records that something was acknowledged to the outside: from here on no
// crash may lose it.
func (d *Disk) Ack(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now.acked = append(slices.Clip(d.now.acked), what)
	d.remember("ack " + what)
}

// Acked returns what was acknowledged since Settle, and on the disk of a Crash
// also what was before the crash.
func (d *Disk) Acked() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.now.acked)
}

// Files returns the content of every file by its path, as a running process
// reads it.
func (d *Disk) Files() map[string]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	files := map[string]string{}
	d.now.walk(rootID, "", func(path string, n *node) {
		if !n.perm.IsDir() {
			files[path] = string(n.live)
		}
	})
	return files
}

func (s *state) walk(id int, path string, visit func(string, *node)) {
	n := s.nodes[id]
	visit(path, n)
	for _, name := range slices.Sorted(maps.Keys(n.kids)) {
		s.walk(n.kids[name], path+"/"+name, visit)
	}
}

func (d *Disk) remember(after string) {
	d.past = append(d.past, moment{after: after, state: d.now.clone()})
}

// find returns a node by path; parent and name are set even when it is missing,
// as long as the directory is there.
func (s *state) find(path string) (id, parent int, name string, err error) {
	path = filepath.Clean(path)
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if path == "/" {
		return rootID, rootID, "", nil
	}
	for i, part := range parts {
		dir := s.nodes[id]
		if !dir.perm.IsDir() {
			return 0, 0, "", syscall.ENOTDIR
		}
		next, ok := dir.kids[part]
		if !ok && i < len(parts)-1 {
			return 0, 0, "", syscall.ENOENT
		}
		if !ok {
			return -1, id, part, nil
		}
		parent, name, id = id, part, next
	}
	return id, parent, name, nil
}

// existing is find for what must be there.
func (s *state) existing(path string) (id, parent int, name string, err error) {
	id, parent, name, err = s.find(path)
	if err == nil && id < 0 {
		err = syscall.ENOENT
	}
	return id, parent, name, err
}

func (s *state) link(parent int, name string, id int) {
	s.nodes[parent].kids[name] = id
	s.names = append(s.names, nameOp{dir: parent, node: id, add: name})
}

func pathErr(op, path string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}

func describe(op, path string) string { return fmt.Sprintf("%s %s", op, path) }
