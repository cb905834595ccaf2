//go:build cgo

package portaudio

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// nice is what sound servers ask for. Where it is not allowed (no root, no
// LimitNICE in the unit) the child runs as everybody else.
const nice = -11

// hurry raises the priority of this process's threads, so that a busy machine
// does not tear holes into the sound; threads made later inherit it.
func hurry() {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return
	}
	for _, t := range tasks {
		if id, err := strconv.Atoi(t.Name()); err == nil {
			_ = unix.Setpriority(unix.PRIO_PROCESS, id, nice)
		}
	}
}
