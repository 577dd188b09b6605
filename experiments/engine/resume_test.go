package engine

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// counted are the coins' rates, with a count of the trials that are run.
func counted(trials *atomic.Int64) []Experiment {
	e := coins[0]
	plan := e.Plan
	e.Plan = func(s Scale) []Cell {
		cells := plan(s)
		for i, c := range cells {
			cells[i].Run = func(t *T) error {
				trials.Add(1)
				return c.Run(t)
			}
		}
		return cells
	}
	return []Experiment{e}
}

// TestResumeRunsNothingTwice: with one worker that stops between two requests,
// all that was run is in the journal.
func TestResumeRunsNothingTwice(t *testing.T) {
	var whole, parts atomic.Int64
	if _, err := Run(t.Context(), counted(&whole), Options{Root: 1, Dir: t.TempDir(), Workers: 1}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := Run(ctx, counted(&parts), Options{Root: 1, Dir: dir, Workers: 1, Progress: func(Progress) { cancel() }})
		if cancel(); !errors.Is(err, context.Canceled) {
			t.Fatalf("not interrupted: %v", err)
		}
	}
	before := parts.Load()
	if _, err := Run(t.Context(), counted(&parts), Options{Root: 1, Dir: dir, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	if before == 0 || parts.Load() != whole.Load() {
		t.Errorf("%d trials before and %d after the interrupts, want %d in all", before, parts.Load()-before, whole.Load())
	}
	// Fresh begins anew, whatever an interrupt left.
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Run(ctx, counted(&parts), Options{Root: 1, Dir: dir, Workers: 1, Progress: func(Progress) { cancel() }})
	if cancel(); !errors.Is(err, context.Canceled) {
		t.Fatalf("not interrupted: %v", err)
	}
	var anew atomic.Int64
	if _, err := Run(t.Context(), counted(&anew), Options{Root: 1, Dir: dir, Workers: 1, Fresh: true}); err != nil {
		t.Fatal(err)
	}
	if anew.Load() != whole.Load() {
		t.Errorf("fresh: %d trials, want %d", anew.Load(), whole.Load())
	}
}
