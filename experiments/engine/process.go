package engine

import (
	"context"
	"errors"
	"time"

	"github.com/sketchproof/sketchproof/internal/conversation"
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

// A process runs trials in a worker process.
type process struct {
	worker  conversation.Worker[request, answer]
	timeout time.Duration // for one trial
}

func (p *process) close() { p.worker.Close() }

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
	if err := p.worker.Ask(ctx, r); err != nil {
		return r.From, "", err
	}
	for i := r.From; i < r.To; i++ {
		got, err := p.worker.Next(ctx, p.timeout)
		if died, ok := errors.AsType[*conversation.DeathError](err); ok {
			return i, Cause(died), nil
		}
		if err != nil {
			return i, "", err
		}
		if got.Refusal != "" {
			return i, "", errors.New(got.Refusal)
		}
		deliver(got.Trial)
	}
	return r.To, "", nil
}
