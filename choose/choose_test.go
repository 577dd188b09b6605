package choose

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// row is a time of a subject in nanoseconds, give or take a tenth.
func row(subject, op string, eps float64, bytes int64, ns float64) record.Calibration {
	s := ns * 1e-9
	return record.Calibration{Kind: KindFilter, Subject: subject, Epsilon: eps, Bytes: bytes, Op: op, Seconds: s, Lo: s * 0.9, Hi: s * 1.1}
}

// candidate is one that takes keys later, of bits per key at a rate.
func candidate(subject string, keys int, bits, rate float64) Candidate {
	return Candidate{
		Subject: subject, Asked: rate, Keys: keys, Built: keys, Bytes: int64(float64(keys) * bits / 8), Rate: rate, RateLo: rate, RateHi: rate,
		Powers: Powers{Add: true},
	}
}

// smallMarket has a filter that is fast and large, one that is slow and small, and
// an exact set: fast errs on 1 % in 10 bits, slow in 8, or 0.1 % in 15 and 12.
func smallMarket() *Market {
	const n = 1000
	m := &Market{Clock: NewClock(record.Calibrated{Rows: []record.Calibration{
		row("fast", "hit", 0.01, 1000, 10), row("fast", "miss", 0.01, 1000, 10), row("fast", "add", 0.01, 1000, 20),
		row("slow", "hit", 0.01, 1000, 30), row("slow", "miss", 0.01, 1000, 30), row("slow", "add", 0.01, 1000, 20),
		row("exact", "hit", 0.01, 1000, 100), row("exact", "miss", 0.01, 1000, 100), row("exact", "add", 0.01, 1000, 50),
	}})}
	exact := candidate("exact", n, 128, 0)
	exact.Asked, exact.Powers.Remove = 0.01, true
	m.Candidates = []Candidate{
		candidate("fast", n, 10, 0.01), candidate("fast", n, 15, 0.001),
		candidate("slow", n, 8, 0.01), candidate("slow", n, 12, 0.001), exact,
	}
	return m
}

func TestChoose(t *testing.T) {
	for name, c := range map[string]struct {
		w     Workload
		first string
		bytes int64
		cost  float64 // ns
	}{
		// 10 + 0.01·100 against 10 + 0.001·100: what errs less.
		"cost": {Workload{Work: 100e-9}, "fast", 1875, 10.1},
		// The work is so dear that what never errs wins: 100 against 10 + 0.001·200 us.
		"dear": {Workload{Work: 200e-6}, "exact", 16000, 100},
		// Half of the look-ups find their key, and cost no work that could be saved.
		"present": {Workload{Work: 100e-9, Present: 0.5}, "fast", 1875, 10.05},
		// 10 bits are too many: the slow one, at 1 % in 8 or 0.1 % in 12.
		"memory":       {Workload{Work: 1e-9, Memory: 1100}, "slow", 1000, 30.01},
		"least memory": {Workload{Rate: 0.01, By: ByMemory}, "slow", 1000, 30},
		"least rate":   {Workload{Memory: 1500}, "slow", 1500, 30},
		// A build of 20 ns a key, looked up once in its life.
		"build":  {Workload{Rate: 0.01, LookupsPerKey: 1}, "fast", 1250, 30},
		"delete": {Workload{Rate: 0.01, Needs: []string{NeedDelete}}, "exact", 16000, 100},
	} {
		c.w.Kind, c.w.Keys = KindFilter, 1000
		a, err := smallMarket().Choose(c.w)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := a.Offers[0]
		if got.Subject != c.first || got.Bytes != c.bytes || math.Abs(got.Cost.Seconds*1e9-c.cost) > 1e-6 {
			t.Errorf("%s: %s, %d bytes, %.4f ns; want %s, %d, %.4f", name, got.Subject, got.Bytes, got.Cost.Seconds*1e9, c.first, c.bytes, c.cost)
		}
	}
}

// Lang et al. 2019: a filter helps only if t < (1-σ)(1-ε) t_work.
func TestAFilterPays(t *testing.T) {
	w := Workload{Kind: KindFilter, Keys: 1000, Rate: 0.01, Present: 0.5, By: ByCost}
	for work, want := range map[float64]bool{20e-9: false, 20.1e-9: true} {
		w.Work = work
		m := smallMarket()
		m.Candidates = m.Candidates[1:2] // fast at 0.1 %: pays from 10/(0.5·0.999) = 20.02 ns on
		a, err := m.Choose(w)
		if err != nil {
			t.Fatal(err)
		}
		if a.Pays.Pays != want || math.Abs(a.Pays.Least*1e9-10/(0.5*0.999)) > 1e-9 {
			t.Errorf("work of %v: %+v", work, a.Pays)
		}
		if d := a.Pays.Without - a.Pays.With.Seconds - a.Pays.Saved.Seconds; math.Abs(d) > 1e-18 || a.Pays.Saved.Seconds > 0 != want {
			t.Errorf("work of %v: what is saved does not add up: %+v", work, a.Pays)
		}
	}
}

func judged(subject, cell, metric, law string, v stats.Verdict) record.Summary {
	return record.Summary{Cell: cell, Subject: subject, Metric: metric, Law: law, Estimate: 0.5, Lo: 0.4, Hi: 0.6, AllowedHi: 0.1, Verdict: v}
}

func TestWhatBreaksAPromiseStandsBelow(t *testing.T) {
	w := Workload{Kind: KindFilter, Keys: 1000, Rate: 0.01, By: ByTime}
	const lost = "false-negatives/present"
	for name, c := range map[string]struct {
		row  record.Summary
		need string
		last bool
	}{
		"loses keys":         {judged("fast", "a/b/subject=fast", lost, "no-false-negatives", stats.Broken), "", true},
		"panics":             {judged("fast", "a/b/subject=fast", "faults", record.FaultLaw, stats.Broken), "", true},
		"undecided":          {judged("fast", "a/b/subject=fast", lost, "no-false-negatives", stats.Undecided), "", false},
		"another subject":    {judged("other", "a/b/subject=other", lost, "no-false-negatives", stats.Broken), "", false},
		"rate":               {judged("fast", "a/b/subject=fast/n=10000/eps=0.01", "false-positives/absent", "promise", stats.Broken), "", true},
		"rate, far":          {judged("fast", "a/b/subject=fast/n=10000/eps=0.5", "false-positives/absent", "promise", stats.Broken), "", false},
		"rate, tiny":         {judged("fast", "a/b/subject=fast/n=10/eps=0.01", "false-positives/absent", "promise", stats.Broken), "", false},
		"another rule":       {judged("fast", "a/b/subject=fast/rule=floor/n=10000/eps=0.01", "false-positives/absent", "promise", stats.Broken), "", false},
		"merge, not needed":  {judged("fast", "bloom/union/subject=fast", "x", "union.equal", stats.Broken), "", false},
		"printed, no matter": {judged("fast", "bloom/fpr-exact/subject=fast", "false-positives/absent", "bloom.classic", stats.Broken), "", false},
	} {
		m := smallMarket()
		m.Evidence = NewEvidence([]record.Summary{c.row})
		w.Needs = nil
		a, err := m.Choose(w)
		if err != nil {
			t.Fatal(err)
		}
		if last := a.Offers[len(a.Offers)-1].Subject == "fast"; last != c.last {
			t.Errorf("%s: last is %s", name, a.Offers[len(a.Offers)-1].Subject)
		}
		if c.last && (len(a.Offers[len(a.Offers)-1].Verdicts.Breaches) != 1 || a.Offers[0].Subject != "slow") {
			t.Errorf("%s: %+v", name, a.Offers)
		}
	}
}

func TestPromisesOfNeeds(t *testing.T) {
	m := smallMarket()
	for i := range m.Candidates {
		m.Candidates[i].Powers = Powers{Add: true, Merge: true, Serialize: true, Remove: true, Keyed: true}
	}
	for need, row := range map[string]record.Summary{
		NeedMerge:     judged("fast", "bloom/union/subject=fast", "x", "union.equal", stats.Broken),
		NeedSerialize: judged("fast", "bloom/serial/subject=fast", "x", "serial.no-silent-loss", stats.Broken),
		NeedDelete:    judged("fast", "cuckoo/delete/subject=fast", "x", "cuckoo.delete", stats.Broken),
		NeedAdversary: judged("fast", "bloom/salt/subject=fast", "x", "forged.key", stats.Broken),
	} {
		m.Evidence = NewEvidence([]record.Summary{row})
		a, err := m.Choose(Workload{Kind: KindFilter, Keys: 1000, Rate: 0.01, By: ByTime, Needs: []string{need}})
		if err != nil || a.Offers[0].Subject == "fast" {
			t.Errorf("%s: %v, %+v", need, err, a.Offers)
		}
	}
	// Concurrency is told by no interface: only who was seen to keep it has it.
	m.Evidence = NewEvidence([]record.Summary{judged("slow", "bloom/hot-swap/subject=slow", "x", "rotating.no-miss", stats.Holds)})
	a, err := m.Choose(Workload{Kind: KindFilter, Keys: 1000, Rate: 0.01, By: ByTime, Needs: []string{NeedConcurrent}})
	if err != nil || len(a.Offers) != 1 || a.Offers[0].Subject != "slow" {
		t.Errorf("concurrent: %v, %+v", err, a.Offers)
	}
}

func TestNonsenseIsRefused(t *testing.T) {
	good := Workload{Kind: KindFilter, Keys: 1_000_000, Rate: 0.01}
	for want, change := range map[string]func(*Workload){
		"number of keys is missing":       func(w *Workload) { w.Keys = 0 },
		"nothing limits the choice":       func(w *Workload) { w.Rate = 0 },
		"a rate of 2":                     func(w *Workload) { w.Rate = 2 },
		"n log2(1/rate) bits are 811 KiB": func(w *Workload) { w.Memory = 800 << 10 }, // 10^6·6.6439/8 = 830 482
		"--static says":                   func(w *Workload) { w.Needs = []string{NeedStatic, NeedDelete} },
		"needs the work":                  func(w *Workload) { w.By = ByCost },
		"no filter ever saves":            func(w *Workload) { w.Present, w.Work = 1, 1 },
		"NaN look-ups per key":            func(w *Workload) { w.LookupsPerKey = math.NaN() },
		"+Inf look-ups per key":           func(w *Workload) { w.LookupsPerKey = math.Inf(1) },
		"a share is 0 to 1":               func(w *Workload) { w.Present = 1.5 },
		"cannot be made least":            func(w *Workload) { w.By = "luck" },
		`"speed" is no need`:              func(w *Workload) { w.Needs = []string{"speed"} },
	} {
		w := good
		change(&w)
		if _, err := smallMarket().Choose(w); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestNoneSaysWhichNeedExcludesWhich(t *testing.T) {
	_, err := smallMarket().Choose(Workload{Kind: KindFilter, Keys: 1000, Rate: 0.01, Needs: []string{NeedDelete, NeedMerge}})
	none, ok := errors.AsType[*NoneError](err)
	if !ok {
		t.Fatal(err)
	}
	for _, x := range none.Excluded {
		want := map[string][]string{NeedDelete: {"fast", "slow"}, NeedMerge: {"fast", "slow", "exact"}}[x.Need]
		if !slices.Equal(x.Subjects, want) {
			t.Errorf("%s excludes %q, want %q", x.Need, x.Subjects, want)
		}
	}
	if !strings.Contains(err.Error(), "--merge: does not merge: fast, slow, exact") {
		t.Error(err)
	}
}

// Programs read a list, if none is out.
func TestNoExclusionIsAnEmptyList(t *testing.T) {
	m := smallMarket()
	m.Candidates = m.Candidates[:1]
	a, err := m.Choose(Workload{Kind: KindFilter, Keys: 1_000_000, Rate: 0.5, Memory: 1 << 40})
	if err != nil || a.Excluded == nil || len(a.Excluded) > 0 {
		t.Errorf("%v, %v", a.Excluded, err)
	}
}

// A calibration of more keys times larger filters, and no larger sketches.
func TestOnlyFiltersAreTimedLarger(t *testing.T) {
	for kind, want := range map[string]bool{KindFilter: true, KindCardinality: false} {
		a := Answer{Workload: Workload{Kind: kind}}
		a.note(Offer{Timed: true, Cost: Estimate{Seconds: 1, Beyond: true}})
		if len(a.Notes) != 1 || strings.Contains(a.Notes[0], "--max-keys") != want {
			t.Errorf("%s: %q", kind, a.Notes)
		}
	}
}

// At a work of 100 us exact and fast (10 ns + 0.001·100 us = 110 ns) nearly meet: exact
// wins by more than the margin from 105 us or so on, which the steps of √2 reach next.
func TestChanges(t *testing.T) {
	a, err := smallMarket().Choose(Workload{Kind: KindFilter, Keys: 1000, Work: 80e-6})
	if err != nil {
		t.Fatal(err)
	}
	if a.Offers[0].Subject != "fast" {
		t.Fatalf("first is %s", a.Offers[0].Subject)
	}
	i := slices.IndexFunc(a.Changes, func(c Change) bool { return c.Along == "cost" })
	if i < 0 {
		t.Fatalf("no change along cost: %+v", a.Changes)
	}
	c := a.Changes[i]
	// 10 + 0.001·113.1 us = 123.1 ns against 100: a gain of 18.8 %.
	if c.Winner != "exact" || math.Abs(c.To-80e-6*math.Sqrt2) > 1e-12 || math.Abs(c.Gain-(1-100/(10+0.08*math.Sqrt2*1000))) > 1e-9 {
		t.Errorf("%+v", c)
	}
}

// Where only a rate is asked for, what takes more than twice the bound is left out:
// 10^3 keys at 1 % need 830.5 bytes, so that 15 bits a key stay and 128 do not.
func TestMemoryIsNotFree(t *testing.T) {
	m := smallMarket()
	for i := range m.Candidates {
		m.Candidates[i].Powers.Remove = true
	}
	w := Workload{Kind: KindFilter, Keys: 1000, Rate: 0.01}
	a, err := m.Choose(w)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range a.Offers {
		if o.Subject == "exact" {
			t.Error("16 000 bytes pass for less than 1661")
		}
	}
	if len(a.Notes) == 0 || !strings.Contains(a.Notes[0], "1.62 KiB") || a.Workload.Memory != 0 {
		t.Errorf("nothing says so: %q, %+v", a.Notes, a.Workload)
	}
	for _, c := range a.Changes {
		if c.Along == "memory" {
			t.Errorf("a limit that nobody named changes: %+v", c)
		}
	}
	m.Candidates = m.Candidates[4:] // unless there is nothing else
	if a, err = m.Choose(w); err != nil || a.Offers[0].Subject != "exact" || !strings.Contains(a.Notes[0], "no matter") {
		t.Errorf("%v, %+v", err, a.Offers)
	}
}

func TestFrontIsWhatNothingBeats(t *testing.T) {
	a, err := smallMarket().Choose(Workload{Kind: KindFilter, Keys: 1000, Rate: 0.01, Memory: 20000, By: ByTime})
	if err != nil {
		t.Fatal(err)
	}
	front := map[string]bool{}
	for _, o := range a.Offers {
		front[o.Subject] = o.Front
	}
	if !front["fast"] || !front["slow"] || front["exact"] {
		t.Errorf("%v", front)
	}
}

func TestDoubledScalesMemoryAlone(t *testing.T) {
	c := candidate("x", 1000, 10, 0.01)
	if d := c.doubled(3); d.Keys != 8000 || d.Bytes != 8*c.Bytes || d.Rate != c.Rate {
		t.Errorf("%+v", d)
	}
	if d := c.doubled(-1); d.Keys != 500 || d.Bytes != c.Bytes/2 {
		t.Errorf("%+v", d)
	}
}
