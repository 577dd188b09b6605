package engine

import (
	"context"
	"encoding/gob"
	"errors"
	"os/exec"
	"testing"
	"time"

	"github.com/sketchproof/sketchproof/internal/conversation"
)

// TestWorkersEndWithTheirParent: a parent that is killed can tell its workers
// nothing, but their input ends. They end too: at once when idle, and as orphans
// in the middle of a trial, were it one that hangs.
func TestWorkersEndWithTheirParent(t *testing.T) {
	for name, c := range map[string]struct {
		cell string
		code int
	}{
		"idle":    {"", 0},
		"hanging": {"coin/faults/subject=hang", exitOrphan},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // ends a test that fails
			defer cancel()
			cmd := exec.CommandContext(ctx, testWorker().Path)
			cmd.Env = testWorker().Env
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if c.cell != "" {
				if err := gob.NewEncoder(in).Encode(request{Cell: c.cell, To: 40, Limit: TrialMemory}); err != nil {
					t.Fatal(err)
				}
			}
			if err := in.Close(); err != nil {
				t.Fatal(err)
			}
			code := 0
			if exit, ok := errors.AsType[*exec.ExitError](cmd.Wait()); ok {
				code = exit.ExitCode()
			}
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
		})
	}
}

// overtaken is a context that is done, of which nobody was told yet.
type overtaken struct{ context.Context }

func (overtaken) Err() error { return context.Canceled }

// TestInterruptIsNoFault: an interrupt may reach the workers first, and the
// death of one is then no fault of the subject that it was trying.
func TestInterruptIsNoFault(t *testing.T) {
	for _, c := range []struct {
		ctx    context.Context
		faults int
		err    error
	}{
		{t.Context(), 1, nil},
		{overtaken{t.Context()}, 0, context.Canceled},
	} {
		p := &process{conversation.Worker[request, answer]{Command: testWorker}, time.Minute}
		faults := 0
		err := p.run(c.ctx, request{Cell: "coin/faults/subject=exit", To: 40, Limit: TrialMemory}, func(t Trial) {
			if t.Fault != "" {
				faults++
			}
		})
		p.close()
		if faults != c.faults || !errors.Is(err, c.err) {
			t.Errorf("%d faults, %v, want %d and %v", faults, err, c.faults, c.err)
		}
	}
}
