package agent

import (
	"io/fs"
	"slices"

	"homebot/internal/lazyregexp"
	"homebot/internal/store"
)

// memberID keeps a member's path inside members/, whatever a client calls
// itself.
var memberID = lazyregexp.New(`^[A-Za-z0-9_\p{Han}-]{1,64}$`)

// maxProfileBytes bounds USER.md: it is part of every request of its session.
const maxProfileBytes = 16 << 10

// userFile is a member's USER.md, nil for somebody unknown. Its text goes to the
// model: a link, which might show any file of the machine, is not followed.
func (a *Agent) userFile(id string) []byte {
	if !memberID.MatchString(id) {
		return nil
	}
	home := store.Confine(a.cfg.FS, a.cfg.Workspace)
	isDir := func(t fs.FileMode) bool { return t.IsDir() }
	if !entryIs(home, "members", id, isDir) || !entryIs(home, "members/"+id, "USER.md", fs.FileMode.IsRegular) {
		return nil
	}
	data, err := home.ReadFile("members/" + id + "/USER.md")
	if err != nil || len(data) > maxProfileBytes {
		return nil
	}
	return data
}

// entryIs reports whether a directory has an entry of a type.
func entryIs(home store.Confined, dir, name string, is func(fs.FileMode) bool) bool {
	all, err := home.ReadDir(dir)
	return err == nil && slices.ContainsFunc(all, func(e fs.DirEntry) bool { return e.Name() == name && is(e.Type()) })
}
