// Package arch keeps the house in order: a test that parses every Go file of
// the module, in process and whatever its build tags, and holds it against the
// tables of rules_test.go: who may import whom, which third-party module belongs
// to which package, and the few habits a compiler does not enforce.
//
// A new package, or a new third-party module outside adapters, is added to those
// tables in the same change that brings it.
package arch
