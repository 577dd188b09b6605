package adapters

import (
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/sketchtest"
)

// The kit's tests hold every subject to what it promises: our own to all that is
// asked of a kind, a library to what its documentation says. What it does not
// promise is measured by the league, which asks everybody for everything. -short
// asks for readers side by side alone: under the race detector the rest takes long
// and shows nothing more.

// eachPromise puts the subjects of a kind on trial.
func eachPromise[S, Spec any](
	t *testing.T, subjects []sketchproof.Subject[S, Spec],
	kit func(t testing.TB, build func(Spec) (S, error), o sketchtest.Options[S, Spec]),
) {
	t.Helper()
	for _, s := range subjects {
		t.Run(s.Name, func(t *testing.T) {
			o := sketchtest.Options[S, Spec]{
				Merge: s.Merge, Encode: s.Encode, Decode: s.Decode, Forms: s.Forms, Keyed: s.Keyed, Forgets: s.Forgets, Promises: s.Promises, Laws: s.Laws,
				Known: known[s.Name], Brief: true,
			}
			for _, p := range s.Promises {
				o.Only = append(o.Only, p.Of)
			}
			if s.Module != "" && len(o.Only) == 0 {
				t.Skip("its documentation promises nothing that is asked for here")
			}
			if testing.Short() {
				o.Only = []sketchproof.Property{sketchproof.Concurrency}
			}
			kit(t, s.Build, o)
		})
	}
}

func TestFiltersKeepTheirPromises(t *testing.T) { eachPromise(t, AllFilters(), sketchtest.Filter) }

func TestCardinalitiesKeepTheirPromises(t *testing.T) {
	eachPromise(t, AllCardinalities(), sketchtest.Cardinality)
}

func TestFrequenciesKeepTheirPromises(t *testing.T) {
	eachPromise(t, Frequencies, sketchtest.Frequency)
}

func TestTopKsKeepTheirPromises(t *testing.T) { eachPromise(t, AllTopKs(), sketchtest.TopK) }

func TestSignaturesKeepTheirPromises(t *testing.T) {
	eachPromise(t, AllSignatures(), sketchtest.Signature)
}

func TestSamplersKeepTheirPromises(t *testing.T) {
	eachPromise(t, AllSamplers(), sketchtest.Sampler)
}

func TestPlacersKeepTheirPromises(t *testing.T) { eachPromise(t, AllPlacers(), sketchtest.Placer) }
