package store

import (
	"errors"
	"io/fs"
	"syscall"
)

const errNotDir = syscall.ENOTDIR

// Cause is what a person has to be told about a failed operation.
type Cause int

// Causes, from the most to the least a person can do about them. NoCause is for
// nil and for everything else.
const (
	NoCause  Cause = iota
	Full           // no space, or the quota is used up: free some
	ReadOnly       // the file system is mounted read-only, often after an error
	Denied         // the permissions do not allow it
	Missing        // a file or directory is not there
	Broken         // the device failed (EIO): the card is dying
	TooLong        // a line over MaxLine
)

var causeNames = [...]string{"other", "full", "read_only", "denied", "missing", "broken", "too_long"}

// String is the cause as logs and `chat --json` codes write it: full, read_only,
// denied, missing, broken, too_long, other.
func (c Cause) String() string {
	if c < 0 || int(c) >= len(causeNames) {
		return causeNames[NoCause]
	}
	return causeNames[c]
}

// Why finds the cause of an error from this package or from package os, through
// any wrapping.
func Why(err error) Cause {
	switch {
	case err == nil:
		return NoCause
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return Full
	case errors.Is(err, syscall.EROFS):
		return ReadOnly
	case errors.Is(err, fs.ErrPermission):
		return Denied
	case errors.Is(err, fs.ErrNotExist):
		return Missing
	case errors.Is(err, syscall.EIO):
		return Broken
	case errors.Is(err, ErrTooLong):
		return TooLong
	}
	return NoCause
}
