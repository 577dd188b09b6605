package engine

import (
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// An Experiment is one question: which cells to run, and what they measure.
type Experiment struct {
	// Name is the claim's id, as bloom/fpr: folder, prefix of every cell.
	Name string
	// Question is asked in one sentence.
	Question string
	// Claims are what the sources state, each put on trial.
	Claims []Claim
	// Method says in a few sentences how it is tried and what to mind.
	Method string
	// Plan lists the cells of a scale. It is pure and instant.
	Plan func(Scale) []Cell
}

// A Claim is a statement of a source.
type Claim struct {
	Text   string
	Source string // title of the document, or author and year
	// Metric and Law select the judgements that speak about the claim; ""
	// selects any.
	Metric, Law string
}

// A Cell is one point of a sweep: a subject and the parameters it is tried
// with.
type Cell struct {
	// Experiment is the name of the experiment that planned it.
	Experiment string
	// Labels are its coordinates; the first key is "subject".
	Labels record.Labels
	// Module is the subject's Go module as path@version, "" for our own.
	Module string
	// Metrics are all that a trial may read.
	Metrics []Metric
	// Trials is the number planned: what is spent if nothing decides earlier.
	Trials int
	// Cost is what one trial is expected to take.
	Cost Cost
	// Shows says that trials name the input that shows what they read, see
	// [T.Show]: its experiment has a file of them.
	Shows bool
	// Unseeded says that the subject draws randomness that no seed reaches: its rows
	// differ from run to run, and lie in a file outside the digests.
	Unseeded bool
	// Run is one trial. Everything in it follows from t.Seed. An error is a
	// fault of the subject: a row, and the end of the cell.
	Run func(t *T) error
}

// A Metric is something a trial reads, and the law that speaks about it.
type Metric struct {
	Name   string
	Unit   string // of the numerator per unit of the denominator, "" for a ratio
	Method stats.Method
	// Law is the name of the law, "" for a reading that nothing judges.
	Law string
	// Source is the law's author, year and equation.
	Source string
}

// A Cost is the expected price of one trial.
type Cost struct {
	Seconds float64
	Bytes   int64
}

// Name is the cell's one name.
func (c Cell) Name() string { return record.CellName(c.Experiment, c.Labels) }

// Subject is the name of what is tried.
func (c Cell) Subject() string { return c.Labels.Value("subject") }

// Judgements is the number of verdicts that cells ask for, each a share of the
// report's error budget. A fault's verdict costs nothing, nor does an invariant's:
// a counterexample is a fact, and no inference.
func Judgements(cells []Cell) int {
	n := 0
	for _, c := range cells {
		for _, m := range c.Metrics {
			if m.Law != "" && m.Method != stats.Invariant {
				n++
			}
		}
	}
	return n
}

// A T is one running trial.
type T struct {
	// Seed is the trial's own: from the root seed, the cell's name and the
	// trial's number.
	Seed uint64

	metrics  []Metric
	readings []Reading
}

// A Reading is one measurement of a trial: Num/Den, with what the law predicts
// for the structure that was built. Metric is an index into the cell's Metrics.
type Reading struct {
	Metric   int
	Num, Den int64
	Band     stats.Band
	Input    string
}

// Read reports a measurement of one of the cell's metrics, at most once a
// trial. The band is ignored for a metric without a law.
func (t *T) Read(m Metric, num, den int64, band stats.Band) {
	for i, known := range t.metrics {
		if known.Name == m.Name && known.Law == m.Law {
			for _, r := range t.readings {
				if r.Metric == i {
					panic("engine: metric " + m.Name + " under law " + m.Law + " is read twice in a trial")
				}
			}
			if err := m.Method.Check(stats.Count{Num: num, Den: den}); err != nil {
				panic("engine: metric " + m.Name + ": " + err.Error())
			}
			t.readings = append(t.readings, Reading{Metric: i, Num: num, Den: den, Band: band})
			return
		}
	}
	panic("engine: the cell did not announce metric " + m.Name + " under law " + m.Law)
}

// Show names the smallest input found that shows what was read last, in words that
// suffice to make it again. The first that a cell's trials name is kept.
func (t *T) Show(input string) { t.readings[len(t.readings)-1].Input = input }

// NewT makes a trial apart from any run, for tests of a cell's Run.
func NewT(seed uint64, metrics []Metric) *T { return &T{Seed: seed, metrics: metrics} }

// Readings are what the trial read so far.
func (t *T) Readings() []Reading { return t.readings }
