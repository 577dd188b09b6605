package sketchtest

import (
	"testing"

	"github.com/sketchproof/sketchproof"
)

// Filter holds a membership structure to what all of its kind promise. build makes
// one as its specification says: a filter that is a [sketchproof.Adder] is built
// empty, for Capacity keys, and is given its keys one by one; one that is not gets
// them in Keys or ByteKeys.
func Filter(t testing.TB, build func(sketchproof.FilterSpec) (sketchproof.Filter, error), o FilterOptions) {
	t.Helper()
	run(t, "filter", o, FilterCases(o.subject(build), o.effort()))
}

// FilterCases are the cases of a membership structure.
func FilterCases(s sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec], e Effort) []Case {
	var cases []Case
	for _, check := range filterChecks {
		cases = append(cases, check(s, e)...)
	}
	return cases
}

// filterChecks are the general checks of a membership structure. None knows an
// implementation; one that cannot be asked of a subject has no cases for it.
var filterChecks = []func(s sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec], e Effort) []Case{
	func(s sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec], e Effort) []Case {
		return filterProbe(s).alike()
	},
	membershipChecks, rateChecks, capacityChecks, deletionChecks, memoryChecks,
}
