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
