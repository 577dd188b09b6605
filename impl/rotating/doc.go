// Package rotating is a Bloom filter for "seen lately": two filters of one
// geometry, of which the current takes the keys and both are asked. A rotation
// makes the current filter the previous one, drops the one before, and starts an
// empty one. So a key is found until the second rotation after it was last
// added: for one whole period at least, two at most.
//
// Filters rotate by fill, when a set share of the current bits is set (half, if
// nothing else is asked for); by age, when Tick is told a time so much later; and
// by hand. No clock is read: whoever wants rotation by age calls Tick.
//
// # Concurrency
//
// All methods but UnmarshalBinary may run at the same time as each other. Both
// filters hang on one atomic pointer, and a rotation swaps it (the hot swap of
// read-copy-update, with the garbage collector to wait for the last reader).
// Readers take it once and never wait. Writers set bits by atomic OR, without a
// lock, and look at the pointer again when they are done: a key that a rotation
// overtook is added once more, to the filter that is then current, so it is not
// short of its period. Only those that want a rotation wait, for one another,
// while one of them allocates the new filter.
//
// There is no Merge: the halves of two filters are of different times.
package rotating
