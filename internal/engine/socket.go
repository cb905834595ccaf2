package engine

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
)

// socketName of the workspace.
const socketName = "homebot.sock"

// maxSocketPath is what fits into a sockaddr_un (108 bytes with the NUL).
const maxSocketPath = 107

// listen binds the workspace's socket, 0600. A socket left by a killed engine is
// replaced: the caller holds the lock, so nobody serves it.
func listen(workspace string) (net.Listener, error) {
	path, done, err := reachable(workspace)
	if err != nil {
		return nil, err
	}
	defer done()
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, workspaceError(workspace, err)
	}
	ln, err := net.Listen("unix", path)
	if err != nil {
		return nil, workspaceError(workspace, err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = ln.Close()
		return nil, workspaceError(workspace, err)
	}
	// The path may go through a descriptor that is closed by the time the
	// listener is: the next engine removes the socket, as after a crash.
	ln.(*net.UnixListener).SetUnlinkOnClose(path == filepath.Join(workspace, socketName))
	return ln, nil
}

// dial connects to the engine that serves the workspace.
func dial(workspace string) (net.Conn, error) {
	path, done, err := reachable(workspace)
	if err != nil {
		return nil, err
	}
	defer done()
	return net.Dial("unix", path)
}

// reachable is a path to the socket that is short enough to be bound: through
// the open directory where the real one is too long.
func reachable(workspace string) (path string, done func(), err error) {
	path = filepath.Join(workspace, socketName)
	if len(path) <= maxSocketPath {
		return path, func() {}, nil
	}
	dir, err := os.Open(workspace)
	if err != nil {
		return "", nil, fmt.Errorf("open workspace: %w", err)
	}
	path = filepath.Join("/proc/self/fd", strconv.Itoa(int(dir.Fd())), socketName)
	return path, func() { _ = dir.Close() }, nil
}
