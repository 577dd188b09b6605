// Package adapters turns structures, our own and those of third-party
// libraries, into subjects that the harness can put on trial. The catalogue is
// the only list of them; each third-party library has one short file, and is
// imported nowhere else.
package adapters
