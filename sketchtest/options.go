package sketchtest

import (
	"slices"

	"github.com/sketchproof/sketchproof"
)

// Options say what else a structure has besides being built. The zero value asks
// all that needs nothing more.
type Options[S, Spec any] struct {
	// Merge, Encode, Decode, Forms, Keyed, Forgets and Laws are those of a
	// [sketchproof.Subject]. Without a law, the promise of the specification is the
	// law, as the rate that a filter was asked for.
	Merge   func(dst, src S) error
	Encode  func(S) ([]byte, error)
	Decode  func([]byte) (S, error)
	Forms   []sketchproof.Form[S]
	Keyed   bool
	Forgets bool
	Laws    []sketchproof.Law[S, Spec]
	// Promises are what the documentation says. With any, readers side by side are
	// asked for only where it promises them.
	Promises []sketchproof.Promise
	// Only are the properties to ask for; none means all.
	Only []sketchproof.Property
	// Brief asks as little as a test run with -short does.
	Brief bool
	// Seed is the root of all seeds.
	Seed uint64
	// FalseAlarm is the chance that the call fails a structure that keeps all its
	// promises; 0 means 1e-6.
	FalseAlarm float64
	// Known maps cases that are known to fail to the reason, by a case's name or the
	// first labels of it. They are reported, and fail the test only when none of an
	// entry's cases fails any more.
	Known map[string]string
}

// subject is what the checks are asked of.
func (o Options[S, Spec]) subject(build func(Spec) (S, error)) sketchproof.Subject[S, Spec] {
	return sketchproof.Subject[S, Spec]{
		Build: build, Keyed: o.Keyed, Forgets: o.Forgets, Merge: o.Merge, Encode: o.Encode, Decode: o.Decode, Forms: o.Forms, Promises: o.Promises, Laws: o.Laws,
	}
}

// effort is what is asked for, by the options and by the test run.
func (o Options[S, Spec]) effort() Effort {
	if o.Brief {
		return Short
	}
	return effort()
}

// wanted are the cases of the properties that are asked for.
func (o Options[S, Spec]) wanted(cases []Case) []Case {
	if len(o.Only) == 0 {
		return cases
	}
	return slices.DeleteFunc(cases, func(c Case) bool { return !slices.Contains(o.Only, c.Of) })
}

// The options of each kind of structure.
type (
	// FilterOptions are those of Filter.
	FilterOptions = Options[sketchproof.Filter, sketchproof.FilterSpec]
	// CardinalityOptions are those of Cardinality.
	CardinalityOptions = Options[sketchproof.Cardinality, sketchproof.CardinalitySpec]
	// FrequencyOptions are those of Frequency.
	FrequencyOptions = Options[sketchproof.Frequency, sketchproof.FrequencySpec]
	// TopKOptions are those of TopK.
	TopKOptions = Options[sketchproof.TopK, sketchproof.TopKSpec]
	// SignatureOptions are those of Signature.
	SignatureOptions = Options[sketchproof.Signature, sketchproof.SignatureSpec]
	// SamplerOptions are those of Sampler.
	SamplerOptions = Options[sketchproof.Sampler, sketchproof.SamplerSpec]
	// PlacerOptions are those of Placer.
	PlacerOptions = Options[sketchproof.Placer, sketchproof.PlacerSpec]
)
