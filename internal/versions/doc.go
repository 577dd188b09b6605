// Package versions builds the harness against other versions of the libraries on
// trial. It changes a copy of go.mod in a folder of its own; the source tree is
// read and never written.
//
// One set of adapters serves most versions. Where an old version lacks what an
// adapter calls, or go.mod does not name the library at all, files kept below
// adapters/_generations stand in for those of adapters while the program is built:
//
//	adapters/_generations/<module path>/before-<version>/*.go   for all versions below that one
//	adapters/_generations/<module path>/any/*.go                for all versions
//
// A file replaces the adapters' file of its name, or is added to them. A file
// named requires.txt lists modules that the library needs and does not name
// itself, one "path version" a line. The names of the folders are the index.
package versions
