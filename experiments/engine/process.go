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

// A reply is an answer, or why there is none.
type reply struct {
	answer
	err error
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
			r.err = d.Decode(&r.answer)
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
		why := p.death(io.EOF)
		if fresh {
			return fmt.Errorf("ask a worker: %w (%s)", err, why)
		}
	}
}

// run confirms every death: it may have come from outside, as when the machine
// ran out of memory or slept, or from an earlier trial's leavings. The trial is
// run again, alone, on a fresh worker, and only what happens there is its fault.
func (p *process) run(ctx context.Context, r request, deliver func(Trial)) error {
	for r.From < r.To {
		done, fault, err := p.attempt(ctx, r, deliver)
		if err != nil || fault == "" {
			return err
		}
		r.From = done
		alone := r
		alone.To = r.From + 1
		if _, fault, err = p.attempt(ctx, alone, deliver); err != nil {
			return err
		}
		if fault != "" {
			deliver(Trial{Fault: fault})
			return nil
		}
		r.From++
	}
	return nil
}

// attempt delivers trials until the request is met or the worker dies: then it
// says of what, and the number of the trial under way.
func (p *process) attempt(ctx context.Context, r request, deliver func(Trial)) (next int, fault string, err error) {
	if err := p.ask(r); err != nil {
		return r.From, "", err
	}
	for i := r.From; i < r.To; i++ {
		timer := time.NewTimer(p.timeout)
		select {
		case <-ctx.Done():
			timer.Stop()
			p.kill()
			return i, "", ctx.Err()
		case <-timer.C:
			p.kill()
			return i, fmt.Sprintf("no answer within %v", p.timeout), nil
		case got := <-p.replies:
			timer.Stop()
			if got.err != nil {
				fault := p.death(got.err)
				return i, fault, ctx.Err() // what interrupts us may have ended it too
			}
			if got.Refusal != "" {
				return i, "", errors.New(got.Refusal)
			}
			p.stderr.reset()
			deliver(got.Trial)
		}
	}
	return r.To, "", nil
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

// death reaps a worker whose replies ended with the error and says of what it
// died, in words that are the same in every run.
func (p *process) death(end error) string {
	if !errors.Is(end, io.EOF) {
		_ = p.cmd.Process.Kill() // it lives, and what it writes makes no sense
	}
	err := p.reap()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "the worker ended early"
	case errors.As(err, &exit) && exit.ExitCode() == exitMemory:
		return "held more memory than its limit"
	}
	if p.stderr.cause != "" {
		return p.stderr.cause
	}
	return "the worker died: " + err.Error()
}

func (p *process) close() {
	if p.cmd != nil {
		_ = p.in.Close() // the worker ends by itself
		_ = p.reap()     // how it ends no longer matters
	}
}

// A tail listens to a worker's standard error for the line in which the Go
// runtime says why it stops. Its stacks, and what a library logs, it lets pass.
type tail struct {
	mu    sync.Mutex
	line  []byte // begun
	cause string
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range b {
		if c != '\n' {
			if len(t.line) < 1024 {
				t.line = append(t.line, c)
			}
			continue
		}
		if line := string(t.line); isCause(line) {
			t.cause = line // the last one: a subject may have logged such a line before
		}
		t.line = t.line[:0]
	}
	return len(b), nil
}

func isCause(line string) bool {
	return strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") || strings.HasPrefix(line, "runtime:")
}

// reset forgets what a trial that ended well has logged.
func (t *tail) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cause = ""
}
