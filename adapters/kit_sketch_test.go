package adapters

import (
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/sketchtest"
)

// eachPromise puts subjects on trial by the general checks of their kind. Our own
// are left to -short and to the league, which asks them all: they take a minute.
func eachPromise[S, Spec any](
	t *testing.T, subjects []sketchproof.Subject[S, Spec],
	kit func(t testing.TB, build func(Spec) (S, error), o sketchtest.Options[S, Spec]),
) {
	t.Helper()
	for _, s := range subjects {
		t.Run(s.Name, func(t *testing.T) {
			if s.Module == "" && !testing.Short() {
				t.Skip("asked with -short, and by the league")
			}
			kit(t, s.Build, sketchtest.Options[S, Spec]{
				Merge: s.Merge, Encode: s.Encode, Decode: s.Decode, Forms: s.Forms, Keyed: s.Keyed, Forgets: s.Forgets, Laws: s.Laws, Known: knownOfSketches[s.Name],
			})
		})
	}
}

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

// knownOfSketches are the cases in which libraries are known to fail, by subject,
// each with the reason.
var knownOfSketches = map[string]map[string]string{
	"boom-hll": {
		"check=shape":            "FNV-1 of 32 bits leaves the first bits, which choose a register, to the first bytes of a key",
		"check=bias/p=10/n=2560": "the estimator of 2007 is biased where it goes from linear counting to registers, at 2.5 keys a register",
	},
	"boom-countmin": {
		"check=large-weights": "a count passes through a float64, which has 53 bits",
		"check=rows":          "the columns of a key are h1 + row·h2 mod width: two keys share all with a chance of w^-2 at any depth",
	},
	"boom-minhash": {
		"check=bias":         bagsOfKeys,
		"check=spread":       bagsOfKeys,
		"check=disjoint":     bagsOfKeys,
		"check=symmetric":    "it draws anew at each question",
		"check=shared-state": "it draws anew at each question",
		"check=refusals":     "it is a function of two bags, without a K that could differ",
	},
	"minhash-lsh": {
		"check=spread/shape=big-endian": "FNV-1a leaves the first bits of a hash, which tell the least one, nearly untouched by the last byte of a key",
	},
	"retailnext-hllpp": {
		"check=merge/of=order": "which form a merger takes follows the order, and the forms of one set differ by a little more than a standard error",
	},
	"go-rendezvous": {
		"check=refusals":          "Remove reads beyond its last node, and panics",
		"check=remove-undoes-add": "Remove reads beyond its last node, and panics",
	},
}

const bagsOfKeys = "all its hashes are 0, and each bag numbers keys in its own random order of a map: sets of one size without a common key come to 1/2"
