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
		return nil, fmt.Errorf("lock %s: %w", f.Name(), err)
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
		return fmt.Errorf("%s may not be read or written by this user; change its owner and permissions", inside)
	case inside != "" && errors.Is(err, unix.ENOTDIR):
		return fmt.Errorf("%s is not a directory; move it away", inside)
	case inside != "" && errors.Is(err, unix.EISDIR):
		return fmt.Errorf("%s is a directory; move it away", inside)
	case errors.Is(err, unix.EROFS):
		return fmt.Errorf("workspace %s is on a read-only file system; mount it writable, or choose another with --workspace", workspace)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("workspace %s may not be written by this user; change its owner, or choose another with --workspace", workspace)
	case errors.Is(err, unix.ENOSPC):
		return fmt.Errorf("workspace %s: the disk is full; free some space and try again", workspace)
	case errors.Is(err, unix.ENOTDIR):
		return fmt.Errorf("workspace %s is not a directory; choose another with --workspace", workspace)
	}
	return fmt.Errorf("workspace %s: %w; check the directory, or choose another with --workspace", workspace, why)
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
