package choose

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/record"
)

// recorded is a market of seven subjects at 40 000 keys: candidates as the catalogue
// built them, times as one machine had them up to 50 000 keys, and judgements of the
// committed results.
func recorded(t *testing.T) *Market {
	t.Helper()
	open := func(name string) *os.File {
		f, err := os.Open(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	m := &Market{}
	if err := json.NewDecoder(open("candidates.json")).Decode(&m.Candidates); err != nil {
		t.Fatal(err)
	}
	times, err := record.ReadCalibrations(open("calibration.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := record.ReadSummaries(open("summary.csv"))
	if err != nil {
		t.Fatal(err)
	}
	m.Clock, m.Evidence = NewClock(record.Calibrated{Rows: times}), NewEvidence(rows)
	return m
}

// ranking is the order of an answer, with what breaks a promise after a bar.
func ranking(a Answer) string {
	var b strings.Builder
	barred := false
	for i, o := range a.Offers {
		if o.Verdicts.Broken > 0 && !barred {
			barred = true
			b.WriteString(" |")
		}
		if i > 0 || barred {
			b.WriteString(" ")
		}
		b.WriteString(o.Subject)
	}
	return b.String()
}

func TestRecorded(t *testing.T) {
	m := recorded(t)
	for name, c := range map[string]struct {
		w    Workload
		want string
	}{
		"time at 0.1 %": {Workload{Rate: 0.001}, "splitblock bloom cuckoo holiman-bloom bits-and-blooms"},
		// At 10 % two libraries round the number of probes, and break what they were asked for; at 1 % they do not.
		"time at 10 %":  {Workload{Rate: 0.1}, "splitblock bloom | holiman-bloom bits-and-blooms"},
		"memory at 1 %": {Workload{Rate: 0.01, By: ByMemory}, "bloom holiman-bloom bits-and-blooms cuckoo splitblock"},
		"static at 1 %": {Workload{Rate: 0.01, Needs: []string{NeedStatic}}, "splitblock fuse3-8 bloom cuckoo holiman-bloom bits-and-blooms"},
		// The library that deletes too has 13 bits a key, more than twice the bound.
		"deletes at 4 %": {Workload{Rate: 0.04, Needs: []string{NeedDelete}}, "cuckoo"},
		// One library's union is not the filter of the union.
		"merges": {Workload{Rate: 0.01, Needs: []string{NeedMerge}, By: ByMemory}, "bloom bits-and-blooms splitblock | holiman-bloom"},
		// One library reads damaged bytes and loses keys in silence.
		"stored":        {Workload{Rate: 0.01, Needs: []string{NeedSerialize}, By: ByMemory}, "bloom holiman-bloom cuckoo splitblock | bits-and-blooms"},
		"rate in 50 kB": {Workload{Memory: 50_000}, "bloom holiman-bloom bits-and-blooms cuckoo splitblock"},
		// One library loses keys that it accepted: below, whatever it costs.
		"cost of 10 us": {Workload{Work: 10e-6, Present: 0.2}, "splitblock cuckoo bloom holiman-bloom bits-and-blooms | seiflotfy-cuckoo"},
		"byte strings":  {Workload{Rate: 0.01, KeyBytes: 16}, "splitblock bloom cuckoo holiman-bloom bits-and-blooms"},
		"libraries":     {Workload{Rate: 0.01, Needs: []string{NeedLibrary}, By: ByMemory}, "holiman-bloom bits-and-blooms"},
	} {
		c.w.Kind, c.w.Keys = KindFilter, 40_000
		a, err := m.Choose(c.w)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := ranking(a); got != c.want {
			t.Errorf("%s: %s; want %s", name, got, c.want)
		}
	}
}
