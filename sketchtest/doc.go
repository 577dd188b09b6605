// Package sketchtest holds an implementation to what a probabilistic data
// structure promises, from one call in its own test file:
//
//	func TestPromises(t *testing.T) {
//		sketchtest.Filter(t, func(s sketchproof.FilterSpec) (sketchproof.Filter, error) {
//			return myfilter.New(s.Size(), s.Epsilon)
//		}, sketchtest.FilterOptions{})
//	}
//
// A method Clone that returns a [sketchproof.Filter], or what else the call is about,
// is held to making a copy that stands alone.
//
// A check knows no implementation. What cannot be asked of one, as deletion of a
// filter without it, is passed over. Every judgement of a call shares one error
// budget, by default a chance of 1e-6 that the call fails a structure that keeps
// its promises. A judgement is an interval over many structures, each built anew:
// it holds, it is broken, or it stays undecided, which fails nothing and is said.
//
// A failure prints the seed, the case, and the smallest input found that shows it.
// With -short there are fewer cases, not weaker ones. Where the test runs with
// -artifacts, the judgements are written as CSV; in a benchmark, the figures are
// reported as its metrics.
package sketchtest
