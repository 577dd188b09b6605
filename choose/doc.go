// Package choose answers which structure a workload wants. It reads three things:
// candidates, what the builder of a structure says of its rate and its memory;
// a calibration, what operations cost on one machine; and judgements, what the
// experiments found of each subject. It builds nothing and knows no structure.
//
// The cost model is that of Lang, Neumann, Kemper and Boncz 2019 ("Performance-
// optimal filtering: Bloom overtakes cuckoo at high throughput"): a look-up costs
// its own time at the footprint of the structure, and for an absent key, as often as
// the filter errs, the work that a true negative would have saved. A filter pays
// only where its look-ups cost less than the work that they save.
package choose
