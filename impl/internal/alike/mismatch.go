package alike

import "errors"

// ErrMismatch is wrapped, before the difference, by the error for two structures
// that were not built alike. Every package that merges or compares exports it.
var ErrMismatch = errors.New("the two were not built alike")
