package adapters

import (
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/sketchtest"
)

// optionsOf is a subject as the kit takes it, with what is known of its library.
func optionsOf[S, Spec any](s sketchproof.Subject[S, Spec], known map[string]map[string]string) sketchtest.Options[S, Spec] {
	return sketchtest.Options[S, Spec]{
		Merge: s.Merge, Encode: s.Encode, Decode: s.Decode, Forms: s.Forms, Keyed: s.Keyed, Laws: s.Laws, Known: known[s.Name],
	}
}

var knownOfCardinalities = map[string]map[string]string{}

func TestCardinalitiesKeepTheirPromises(t *testing.T) {
	for _, s := range Cardinalities {
		t.Run(s.Name, func(t *testing.T) {
			sketchtest.Cardinality(t, s.Build, optionsOf(s, knownOfCardinalities))
		})
	}
}

var knownOfFrequencies = map[string]map[string]string{}

func TestFrequenciesKeepTheirPromises(t *testing.T) {
	for _, s := range Frequencies {
		t.Run(s.Name, func(t *testing.T) {
			sketchtest.Frequency(t, s.Build, optionsOf(s, knownOfFrequencies))
		})
	}
}

var knownOfTopKs = map[string]map[string]string{}

func TestTopKsKeepTheirPromises(t *testing.T) {
	for _, s := range TopKs {
		t.Run(s.Name, func(t *testing.T) {
			sketchtest.TopK(t, s.Build, optionsOf(s, knownOfTopKs))
		})
	}
}

var knownOfSignatures = map[string]map[string]string{}

func TestSignaturesKeepTheirPromises(t *testing.T) {
	for _, s := range Signatures {
		t.Run(s.Name, func(t *testing.T) {
			sketchtest.Signature(t, s.Build, optionsOf(s, knownOfSignatures))
		})
	}
}

var knownOfSamplers = map[string]map[string]string{}

func TestSamplersKeepTheirPromises(t *testing.T) {
	for _, s := range Samplers {
		t.Run(s.Name, func(t *testing.T) {
			sketchtest.Sampler(t, s.Build, optionsOf(s, knownOfSamplers))
		})
	}
}

var knownOfPlacers = map[string]map[string]string{}

func TestPlacersKeepTheirPromises(t *testing.T) {
	for _, s := range Placers {
		t.Run(s.Name, func(t *testing.T) {
			sketchtest.Placer(t, s.Build, optionsOf(s, knownOfPlacers))
		})
	}
}
