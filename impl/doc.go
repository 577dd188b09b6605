// Package impl holds the structures written for this project, one folder each.
// They know nothing of the harness that judges them. What they agree on:
//
// Params say what to make, and New makes it. The hash function is always the
// caller's: the zero hashing.Hasher is refused, because a seed that nobody chose
// is one that everybody knows, and a Keyed function that was forgotten would go
// unnoticed.
package impl
