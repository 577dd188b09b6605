// Package data holds real inputs for experiments: a genome, a blocklist with
// look-ups that should pass it, and the words of a book. They are built into
// the program; README.md says where each comes from.
//
// Every function reads its input once, at the first call, and then returns the
// same slice: do not change it.
package data
