package sketchproof

import "github.com/sketchproof/sketchproof/stats"

// A Subject is one way to build a structure, and what is promised of it.
type Subject[S, Spec any] struct {
	// Name is how people call it, and its name in every cell, file and legend.
	Name string
	// Module is the path of the Go module it comes from, "" for our own.
	Module string
	// Build makes the structure, holding the Spec's keys if it has any. It
	// refuses a Spec out of range with an error that says what is allowed.
	Build func(Spec) (S, error)
	// Keyed says that Build takes a Spec's Secret: who knows the code, but not the
	// key, cannot choose keys that collide.
	Keyed bool
	// Unseeded says that it draws randomness that no seed reaches, neither the
	// Spec's nor that of math/rand: what it shows cannot be shown again exactly.
	Unseeded bool
	// Forgets says that it loses keys by design: a filter that ages and promises no
	// membership, a reservoir that starts anew when it is read. What it was given
	// is then no fault to miss.
	Forgets bool
	// Merge makes dst answer for the keys of src too, and leaves src as it was.
	// nil where the library has no such thing.
	Merge func(dst, src S) error
	// Encode and Decode are the library's own serialized form, nil where it has
	// none.
	Encode func(S) ([]byte, error)
	Decode func([]byte) (S, error)
	// Forms are all other ways of the library to write and to read it.
	Forms []Form[S]
	// Promises are what the library's documentation says of it.
	Promises []Promise
	// Laws are the formulas that the structure must keep.
	Laws []Law[S, Spec]
}

// A Law is a formula for something that can be measured.
type Law[S, Spec any] struct {
	// Name names the formula, as in the report: "bloom.exact".
	Name string
	// Source is author, year and equation.
	Source string
	// Metric is what it predicts, one of the Metric constants.
	Metric string
	// Predict computes the prediction, and the band that counts as keeping it,
	// from what was built, not from what was asked for, when the structure
	// holds n distinct keys.
	Predict func(s S, spec Spec, n int) stats.Band
}

// The metrics that laws speak about. A name ends in what one unit of it is
// counted per.
const (
	MetricFPR        = "false-positives/absent"  // share of absent keys found
	MetricFalseNeg   = "false-negatives/present" // share of present keys not found
	MetricBias       = "bias"                    // mean of estimate/truth - 1
	MetricSpread     = "spread"                  // root mean square of estimate/truth - 1
	MetricBitsPerKey = "bits/key"                // memory per key held
)

// LawFor returns the subject's first law about a metric.
func (s Subject[S, Spec]) LawFor(metric string) (Law[S, Spec], bool) {
	for _, l := range s.Laws {
		if l.Metric == metric {
			return l, true
		}
	}
	return Law[S, Spec]{}, false
}
