package engine

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	}{
		{file, unix.EACCES, file + " may not be read"},
		{filepath.Join(file, "action.json"), unix.ENOTDIR, file + " is not a directory"},
		{file, unix.EISDIR, file + " is a directory"},
		{filepath.Join(workspace, "homebot.lock"), unix.EACCES, "workspace " + workspace + " may not be written"},
		{filepath.Join(workspace, "modes", "x"), unix.EROFS, "workspace " + workspace + " is on a read-only"},
		{filepath.Dir(workspace), unix.ENOTDIR, "workspace " + workspace + " is not a directory"},
	} {
		err := workspaceError(workspace, &fs.PathError{Op: "open", Path: c.path, Err: c.err})
		if !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v: got %q, want %q…", c.path, c.err, err, c.want)
		}
	}
}
