package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"homebot/internal/backup"
	"homebot/internal/phrases"
	"homebot/internal/store"
)

// ErrHeld: another process holds the workspace.
var ErrHeld = phrases.Errorf(phrases.EngineHeld)

// Lock is the hold on a workspace. The kernel lets go of it when the process
// ends, however it ends.
type Lock struct{ file *os.File }

// Acquire takes the lock of a workspace, making the directory if need be. It
// does not wait: ErrHeld (with the holder's process id) is returned at once. A
// restore that a power cut broke off is finished first.
func Acquire(workspace string) (*Lock, error) {
	if err := os.MkdirAll(workspace, 0o700); err != nil {
		return nil, workspaceError(workspace, err)
	}
	f, err := os.OpenFile(filepath.Join(workspace, "homebot.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, workspaceError(workspace, err)
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		pid, _ := os.ReadFile(f.Name())
		_ = f.Close()
		return nil, phrases.Errorf(phrases.EngineHeldBy, ErrHeld, strings.TrimSpace(string(pid)))
	}
	if err != nil {
		_ = f.Close()
		return nil, phrases.Errorf(phrases.EngineNoLock, f.Name(), err)
	}
	// For people only: a full disk must not keep the engine from starting.
	_ = f.Truncate(0)
	_, _ = f.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
	if err := backup.Finish(store.OS(), workspace); err != nil {
		_ = f.Close()
		return nil, workspaceCause(workspace, err)
	}
	return &Lock{file: f}, nil
}

// Release lets go of the workspace.
func (l *Lock) Release() error { return l.file.Close() }

// workspaceError is one line with the way out. It names what lies in the workspace
// when that is to blame, not the workspace itself.
func workspaceError(workspace string, err error) error {
	why, inside := err, ""
	var pe *fs.PathError
	if errors.As(err, &pe) {
		why, inside = pe.Err, culprit(workspace, pe.Path)
	}
	switch {
	case inside != "" && errors.Is(err, fs.ErrPermission):
		return phrases.Errorf(phrases.WorkspaceFileDenied, inside)
	case inside != "" && errors.Is(err, unix.ENOTDIR):
		return phrases.Errorf(phrases.WorkspaceFileNoDir, inside)
	case inside != "" && errors.Is(err, unix.EISDIR):
		return phrases.Errorf(phrases.WorkspaceFileIsDir, inside)
	case errors.Is(err, unix.EROFS):
		return phrases.Errorf(phrases.WorkspaceReadOnly, workspace)
	case errors.Is(err, fs.ErrPermission):
		return phrases.Errorf(phrases.WorkspaceDenied, workspace)
	case errors.Is(err, unix.ENOSPC):
		return phrases.Errorf(phrases.WorkspaceFull, workspace)
	case errors.Is(err, unix.ENOTDIR):
		return phrases.Errorf(phrases.WorkspaceNoDir, workspace)
	}
	return phrases.Errorf(phrases.WorkspaceWrong, workspace, why)
}

// culprit is path, or the first directory above it that can be seen, when that
// lies in the workspace; else "".
func culprit(workspace, path string) string {
	for ; strings.HasPrefix(path, workspace+string(filepath.Separator)); path = filepath.Dir(path) {
		if _, err := os.Lstat(path); err == nil {
			return path
		}
	}
	return ""
}
