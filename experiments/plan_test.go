package experiments

import (
	"math/rand"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/stats"
)

// namesOf lists the names of all cells of a scale.
func namesOf(s engine.Scale) []string {
	var names []string
	for _, c := range engine.Cells(All, s) {
		names = append(names, c.Name())
	}
	return names
}

// fullPlan is the largest plan, which takes a while under the race detector.
var fullPlan = sync.OnceValue(func() []engine.Cell { return engine.Cells(All, engine.Full) })

func TestPlansArePure(t *testing.T) {
	if testing.Short() {
		t.Skip("plans everything fifteen times")
	}
	for _, s := range engine.Scales {
		first := namesOf(s)
		for range 4 {
			rand.Int() // a library may draw from it while it is asked what it can do
			if d := cmp.Diff(first, namesOf(s)); d != "" {
				t.Fatalf("%v planned again:\n%s", s, d)
			}
		}
	}
}

// TestPlansAreSmall keeps planning instant without a clock: list, completion and
// every worker plan the largest scale, at some microseconds a cell. A worker
// plans the experiments that it is asked for, a command those that may be selected:
// twenty thousand cells are as many as a list is good for.
func TestPlansAreSmall(t *testing.T) {
	if n := len(namesOf(engine.Full)); n > 20_000 {
		t.Errorf("full plans %d cells", n)
	}
}

func TestCellsAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range fullPlan() {
		name := c.Name()
		if seen[name] {
			t.Errorf("%s is planned twice", name)
		}
		seen[name] = true
		if len(c.Labels) == 0 || c.Labels[0].Key != "subject" || c.Labels[0].Value == "" {
			t.Errorf("%s: the first label is not the subject", name)
		}
		for _, l := range c.Labels {
			if l.Key == "" || l.Value == "" || strings.ContainsAny(l.Key+l.Value, " ,*?\"\n") {
				t.Errorf("%s: label %q = %q; a name is made for globs, files and tables", name, l.Key, l.Value)
			}
		}
		if c.Run == nil || c.Trials < 1 || c.Cost.Seconds <= 0 || len(c.Metrics) == 0 {
			t.Errorf("%s: no trial to run, no trials, no cost or no metrics", name)
		}
		checkMetrics(t, name, c.Metrics)
	}
}

func checkMetrics(t *testing.T, cell string, metrics []engine.Metric) {
	t.Helper()
	seen := map[[2]string]bool{}
	for _, m := range metrics {
		if id := [2]string{m.Name, m.Law}; seen[id] {
			t.Errorf("%s announces %q under law %q twice", cell, m.Name, m.Law)
		} else {
			seen[id] = true
		}
		if m.Law != "" && m.Source == "" {
			t.Errorf("%s: law %q has no source", cell, m.Law)
		}
	}
}

// TestScalesAreSupersets: what a smaller scale says of a cell, a larger one says
// too, and from the same trials, so that its verdict is the same.
func TestScalesAreSupersets(t *testing.T) {
	for i, s := range engine.Scales[1:] {
		larger := map[string]engine.Cell{}
		for _, c := range engine.Cells(All, s) {
			larger[c.Name()] = c
		}
		smaller := engine.Cells(All, engine.Scales[i])
		if len(smaller) >= len(larger) {
			t.Errorf("%v plans %d cells, %v %d", engine.Scales[i], len(smaller), s, len(larger))
		}
		for _, c := range smaller {
			name := c.Name()
			other, ok := larger[name]
			if !ok {
				t.Errorf("%s is in %v and not in %v", name, engine.Scales[i], s)
				continue
			}
			if other.Trials != c.Trials || other.Module != c.Module || other.Cost != c.Cost || !slices.Equal(other.Metrics, c.Metrics) {
				t.Errorf("%s is another cell in %v than in %v", name, s, engine.Scales[i])
			}
		}
	}
}

// TestEveryExperimentIsReported: the committed report is of scale ci, and has a
// section for each.
func TestEveryExperimentIsReported(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range All {
		if seen[e.Name] || strings.Count(e.Name, "/") > 1 {
			t.Errorf("%s: twice, or deeper than results are read", e.Name)
		}
		seen[e.Name] = true
		if len(e.Plan(engine.CI)) == 0 {
			t.Errorf("%s plans nothing in ci", e.Name)
		}
		if e.Question == "" || e.Method == "" || len(e.Claims) == 0 {
			t.Errorf("%s lacks its question, its method or its claims", e.Name)
		}
	}
}

// TestEverySubjectIsTried: whatever the catalogue holds has a row of the committed
// report, under the version that is tried.
func TestEverySubjectIsTried(t *testing.T) {
	modules := map[string]string{} // of the subjects that are tried
	for _, c := range engine.Cells(All, engine.CI) {
		modules[c.Subject()] = c.Module
	}
	wantTried(t, modules, adapters.Filters)
	wantTried(t, modules, adapters.Cardinalities)
	wantTried(t, modules, adapters.Frequencies)
	wantTried(t, modules, adapters.TopKs)
	wantTried(t, modules, adapters.Signatures)
	wantTried(t, modules, adapters.Samplers)
	wantTried(t, modules, adapters.Placers)
}

func wantTried[S, P any](t *testing.T, modules map[string]string, subjects []sketchproof.Subject[S, P]) {
	t.Helper()
	for _, s := range subjects {
		if got, ok := modules[s.Name]; !ok {
			t.Errorf("no experiment of scale ci tries %s", s.Name)
		} else if got != adapters.At(s.Module) {
			t.Errorf("%s is tried as of module %q, want %q", s.Name, got, adapters.At(s.Module))
		}
	}
	if len(subjects) == 0 {
		t.Errorf("no subjects of %T", subjects)
	}
}

// selects reports whether the claim is about the metric's judgements.
func selects(c engine.Claim, m engine.Metric) bool {
	return m.Law != "" && (c.Metric == "" || c.Metric == m.Name) && (c.Law == "" || c.Law == m.Law)
}

// TestClaimsSpeakOfWhatIsMeasured: a claim selects at least one judgement, or
// its row of the report would stay empty.
func TestClaimsSpeakOfWhatIsMeasured(t *testing.T) {
	for _, e := range All {
		cells := e.Plan(engine.CI) // the scale of the committed report
		for _, claim := range e.Claims {
			if claim.Text == "" || claim.Source == "" {
				t.Errorf("%s: a claim without text or source: %+v", e.Name, claim)
			}
			judged := func(c engine.Cell) bool {
				return slices.ContainsFunc(c.Metrics, func(m engine.Metric) bool { return selects(claim, m) })
			}
			if !slices.ContainsFunc(cells, judged) {
				t.Errorf("%s: no cell judges metric %q under law %q, for the claim %q", e.Name, claim.Metric, claim.Law, claim.Text)
			}
		}
	}
}

// TestReportStaysInItsErrorBudget: each judgement may be wrong with probability
// stats.Alpha, so all of the largest plan together with at most their number
// times that (Bonferroni).
func TestReportStaysInItsErrorBudget(t *testing.T) {
	n := engine.Judgements(fullPlan())
	if n == 0 || n > stats.Affordable() || float64(n)*stats.Alpha > stats.ReportBudget {
		t.Errorf("%d judgements at %v each; a budget of %v holds %d", n, stats.Alpha, stats.ReportBudget, stats.Affordable())
	}
}
