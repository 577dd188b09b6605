// Package peel is what the static filters share that are built by peeling: the
// hashes of their keys, the seeds of their attempts, and how they are mixed.
//
// A slot of the graph that is peeled is one word: the exclusive or of the mixed
// hashes of the keys that it belongs to, and in its lowest five bits, which a
// mixed hash leaves at zero, how many they are. Eight bytes a slot are all that
// a build holds beside its hashes, and taking a key from a slot is one
// exclusive or and one subtraction.
package peel
