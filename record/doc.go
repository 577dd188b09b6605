// Package record is the row: what a run writes and everything else reads.
//
// A trial is one freshly built structure; trials.csv holds its readings as
// integers, one line a reading. summary.csv holds one line a judgement. Both
// are tidy CSV: one header, one kind of thing a line. The manifest says what
// run wrote them and proves the trials by their digest.
package record
