// Package experiments holds the questions, one file each, and the list of them.
// A question says which claim it puts on trial, which cells it plans at each
// scale, and what one trial measures; the engine does the rest.
package experiments
