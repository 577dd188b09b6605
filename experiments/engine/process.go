package engine

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A runner carries out requests. It delivers the trials in order, one call
// each; a fault that kills it is delivered as the trial's outcome and ends the
// request. The error is the harness's own.
type runner interface {
	run(ctx context.Context, r request, deliver func(Trial)) error
	close()
}

// inProcess runs trials where it stands: for tests and for a debugger.
type inProcess struct{ cells map[string]Cell }

func (p inProcess) run(ctx context.Context, r request, deliver func(Trial)) error {
	for i := r.From; i < r.To && ctx.Err() == nil; i++ {
		deliver(p.cells[r.Cell].run(Seed(r.Root, r.Cell, i)))
	}
	return ctx.Err()
}

func (inProcess) close() {}

// A process is a worker process, started on first use and again after a death.
type process struct {
	command func() *exec.Cmd // makes a fresh worker
	timeout time.Duration    // for one trial

	cmd      *exec.Cmd
	in       io.WriteCloser
	requests *gob.Encoder
	replies  chan reply
	stderr   *tail
}

type reply struct {
	trial Trial
	err   error
}

func (p *process) start() error {
	cmd := p.command()
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.stderr = &tail{}
	cmd.Stderr = p.stderr
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start a worker: %w", err)
	}
	p.cmd, p.in, p.requests, p.replies = cmd, in, gob.NewEncoder(in), make(chan reply)
	go func(replies chan<- reply) {
		defer close(replies)
		for d := gob.NewDecoder(out); ; {
			var r reply
			r.err = d.Decode(&r.trial)
			replies <- r
			if r.err != nil {
				return
			}
		}
	}(p.replies)
	return nil
}

// ask sends a request, to a fresh worker if the last one died meanwhile.
func (p *process) ask(r request) error {
	for fresh := p.cmd == nil; ; fresh = true {
		if p.cmd == nil {
			if err := p.start(); err != nil {
				return err
			}
		}
		err := p.requests.Encode(r)
		if err == nil {
			return nil
		}
		why := p.death()
		if fresh {
			return fmt.Errorf("ask a worker: %w (%s)", err, why)
		}
	}
}

func (p *process) run(ctx context.Context, r request, deliver func(Trial)) error {
	if err := p.ask(r); err != nil {
		return err
	}
	for i := r.From; i < r.To; i++ {
		timer := time.NewTimer(p.timeout)
		select {
		case <-ctx.Done():
			timer.Stop()
			p.kill()
			return ctx.Err()
		case <-timer.C:
			p.kill()
			deliver(Trial{Fault: fmt.Sprintf("no answer within %v", p.timeout)})
			return nil
		case got := <-p.replies:
			timer.Stop()
			if got.err != nil {
				fault := p.death()
				if ctx.Err() != nil { // what interrupts us may have ended it: no fault of the subject
					return ctx.Err()
				}
				deliver(Trial{Fault: fault})
				return nil
			}
			deliver(got.trial)
		}
	}
	return nil
}

// kill ends the worker and waits for it.
func (p *process) kill() {
	if p.cmd == nil {
		return
	}
	_ = p.cmd.Process.Kill() // it may be dead already
	p.reap()
}

// reap waits for a worker that is ending, until its replies are read out.
func (p *process) reap() error {
	_ = p.in.Close()
	for range p.replies {
		continue
	}
	err := p.cmd.Wait()
	p.cmd = nil
	return err
}

// death reaps a worker that died by itself and says of what, in words that are
// the same in every run.
func (p *process) death() string {
	err := p.reap()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "the worker ended early"
	case errors.As(err, &exit) && exit.ExitCode() == exitMemory:
		return "held more memory than its limit"
	}
	if cause := p.stderr.cause(); cause != "" {
		return cause
	}
	return "the worker died: " + err.Error()
}

func (p *process) close() {
	if p.cmd != nil {
		_ = p.in.Close() // the worker ends by itself
		_ = p.reap()     // how it ends no longer matters
	}
}

// A tail keeps the first lines that a worker writes to standard error: a Go
// program that dies says why first, then prints its stacks.
type tail struct {
	mu   sync.Mutex
	text strings.Builder
}

const tailBytes = 4096

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := tailBytes - t.text.Len(); room > 0 {
		t.text.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}

// cause is the line in which the Go runtime said why it stopped.
func (t *tail) cause() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range strings.SplitSeq(t.text.String(), "\n") {
		if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") || strings.HasPrefix(line, "runtime:") {
			return line
		}
	}
	return ""
}
