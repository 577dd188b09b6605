package main

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sketchproof/sketchproof/choose"
	"github.com/sketchproof/sketchproof/record"
)

// Every workload of a sample can be asked for, follows from the seed, and the
// sample has all kinds of them.
func TestDrawnWorkloads(t *testing.T) {
	kinds := map[string]int{}
	for i := range 200 {
		w := drawWorkload(3, i, 1_000_000).WithDefaults()
		if err := w.Check(); err != nil {
			t.Errorf("workload %d: %v", i, err)
		}
		if d := cmp.Diff(w, drawWorkload(3, i, 1_000_000).WithDefaults()); d != "" {
			t.Error(d)
		}
		if w.Keys < leastRegretKeys || w.Keys > 1_000_000 || w.KeyBytes != 0 && (w.KeyBytes < 8 || w.KeyBytes > 64) {
			t.Errorf("%+v", w)
		}
		for name, is := range map[string]bool{
			"large": w.Keys > 100_000, "by cost": w.By == choose.ByCost, "by time": w.By == choose.ByTime, "none present": w.Present == 0,
			"build counts": w.LookupsPerKey > 0, "static": slices.Contains(w.Needs, choose.NeedStatic), "batch": slices.Contains(w.Needs, choose.NeedBatch), "bytes": w.KeyBytes > 0,
		} {
			if is {
				kinds[name]++
			}
		}
	}
	// The rarest has a probability of 0.2: fewer than 15 of 200 come once in 10^6 samples.
	for name, n := range kinds {
		if n < 15 || n > 185 {
			t.Errorf("%d of 200 workloads: %s", n, name)
		}
	}
	if len(kinds) != 8 {
		t.Errorf("kinds %v", kinds)
	}
	if cmp.Equal(drawWorkload(3, 0, 1_000_000), drawWorkload(4, 0, 1_000_000)) {
		t.Error("two seeds draw the same workload")
	}
}

func TestRegretOfMeasuredCosts(t *testing.T) {
	w := choose.Workload{Kind: choose.KindFilter, Keys: 1000, Work: 1e-6, Present: 0.5, LookupsPerKey: 10}.WithDefaults()
	r := regretReading{offer: choose.Offer{Candidate: choose.Candidate{Rate: 0.01, RateLo: 0.009, RateHi: 0.011}}, lookUp: 10e-9, build: 50e-9}
	// 10 ns, half of 1 % of 1 µs, a tenth of 50 ns.
	if got := r.cost(w); math.Abs(got-20e-9) > 1e-15 {
		t.Errorf("a cost of %v s, want 20 ns", got)
	}
	w.By = choose.ByTime
	if got := r.cost(w); got != 10e-9 {
		t.Errorf("a time of %v s, want 10 ns", got)
	}
	for found, want := range map[int]bool{100: true, 0: false, 200: false, 130: true} {
		if r.found, r.absent = found, 10_000; r.rateWithin() != want {
			t.Errorf("%d of 10000 found at a rate of 0.9 to 1.1 %%: within is %v", found, !want)
		}
	}
	if got := (regretRow{cost: 12, bestCost: 10}).regret(); math.Abs(got-0.2) > 1e-12 {
		t.Errorf("a regret of %v, want 0.2", got)
	}
	if got := (regretRow{cost: 9, bestCost: 10}).regret(); got != 0 {
		t.Errorf("a regret of %v for what is the best, want 0", got)
	}
	values := []float64{5, 1, 4, 2, 3}
	for q, want := range map[float64]float64{0.5: 3, 0.95: 5, 0.2: 1, 0.21: 2} {
		if got := quantile(values, q); got != want {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
}

func TestRegretSummary(t *testing.T) {
	offer := choose.Offer{Candidate: choose.Candidate{Subject: "x", Bytes: 1000, Rate: 0.01, RateLo: 0.009, RateHi: 0.011}, LookUp: choose.Estimate{Seconds: 11e-9}}
	reading := regretReading{offer: offer, lookUp: 10e-9, bytes: 1000, found: 100, absent: 10_000}
	var rows []regretRow
	for i := range 10 {
		r := regretRow{number: i, first: offer, best: "x", cost: 10, bestCost: 10, measured: reading, others: []regretReading{reading}}
		if i == 7 {
			r.best, r.cost = "y", 13
		}
		rows = append(rows, r)
	}
	rows = append(rows, regretRow{noneFits: true}, regretRow{fault: "could not be measured", first: offer})
	var b bytes.Buffer
	if err := summarizeRegret(&b, judgedSeed, rows); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{
		"10 workloads", "1 have no answer, 1 could not be measured", "nothing was tuned on",
		"regret, median 0.0 % (at most 5 %: reached)", "95th percentile 30.0 % (at most 15 %: missed)",
		"recommended one, off, median 10.0 %", "rates outside of their interval 0 of 20", "workload 7:",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, b.String())
		}
	}
	b.Reset()
	if err := writeRegret(&b, 5, rows); err != nil {
		t.Fatal(err)
	}
	if _, raw, err := record.ReadRaw(&b); err != nil || len(raw) != 10 || len(raw[0]) != len(regretHeader) || raw[7][14] != "0.3" {
		t.Errorf("%q, %v", raw, err)
	}
	if err := summarizeRegret(&b, 5, rows[10:]); err == nil {
		t.Error("nothing was measured, and that is no error")
	}
}

func TestPhaseGrid(t *testing.T) {
	keys := phaseKeys(10_000_000)
	if len(keys) != 14 || keys[0] != 1000 || !slices.IsSorted(keys) || keys[len(keys)-1] > 10_000_000 {
		t.Errorf("%v", keys)
	}
	all := works()
	if len(all) != 11 || all[0] != leastWork || math.Abs(all[10]/mostWork-1) > 1e-9 {
		t.Errorf("%v", all)
	}
	var cells []phaseCell
	for _, set := range []string{phaseStatic, phaseChanging} {
		for _, n := range keys {
			for _, w := range all {
				cells = append(cells, phaseCell{set: set, keys: n, work: w, winner: "a", cost: 1, second: "b", secondCost: 1.5, pays: w > 1e-7})
			}
		}
	}
	p := phaseFigure(record.Machine{CPU: "c"}, cells)
	if len(p.Panels) != 2 || len(p.Panels[1].X) != len(keys) || len(p.Panels[1].Cells) != len(all) || len(p.Panels[1].Cells[0]) != len(keys) {
		t.Fatalf("%d panels", len(p.Panels))
	}
	if got := p.Panels[0].Cells[10][3]; got.Winner != "a" || got.Margin != 0.5 || p.Panels[0].Cells[0][3].Winner != "" {
		t.Errorf("%+v", got)
	}
}

func TestCalibrationTable(t *testing.T) {
	c := record.Calibrated{Machine: record.Machine{L1D: 1000, L2: 10_000, MaxKeys: 50, CPU: "c"}}
	for i, bytes := range []int64{500, 900, 5_000, 50_000} {
		for j, name := range []string{"fast", "slow"} {
			c.Rows = append(c.Rows, record.Calibration{Kind: "filter", Subject: name, Epsilon: 1. / 32, Op: "miss", Bytes: bytes, Seconds: 1e-9 * float64(10*i+j+1), Keys: 10 * (i + 2)})
		}
	}
	c.Rows = append(c.Rows, record.Calibration{Kind: "filter", Subject: "torn", Err: "it broke", Keys: 9, Seconds: math.NaN()})
	var b bytes.Buffer
	if err := writeCalibration(&b, c, "folder"); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if !strings.Contains(text, "not timed: torn at 9 keys: it broke") || !strings.Contains(text, "8 times") || strings.Index(text, "fast") > strings.Index(text, "slow") {
		t.Error(text)
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "fast") {
			if got := strings.Join(strings.FieldsFunc(line, func(r rune) bool { return r == '│' || r == ' ' }), " "); got != "fast 11.0 21.0 31.0" {
				t.Errorf("%q: the largest of each level is wanted", got)
			}
		}
	}
}
