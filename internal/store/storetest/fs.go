package storetest

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"homebot/internal/store"
)

// OpenFile implements store.FS.
func (d *Disk) OpenFile(name string, flag int, perm fs.FileMode) (store.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	kind := reads
	if flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		kind = changes
	}
	id, parent, base, err := d.now.find(name)
	missing := err == nil && id < 0
	if missing && flag&os.O_CREATE != 0 {
		kind = allocates
	}
	if ferr := d.begin(kind); ferr != nil {
		return nil, pathErr("open", name, ferr)
	}
	if err == nil {
		err = d.now.mayOpen(id, flag)
	}
	if err != nil {
		return nil, pathErr("open", name, err)
	}
	if missing {
		id = d.now.add(newNode(perm.Perm()))
		d.now.link(parent, base, id)
		d.remember(describe("create", name))
	} else if n := d.now.nodes[id]; flag&os.O_TRUNC != 0 && len(n.live) > 0 {
		n.truncate(0)
		d.remember(describe("truncate", name))
	}
	return &file{disk: d, id: id, name: name, flag: flag}, nil
}

func (s *state) mayOpen(id, flag int) error {
	switch {
	case id < 0 && flag&os.O_CREATE == 0:
		return syscall.ENOENT
	case id >= 0 && flag&os.O_CREATE != 0 && flag&os.O_EXCL != 0:
		return syscall.EEXIST
	case id >= 0 && s.nodes[id].perm.IsDir() && flag&(os.O_WRONLY|os.O_RDWR) != 0:
		return syscall.EISDIR
	}
	return nil
}

// ReadFile implements store.FS.
func (d *Disk) ReadFile(name string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.begin(reads); err != nil {
		return nil, pathErr("read", name, err)
	}
	id, _, _, err := d.now.existing(name)
	if err != nil {
		return nil, pathErr("open", name, err)
	}
	n := d.now.nodes[id]
	if n.perm.IsDir() {
		return nil, pathErr("read", name, syscall.EISDIR)
	}
	return slices.Clone(n.live), nil
}

// Rename implements store.FS. A file that was there under the new name is gone.
func (d *Disk) Rename(oldname, newname string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.begin(changes); err != nil {
		return pathErr("rename", oldname, err)
	}
	id, from, oldbase, err := d.now.existing(oldname)
	if err != nil {
		return pathErr("rename", oldname, err)
	}
	target, to, newbase, err := d.now.find(newname)
	if err == nil && target >= 0 {
		err = d.now.mayCover(id, target)
	}
	if err != nil {
		return pathErr("rename", newname, err)
	}
	if target == id {
		return nil
	}
	delete(d.now.nodes[from].kids, oldbase)
	d.now.nodes[to].kids[newbase] = id
	d.now.names = append(d.now.names, nameOp{dir: to, node: id, add: newbase, drop: oldbase, dropDir: from})
	d.remember(describe("rename to", newname))
	return nil
}

// mayCover says whether node id may take the place of target.
func (s *state) mayCover(id, target int) error {
	source, covered := s.nodes[id], s.nodes[target]
	switch {
	case covered.perm.IsDir() && !source.perm.IsDir():
		return syscall.EEXIST
	case !covered.perm.IsDir() && source.perm.IsDir():
		return syscall.ENOTDIR
	case len(covered.kids) > 0 && id != target:
		return syscall.ENOTEMPTY
	}
	return nil
}

// Remove implements store.FS.
func (d *Disk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.begin(changes); err != nil {
		return pathErr("remove", name, err)
	}
	id, parent, base, err := d.now.existing(name)
	if err == nil && len(d.now.nodes[id].kids) > 0 {
		err = syscall.ENOTEMPTY
	}
	if err != nil {
		return pathErr("remove", name, err)
	}
	delete(d.now.nodes[parent].kids, base)
	d.now.names = append(d.now.names, nameOp{dir: parent, node: id, drop: base, dropDir: parent})
	d.remember(describe("remove", name))
	return nil
}

// Mkdir implements store.FS.
func (d *Disk) Mkdir(name string, perm fs.FileMode) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.begin(allocates); err != nil {
		return pathErr("mkdir", name, err)
	}
	id, parent, base, err := d.now.find(name)
	if err == nil && id >= 0 {
		err = syscall.EEXIST
	}
	if err != nil {
		return pathErr("mkdir", name, err)
	}
	d.now.link(parent, base, d.now.add(newNode(fs.ModeDir|perm.Perm())))
	d.remember(describe("mkdir", name))
	return nil
}

// ReadDir implements store.FS: sorted by name, as os.ReadDir.
func (d *Disk) ReadDir(name string) ([]fs.DirEntry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.begin(reads); err != nil {
		return nil, pathErr("readdir", name, err)
	}
	id, _, _, err := d.now.existing(name)
	if err == nil && !d.now.nodes[id].perm.IsDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return nil, pathErr("open", name, err)
	}
	kids := d.now.nodes[id].kids
	entries := make([]fs.DirEntry, 0, len(kids))
	for _, base := range slices.Sorted(maps.Keys(kids)) {
		entries = append(entries, fs.FileInfoToDirEntry(d.now.info(base, kids[base])))
	}
	return entries, nil
}

// Stat implements store.FS. Times are zero.
func (d *Disk) Stat(name string) (fs.FileInfo, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.begin(reads); err != nil {
		return nil, pathErr("stat", name, err)
	}
	id, _, _, err := d.now.existing(name)
	if err != nil {
		return nil, pathErr("stat", name, err)
	}
	return d.now.info(filepath.Base(name), id), nil
}

// SyncDir implements store.FS.
func (d *Disk) SyncDir(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.begin(changes); err != nil {
		return pathErr("sync", name, err)
	}
	id, _, _, err := d.now.existing(name)
	if err != nil {
		return pathErr("open", name, err)
	}
	d.now.names = slices.DeleteFunc(d.now.names, func(op nameOp) bool {
		if op.dir == id {
			d.now.makeDurable(op)
		}
		return op.dir == id
	})
	d.remember(describe("syncdir", name))
	return nil
}

// makeDurable does op in the durable directories. A name that by now means
// another node is left alone.
func (s *state) makeDurable(op nameOp) {
	if op.add != "" {
		s.nodes[op.dir].durableKids[op.add] = op.node
	}
	if op.drop != "" && s.nodes[op.dropDir].durableKids[op.drop] == op.node {
		delete(s.nodes[op.dropDir].durableKids, op.drop)
	}
}

func (s *state) info(base string, id int) fs.FileInfo {
	return info{base, s.nodes[id].perm, int64(len(s.nodes[id].live))}
}

type info struct {
	name string
	mode fs.FileMode
	size int64
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }
