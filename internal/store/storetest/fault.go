package storetest

import (
	"errors"
	"syscall"
)

// opKind is what an operation does, as far as faults care.
type opKind int

const (
	reads     opKind = iota // also Close
	changes                 // needs a writable disk
	allocates               // needs room on it, too
)

// fault makes operations fail: number at, or from at on.
type fault struct {
	at    int
	err   error
	stays bool
}

// FailAt makes operation op (the first since Settle is 0) fail once with err, of
// whatever kind it is. It replaces an earlier fault; nil takes it away.
func (d *Disk) FailAt(op int, err error) { d.setFault(fault{at: op, err: err}) }

// FailFrom makes operations fail with err from operation op on: those that take
// room for ENOSPC and EDQUOT, those that change anything for EROFS and EACCES,
// all for other errors. It replaces an earlier fault; nil takes it away.
func (d *Disk) FailFrom(op int, err error) { d.setFault(fault{at: op, err: err, stays: true}) }

func (d *Disk) setFault(f fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fault = f
}

// Ops is the number of operations since Settle, reads, closes and failed ones
// included.
func (d *Disk) Ops() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.ops
}

// begin counts an operation and says whether it is to fail.
func (d *Disk) begin(kind opKind) error {
	op := d.ops
	d.ops++
	f := d.fault
	if f.err == nil || op < f.at || op > f.at && !f.stays {
		return nil
	}
	if f.stays && kind < lowestFailing(f.err) {
		return nil
	}
	return f.err
}

// lowestFailing is the kind from which on a lasting condition shows.
func lowestFailing(err error) opKind {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return allocates
	case errors.Is(err, syscall.EROFS), errors.Is(err, syscall.EACCES):
		return changes
	}
	return reads
}
