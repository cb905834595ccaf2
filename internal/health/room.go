package health

import (
	"syscall"
)

// What a disk answers, as the kernel has it.
const (
	noSpace    = syscall.ENOSPC
	readOnlyFS = syscall.EROFS
	// rdonly is ST_RDONLY of statfs(2): mounted, or after an error mounted
	// again, without writing.
	rdonly = 1
)

// Room is how many bytes a process without privileges may still write below dir,
// and whether the disk is mounted read-only.
func Room(dir string) (free int64, readOnly bool, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false, err
	}
	return int64(s.Bavail) * int64(s.Bsize), int64(s.Flags)&rdonly != 0, nil
}
