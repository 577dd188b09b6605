package engine

import (
	"sync"

	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// faultMetric is what the row of a trial that a fault ended counts: whatever is
// promised, a call that panics, hangs or fails keeps no promise.
const faultMetric = "faults/trial"

// A state is a cell on its way to its verdicts.
type state struct {
	cell     Cell
	name     string
	planned  int     // trials at most
	trials   []Trial // by number, up to target; meaningful where have is true
	have     []bool
	issued   []bool
	prefix   int // trials below it are all there
	cursor   int // trials below it are all issued or there
	look     int
	target   int // trials until the next look
	final    bool
	verdicts []record.Summary
	packed   []byte // the lines of trials.csv of a final cell, see output.pack
	input    record.Input
}

func newState(c Cell) *state {
	s := &state{cell: c, name: c.Name(), planned: max(c.Trials, 1)}
	s.nextLook()
	return s
}

// nextLook makes room for the trials that the coming look needs.
func (s *state) nextLook() {
	s.look++
	s.target = min(s.planned, stats.Looks(s.look))
	more := s.target - len(s.trials)
	s.trials = append(s.trials, make([]Trial, more)...)
	s.have = append(s.have, make([]bool, more)...)
	s.issued = append(s.issued, make([]bool, more)...)
}

// take stores trials from number from on, and looks if it is time.
func (s *state) take(from int, trials []Trial) {
	if s.final {
		return
	}
	for i, t := range trials {
		if n := from + i; n < len(s.trials) {
			s.trials[n], s.have[n], s.issued[n] = t, true, true
		}
	}
	for s.prefix < len(s.trials) && s.have[s.prefix] {
		if s.trials[s.prefix].Fault != "" { // the lowest fault ends the cell
			s.trials = s.trials[:s.prefix+1]
			s.finish(s.assess())
			return
		}
		s.prefix++
	}
	for s.prefix >= s.target && !s.final {
		rows := s.assess()
		if s.target == s.planned || decided(rows) {
			s.finish(rows)
			return
		}
		s.nextLook()
	}
}

func (s *state) finish(rows []record.Summary) {
	s.final, s.verdicts, s.have, s.issued = true, rows, nil, nil
}

// decided reports whether every judgement has its verdict.
func decided(rows []record.Summary) bool {
	judged := false
	for _, r := range rows {
		if r.Judged() {
			judged = true
			if r.Verdict == stats.Undecided {
				return false
			}
		}
	}
	return judged
}

// next issues the next stretch of trials that the coming look needs, at most
// size of them. It returns from == to when nothing is left to issue.
func (s *state) next(size int) (from, to int) {
	if s.final {
		return 0, 0
	}
	for s.cursor < s.target && s.issued[s.cursor] {
		s.cursor++
	}
	from, to = s.cursor, s.cursor
	for to < s.target && to-from < size && !s.issued[to] {
		s.issued[to] = true
		to++
	}
	return from, to
}

// give returns issued trials that were not carried out.
func (s *state) give(from, to int) {
	if s.final {
		return
	}
	for i := from; i < to && i < len(s.issued); i++ {
		s.issued[i] = s.have[i]
	}
	s.cursor = min(s.cursor, from)
}

// assess turns the trials so far into judgements, one a metric.
func (s *state) assess() []record.Summary {
	n := min(s.target, len(s.trials))
	fault := ""
	if last := s.trials[n-1].Fault; last != "" {
		fault, n = last, n-1
	}
	rows := make([]record.Summary, 0, len(s.cell.Metrics)+1)
	for i, m := range s.cell.Metrics {
		if row, any := s.assessMetric(i, m, s.trials[:n]); any {
			rows = append(rows, row)
		}
	}
	if fault != "" {
		rows = append(rows, s.faultRow(n+1))
	}
	return rows
}

func (s *state) assessMetric(i int, m Metric, trials []Trial) (record.Summary, bool) {
	counts := make([]stats.Count, 0, len(trials))
	bands := make([]stats.Band, 0, len(trials))
	for _, t := range trials {
		for _, r := range t.Readings {
			if r.Metric == i {
				counts = append(counts, stats.Count{Num: r.Num, Den: r.Den})
				bands = append(bands, r.Band)
			}
		}
	}
	if len(counts) == 0 {
		return record.Summary{}, false
	}
	band := stats.MeanBand(bands)
	j := m.Method.Assess(counts, s.look, stats.Alpha, band)
	row := record.Summary{
		Cell: s.name, Subject: s.cell.Subject(), Metric: m.Name, Trials: j.Trials, Estimate: j.Estimate,
		Lo: j.Interval.Lo, Hi: j.Interval.Hi, Confidence: j.Confidence, Law: m.Law,
	}
	if m.Law != "" {
		row.Predicted, row.AllowedLo, row.AllowedHi, row.Verdict = band.Predicted, band.Lo, band.Hi, j.Verdict
	}
	return row, true
}

func (s *state) faultRow(trials int) record.Summary {
	j := stats.Invariant.Assess([]stats.Count{{Num: 1, Den: int64(trials)}}, 1, stats.Alpha, stats.AtMost(0))
	return record.Summary{
		Cell: s.name, Subject: s.cell.Subject(), Metric: faultMetric, Trials: trials, Estimate: j.Estimate,
		Lo: j.Interval.Lo, Hi: j.Interval.Hi, Confidence: j.Confidence, Law: record.FaultLaw,
		Predicted: 0, AllowedLo: 0, AllowedHi: 0, Verdict: j.Verdict,
	}
}

// A schedule hands out trials to workers: the earliest cell first, the next
// one as soon as all that a cell's coming look needs is under way.
type schedule struct {
	mu     sync.Mutex
	wake   *sync.Cond
	states []*state
	first  int // states below it are final
	stop   bool
}

func newSchedule(cells []Cell) *schedule {
	s := &schedule{states: make([]*state, len(cells))}
	s.wake = sync.NewCond(&s.mu)
	for i, c := range cells {
		s.states[i] = newState(c)
	}
	return s
}

// next waits for trials to run. It returns nil when all cells are final or the
// schedule was stopped.
func (s *schedule) next() (st *state, from, to int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.stop {
		for s.first < len(s.states) && s.states[s.first].final {
			s.first++
		}
		if s.first == len(s.states) {
			return nil, 0, 0
		}
		for _, st := range s.states[s.first:] {
			if from, to := st.next(chunk(st.cell.Cost)); from < to {
				return st, from, to
			}
		}
		s.wake.Wait()
	}
	return nil, 0, 0
}

// chunk is the number of trials to send at once: about a quarter of a second's
// worth, so that sending costs nothing and a kill loses little.
func chunk(c Cost) int {
	return max(1, min(1024, int(0.25/max(c.Seconds, 1e-6))))
}

// done stores what a worker delivered of the trials from to to-1.
func (s *schedule) done(st *state, from, to int, trials []Trial) (final bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := st.final
	st.take(from, trials)
	st.give(from+len(trials), to)
	s.wake.Broadcast()
	return st.final && !before
}

// halt lets every waiting worker end.
func (s *schedule) halt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop = true
	s.wake.Broadcast()
}
