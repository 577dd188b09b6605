package placement

import (
	"math"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func mustRendezvous(t testing.TB, nodes ...string) *Rendezvous {
	t.Helper()
	r, err := NewRendezvous(hashing.XX(3))
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range nodes {
		if err := r.Add(node); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// Nodes that draw the same scores are told apart by their names.
func TestRendezvousEqualScores(t *testing.T) {
	for _, weight := range []float64{1, 2} { // of all, and of all but one
		r := mustRendezvous(t, "B", "A", "C")
		for i := range r.nodes {
			r.nodes[i].hash = 5
		}
		r.nodes[2].weight = weight
		r.set(r.nodes)
		for key := range uint64(100) {
			want := "A"
			if weight > 1 {
				want = "C" // the higher weight has the higher score
			}
			if got, err := r.Owner(key); got != want || err != nil {
				t.Errorf("weight %v: key %d belongs to %q, %v", weight, key, got, err)
			}
		}
	}
}

func TestRendezvousRefusesWeights(t *testing.T) {
	r := mustRendezvous(t, "A")
	for _, w := range []float64{0, -1, math.NaN(), math.Inf(1), 1e101, 1e-101} {
		if err := r.AddWeighted("B", w); err == nil || r.Len() != 1 {
			t.Errorf("weight %v: %v", w, err)
		}
	}
	for _, w := range []float64{MinWeight, MaxWeight} {
		c := r.Clone()
		if err := c.AddWeighted("B", w); err != nil || c.Weight("B") != w || r.Len() != 1 || c.Weight("C") != 0 {
			t.Errorf("weight %v: %v", w, err)
		}
		if _, err := c.Owner(1); err != nil {
			t.Error(err)
		}
	}
}

// A node takes its part of all weights, and a key moves only to a node whose
// weight grew.
func TestRendezvousWeights(t *testing.T) {
	const keys = 40000
	r, s := mustRendezvous(t, "A", "B"), mustRendezvous(t, "A", "B")
	for node, w := range map[string]float64{"C": 2.5, "D": 0.5} {
		if err := r.AddWeighted(node, w); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.AddWeighted("D", 0.5); err != nil {
		t.Fatal(err)
	}
	load := map[string]float64{}
	for key := range uint64(keys) {
		with, err := r.Owner(key)
		without, err2 := s.Owner(key)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if with != without && with != "C" {
			t.Fatalf("key %d moved from %s to %s", key, without, with)
		}
		load[with]++
	}
	for node, p := range map[string]float64{"A": 0.2, "B": 0.2, "C": 0.5, "D": 0.1} {
		if sd := math.Sqrt(keys * p * (1 - p)); math.Abs(load[node]-keys*p) > 6*sd { // binomial
			t.Errorf("%s has %v of %d keys, want %v", node, load[node], keys, keys*p)
		}
	}
}

// The integer comparison that equal weights allow is that of the scores.
func TestRendezvousEvenAndUnevenAgree(t *testing.T) {
	r := mustRendezvous(t, "A", "B", "C", "D", "E")
	u := r.Clone()
	if err := u.AddWeighted("tiny", MinWeight); err != nil || !u.uneven || r.uneven {
		t.Fatal(err)
	}
	for key := range uint64(20000) {
		a, _ := r.Owner(key)
		if b, _ := u.Owner(key); a != b {
			t.Fatalf("key %d belongs to %s or %s", key, a, b)
		}
	}
}
