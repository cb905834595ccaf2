package engine

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"homebot/internal/phrases"

	"golang.org/x/sys/unix"
)

// S4: what lies in the workspace and is in the way is named, not the workspace.
func TestWorkspaceErrorNamesTheCulprit(t *testing.T) {
	workspace := t.TempDir()
	file := filepath.Join(workspace, "modes")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		err  error
		want string
		zh   string
	}{
		{file, unix.EACCES, file + " may not be read", "当前用户不能读写 " + file + "；"},
		{filepath.Join(file, "action.json"), unix.ENOTDIR, file + " is not a directory", file + " 不是目录；"},
		{file, unix.EISDIR, file + " is a directory", file + " 是个目录；"},
		{filepath.Join(workspace, "homebot.lock"), unix.EACCES, "workspace " + workspace + " may not be written", "当前用户不能写工作目录 " + workspace + "；"},
		{filepath.Join(workspace, "modes", "x"), unix.EROFS, "workspace " + workspace + " is on a read-only", "工作目录 " + workspace + " 在只读的文件系统上；"},
		{filepath.Dir(workspace), unix.ENOTDIR, "workspace " + workspace + " is not a directory", "工作目录 " + workspace + " 不是目录；"},
		{workspace, unix.ENOSPC, "workspace " + workspace + ": the disk is full", "工作目录 " + workspace + " 所在的磁盘满了；"},
		{workspace, unix.EIO, "workspace " + workspace + ": input/output error; check", "工作目录 " + workspace + " 用不了：input/output error；"},
	} {
		err := workspaceError(workspace, &fs.PathError{Op: "open", Path: c.path, Err: c.err})
		zh := phrases.Told(err, phrases.Chinese)
		if !strings.HasPrefix(err.Error(), c.want) || !strings.HasPrefix(zh, c.zh) || strings.Contains(err.Error()+zh, "\n") {
			t.Errorf("%s: %v: got %q and %q, want %q… and %q…", c.path, c.err, err, zh, c.want, c.zh)
		}
	}
}
