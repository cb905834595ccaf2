package storetest

import (
	"fmt"
	"syscall"
	"testing"
)

// Step does something on a disk. An error from the setup or the run ends a test
// in which nothing is made to fail.
type Step func(*Disk) error

// Check runs the real recovery code on c.Disk, then checks the invariants
// against c.Acked; what it returns is a violation. It may go on using the disk,
// and acknowledge more with c.Disk.Ack, when it is to be crashed as well
// (EachDoubleCrash).
type Check func(c Crash) error

// maxShown is how many violations a test prints; the rest is counted.
const maxShown = 5

// EachCrash runs setup, settles, runs run, and check on every crash state. Each
// violation fails the test. It returns the number of states. setup may be nil.
func EachCrash(t testing.TB, setup, run Step, check Check) int {
	t.Helper()
	states, violations := Enumerate(t, setup, run, check)
	show(t, states, violations)
	return states
}

// EachDoubleCrash is EachCrash, and then the power goes again at every instant
// of what check did: recovery itself must survive a crash. The states are many;
// keep the run short.
func EachDoubleCrash(t testing.TB, setup, run Step, check Check) int {
	t.Helper()
	states, violations := 0, []string(nil)
	_, first := Enumerate(t, setup, run, func(c Crash) error {
		states++
		if err := check(c); err != nil {
			return err
		}
		n, again := enumerate(c.Disk, c.Name+", then ", check)
		states += n
		violations = append(violations, again...)
		return nil
	})
	show(t, states, append(first, violations...))
	return states
}

// Enumerate is EachCrash for tests that expect violations: it returns them.
func Enumerate(t testing.TB, setup, run Step, check Check) (states int, violations []string) {
	t.Helper()
	d := prepared(t, setup)
	if err := run(d); err != nil {
		t.Fatalf("the run fails without any crash: %v", err)
	}
	return enumerate(d, "", check)
}

func enumerate(d *Disk, prefix string, check Check) (states int, violations []string) {
	for c := range d.Crashes() {
		states++
		c.Name = prefix + c.Name
		if err := check(c); err != nil {
			violations = append(violations, fmt.Sprintf("%s: %v", c.Name, err))
		}
	}
	return states, violations
}

// EachFault lets operation i of run fail with EIO, then with ENOSPC, for every
// i. run should go on after an error as the real program does, and acknowledge
// only what succeeded; its error is ignored. After each run check sees what a
// restarted process finds, and every crash state of the last instant. It returns
// the number of faults tried. setup may be nil.
func EachFault(t testing.TB, setup, run Step, check Check) int {
	t.Helper()
	faults, violations := 0, []string(nil)
	for _, fault := range []error{syscall.EIO, syscall.ENOSPC} {
		for op := 0; ; op++ {
			d := prepared(t, setup)
			d.FailAt(op, fault)
			_ = run(d)
			if d.Ops() <= op {
				break // the run was over before operation op
			}
			d.FailAt(0, nil)
			faults++
			for c := range d.CrashesNow() {
				if err := check(c); err != nil {
					violations = append(violations, fmt.Sprintf("%v at operation %d, %s: %v", fault, op, c.Name, err))
				}
			}
		}
	}
	show(t, faults, violations)
	return faults
}

func prepared(t testing.TB, setup Step) *Disk {
	t.Helper()
	d := New()
	if setup != nil {
		if err := setup(d); err != nil {
			t.Fatalf("setup: %v", err)
		}
	}
	d.Settle()
	return d
}

func show(t testing.TB, tried int, violations []string) {
	t.Helper()
	for i, v := range violations {
		if i == maxShown {
			t.Errorf("… and %d more of %d tried", len(violations)-i, tried)
			return
		}
		t.Error(v)
	}
}
