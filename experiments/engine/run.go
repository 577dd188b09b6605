package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/sketchproof/sketchproof/internal/conversation"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// Options say how to run. The zero value of every field but Dir is usable.
type Options struct {
	Scale     Scale
	Root      uint64 // the root seed
	Selection Selection
	Dir       string // results folder, made if it does not exist
	Workers   int    // worker processes; 0 means one a core, or one in this process
	Fresh     bool   // ignore the journal of a run that did not end
	// Worker makes the command of a fresh worker process, which must call
	// Serve with the same experiments. nil runs trials in this process.
	Worker func() *exec.Cmd
	// Trace is what the manifest says of the requests that experiments were given,
	// nil for none.
	Trace *record.Trace
	// Timeout is what one trial may take; 0 means TrialTimeout.
	Timeout time.Duration
	// Memory is what a worker may hold in bytes, if four times the plan's figure
	// is not more; 0 means TrialMemory.
	Memory int64
	// Progress is told of every cell that this run makes final, and of the work
	// done and planned, in seconds as the plan costs them. Calls do not overlap.
	Progress func(Progress)
}

// TrialTimeout is how long a trial may take before it counts as hung: far
// beyond the costliest planned.
const TrialTimeout = 5 * time.Minute

// TrialMemory is enough for small structures and the runtime's own garbage.
const TrialMemory = 2 << 30

// A Progress is how far a run is.
type Progress struct {
	Cell        string // the cell that is now final, "" for a beat in between
	Rows        []record.Summary
	Cells, Of   int
	Done, Total float64 // expected seconds of work
}

// Outcome is what a run leaves in memory: the judgements of every cell, in the
// order of the plan.
type Outcome struct {
	Rows     []record.Summary
	Manifest record.Manifest
}

// Run carries out the selected cells and writes trials.csv and summary.csv for
// every experiment, then the manifest. When it is cancelled or fails, what was
// finished is in the journal and the next Run goes on from there.
func Run(ctx context.Context, all []Experiment, o Options) (Outcome, error) {
	cells, err := o.Selection.Plan(all, o.Scale)
	if err != nil {
		return Outcome{}, &UsageError{err}
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return Outcome{}, fmt.Errorf("the results folder cannot be made: %w", err)
	}
	unlock, err := lockFolder(o.Dir)
	if err != nil {
		return Outcome{}, err
	}
	defer unlock()
	largest := Cells(of(all, cells), Full)
	out := output{dir: o.Dir, root: o.Root, keys: labelKeys(largest), shows: showing(largest)}
	r := &running{options: o, schedule: newSchedule(cells), output: out}
	j, err := openJournal(o.Dir, identity(o.Root), o.Fresh, r.resume())
	if err != nil {
		return Outcome{}, err
	}
	r.journal = j
	if err := r.work(ctx); err != nil {
		return Outcome{}, errors.Join(err, j.close())
	}
	rows, files, err := out.write(r.schedule.states)
	if err != nil {
		return Outcome{}, errors.Join(err, j.close())
	}
	m := newManifest(o, cells, files)
	if err := record.WriteFile(filepath.Join(o.Dir, record.ManifestName), func(w io.Writer) error { _, err := w.Write(m.Encode()); return err }); err != nil {
		return Outcome{}, errors.Join(err, j.close())
	}
	if r.foreign { // the journal serves another selection too
		return Outcome{rows, m}, j.close()
	}
	return Outcome{rows, m}, j.remove()
}

// A UsageError is a request that no run can meet.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// Program is the file that this program runs from, "" if the system does not
// say: on Linux the very file, also after another was put in its place.
func Program() string {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe"
	}
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return path
}

// identity is what a journal must share with a run that resumes it: the
// program, byte for byte, and the seed.
func identity(root uint64) string {
	program := "unknown program"
	if digest, err := record.Digest(Program()); err == nil {
		program = digest
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", program, root))
	return hex.EncodeToString(sum[:])
}

// running is a run under way.
type running struct {
	options  Options
	schedule *schedule
	output   output
	foreign  bool // the journal holds cells outside the selection

	mu      sync.Mutex // guards what follows
	journal *journal
	cells   int // final
	spent   float64
}

// resume returns a function that takes in what an earlier run left.
func (r *running) resume() func(entry) {
	byName := make(map[string]*state, len(r.schedule.states))
	for _, s := range r.schedule.states {
		byName[s.name] = s
	}
	return func(e entry) {
		s := byName[e.Cell]
		if s == nil {
			r.foreign = true
			return
		}
		if r.schedule.done(s, e.From, e.From+len(e.Trials), e.Trials) {
			r.output.pack(s)
			r.cells++
		}
	}
}

// work runs trials until every cell is final.
func (r *running) work(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stopped := context.AfterFunc(ctx, r.schedule.halt)
	defer stopped()
	var wg sync.WaitGroup
	for range r.workers() {
		wg.Go(func() {
			w := r.runner()
			defer w.close()
			if err := r.serve(ctx, w); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

func (r *running) workers() int {
	switch {
	case r.options.Workers > 0:
		return r.options.Workers
	case r.options.Worker == nil:
		return 1 // trials of one process share the global generator
	}
	return runtime.NumCPU()
}

func (r *running) runner() runner {
	if r.options.Worker == nil {
		cells := map[string]Cell{}
		for _, s := range r.schedule.states {
			cells[s.name] = s.cell
		}
		return inProcess{cells}
	}
	timeout := r.options.Timeout
	if timeout == 0 {
		timeout = TrialTimeout
	}
	return &process{conversation.Worker[request, answer]{Command: r.options.Worker}, timeout}
}

// serve keeps one worker busy.
func (r *running) serve(ctx context.Context, w runner) error {
	for {
		s, from, to := r.schedule.next()
		if s == nil {
			return nil
		}
		var trials []Trial
		err := w.run(ctx, request{Cell: s.name, Root: r.options.Root, From: from, To: to, Limit: r.memoryLimit(s.cell)}, func(t Trial) {
			trials = append(trials, t)
		})
		if err != nil && ctx.Err() == nil {
			return err
		}
		if err := r.keep(s, from, to, trials); err != nil {
			return err
		}
	}
}

func (r *running) memoryLimit(c Cell) int64 {
	least := r.options.Memory
	if least == 0 {
		least = TrialMemory
	}
	return max(least, 4*c.Cost.Bytes)
}

// keep writes trials to the journal, then counts them.
func (r *running) keep(s *state, from, to int, trials []Trial) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(trials) > 0 {
		if err := r.journal.append(entry{Cell: s.name, From: from, Trials: trials}); err != nil {
			return err
		}
	}
	r.spent += float64(len(trials)) * s.cell.Cost.Seconds
	final := r.schedule.done(s, from, to, trials)
	p := Progress{}
	if final {
		r.output.pack(s)
		r.cells++
		p.Cell, p.Rows = s.name, s.verdicts
	}
	if r.options.Progress != nil {
		p.Cells, p.Of = r.cells, len(r.schedule.states)
		p.Done, p.Total = r.spent, r.spent+r.schedule.left()
		r.options.Progress(p)
	}
	return nil
}

// left is the work that is still expected, in seconds: cells under way to
// their coming look, cells not begun as Expected costs them.
func (s *schedule) left() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sum float64
	for _, st := range s.states[s.first:] {
		switch {
		case st.final:
		case st.prefix > 0:
			sum += float64(st.target-st.prefix) * st.cell.Cost.Seconds
		default:
			sum += st.cell.Expected().Seconds
		}
	}
	return sum
}

// Expected is what a whole cell is expected to take: rates are mostly decided
// at the third look, spreads and bounds need what was planned.
func (c Cell) Expected() Cost {
	n := min(max(c.Trials, 1), 128)
	if slices.ContainsFunc(c.Metrics, func(m Metric) bool { return m.Method == stats.Spread || m.Method == stats.Share }) {
		n = max(c.Trials, 1)
	}
	return Cost{float64(n) * c.Cost.Seconds, c.Cost.Bytes}
}
