// Package engine runs experiments: it plans cells, gives every trial a seed
// from its identity, runs trials in worker processes, looks at the counts after
// fixed numbers of trials until every law of the cell is decided, and writes
// the rows. It knows no structure and no library.
//
// What it writes depends on the plan and the root seed alone, never on the
// number of workers, the order in which trials end, shards, or how often a run
// was killed and resumed.
package engine
