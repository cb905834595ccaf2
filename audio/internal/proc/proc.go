// Package proc runs a helper program that must not outlive us: the sound child
// and the virtual card's server.
package proc

import (
	"os/exec"
	"runtime"
	"syscall"
)

// Process is a started program. Its methods are for any goroutine.
type Process struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

// Start starts cmd so that the kernel kills it when this process dies. Who
// starts one must Kill it or see its Done.
func Start(cmd *exec.Cmd) (*Process, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	p := &Process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go p.run(started)
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// run starts and reaps. It keeps one thread to itself, because the kernel sends
// the death signal when the thread that started the child ends, not the process.
func (p *Process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.done)
	err := p.cmd.Start()
	started <- err
	if err == nil {
		p.err = p.cmd.Wait()
	}
}

// Pid is the process id.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Done is closed when the program ended and was reaped.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err is how it ended, nil for success; valid after Done.
func (p *Process) Err() error { return p.err }

// Kill sends SIGKILL. Harmless when it is over.
func (p *Process) Kill() { _ = p.cmd.Process.Kill() }
