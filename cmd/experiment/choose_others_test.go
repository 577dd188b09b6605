package main

import (
	"math"
	"testing"

	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/choose"
)

// Of a billion keys every estimate errs as k keys drawn with replacement do, or more:
// √(J(1-J)/k), one half at the most. Of few keys the smallest k are all of them.
func TestSimilarityGoesByTheSizeOfTheSets(t *testing.T) {
	large := similarityQuest().mustCandidates(t, choose.Workload{Kind: choose.KindSignature, Keys: 1_000_000_000, Rate: 0.01})
	if len(large) != len(adapters.SimilarityEstimates) {
		t.Errorf("%d candidates of a billion keys, want one for each of %d estimates", len(large), len(adapters.SimilarityEstimates))
	}
	for _, c := range large {
		if least := 0.5 / math.Sqrt(c.Asked); c.Rate < least*(1-1e-3) || c.Rate > 0.01 {
			t.Errorf("%s, %s: an error of %v, not from %v to 0.01", c.Subject, c.Parameters, c.Rate, least)
		}
	}
	// Many values are judged by fewer at as many keys a value: the law itself agrees.
	for _, e := range adapters.SimilarityEstimates {
		const k, union = 4000, 40_000
		want := 0.0
		for tenth := 1; tenth < 10; tenth++ {
			want = math.Max(want, math.Sqrt(e.Law.Variance(union*tenth/10, union, k)))
		}
		if got := worstSimilarity(e, union, k); math.Abs(got/want-1) > 1e-3 {
			t.Errorf("%s: %v for %d values of %d keys, the law says %v", e.Law.Name, got, k, union, want)
		}
	}
}

func (q quest) mustCandidates(t *testing.T, w choose.Workload) []choose.Candidate {
	t.Helper()
	all, err := q.candidates(w)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
