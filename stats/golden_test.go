package stats

import (
	"encoding/json"
	"os"
	"testing"
)

type goldenRow struct {
	Formula string
	Args    map[string]float64
	Value   json.RawMessage
}

// The reference values were computed apart with 60 digits; 1e-9 is what the
// doubles of both sides must share.
func TestGoldenValues(t *testing.T) {
	data, err := os.ReadFile("testdata/formulas.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Rows []goldenRow }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	compute := map[string]func(a map[string]float64) []float64{
		"ci.clopper_pearson": func(a map[string]float64) []float64 {
			iv := ClopperPearson(int64(a["x"]), int64(a["n"]), a["conf"])
			return []float64{iv.Lo, iv.Hi}
		},
		"cs.beta_mixture": func(a map[string]float64) []float64 {
			iv := BetaMixture(a["x"], a["n"], a["alpha"], a["a"], a["b"])
			return []float64{iv.Lo, iv.Hi}
		},
		"cs.asymptotic_halfwidth": func(a map[string]float64) []float64 {
			return []float64{AsymptoticHalfwidth(a["sd"], int(a["t"]), a["rho"], a["alpha"])}
		},
	}
	seen := map[string]int{}
	for _, row := range file.Rows {
		f, ok := compute[row.Formula]
		if !ok {
			continue // a law of some structure, tested beside it
		}
		seen[row.Formula]++
		got, want := f(row.Args), row.values(t)
		if len(got) != len(want) {
			t.Fatalf("%s%v: %d values, want %d", row.Formula, row.Args, len(got), len(want))
		}
		for i := range want {
			if !near(got[i], want[i], 1e-9) {
				t.Errorf("%s%v: value %d is %.17g, want %.17g", row.Formula, row.Args, i, got[i], want[i])
			}
		}
	}
	for name := range compute {
		if seen[name] == 0 {
			t.Errorf("no row of %s in the file", name)
		}
	}
}

// values reads one number or a pair.
func (r goldenRow) values(t *testing.T) []float64 {
	var many []float64
	if json.Unmarshal(r.Value, &many) == nil {
		return many
	}
	var one float64
	if err := json.Unmarshal(r.Value, &one); err != nil {
		t.Fatal(err)
	}
	return []float64{one}
}
