package sketchtest

import (
	"fmt"
	"testing"

	"github.com/sketchproof/sketchproof"
)

// Own is a structure of a kind of its own, for [Serialized], [Merged], [Isolated] and
// [Concurrent]: all that they need to know of it. T is the structure's type, which
// is used through a pointer.
type Own[T any] struct {
	// Build makes a structure that holds the keys. The same seed makes structures
	// that can be merged, and that answer alike for the same keys.
	Build func(seed uint64, keys []uint64) (*T, error)
	// Answers are all that it says about the keys: a number for each, or any others.
	// To ask must change nothing.
	Answers func(s *T, keys []uint64) []uint64
	// Add gives it one more key, nil where it takes none.
	Add func(s *T, key uint64) error
	// Merge makes dst answer for src too. It is needed by Merged alone.
	Merge func(dst, src *T) error
	// Forms are the ways to write and to read it that are no methods of the type, as
	// functions of its package, or gob of exported fields.
	Forms []sketchproof.Form[*T]
	// Joined reports whether a merger may answer merged where one structure of all
	// keys answers direct; nil means that they must be equal.
	Joined func(direct, merged uint64) bool
	// Random says that the same keys need not lead to the same answers.
	Random bool
	// Seed and FalseAlarm are those of [Options].
	Seed       uint64
	FalseAlarm float64
}

// Serialized holds a type to every form that its methods offer: binary, text, JSON
// (by pointer and by value), gob, WriteTo with ReadFrom; and to those of [Own]. What
// was written is read into a zero value, and by methods into one in use too, and
// answers as before, also once it is added to; damaged bytes are refused, or read
// without harm. It fails when there is no form.
func Serialized[T any](t testing.TB, o Own[T]) {
	t.Helper()
	p := o.probe(t)
	if len(p.forms) == 0 {
		t.Fatalf("sketchtest: %T has the methods of no form that is written and read; Own.Forms can name others", new(T))
	}
	run(t, "serialized", o.options(), p.formCases())
}

// Merged holds a type's merging to what is promised of it: the merger answers for
// what both held, in any order, and the source is left alone, then and later.
func Merged[T any](t testing.TB, o Own[T]) {
	t.Helper()
	p := o.probe(t)
	if p.merge == nil {
		t.Fatal("sketchtest: Merged needs Own.Merge")
	}
	run(t, "merged", o.options(), p.mergeCases())
}

// Isolated holds a type to standing alone: to ask or to write it changes nothing, no
// two of them share memory, nor does one share any with what its method Clone
// returns, where it has one.
func Isolated[T any](t testing.TB, o Own[T]) {
	t.Helper()
	run(t, "isolated", o.options(), o.probe(t).isolationCases())
}

// Concurrent has several readers ask at once: all get the answers of one alone.
// Under the race detector it finds reads that write.
func Concurrent[T any](t testing.TB, o Own[T]) {
	t.Helper()
	run(t, "concurrent", o.options(), o.probe(t).concurrentCases())
}

func (o Own[T]) options() Options[*T, struct{}] {
	return Options[*T, struct{}]{Seed: o.Seed, FalseAlarm: o.FalseAlarm}
}

func (o Own[T]) probe(t testing.TB) probe[*T] {
	t.Helper()
	if o.Build == nil || o.Answers == nil {
		t.Fatal("sketchtest: Own.Build and Own.Answers are needed")
	}
	itself := func(s *T) *T { return s }
	p := probeOf(sketchproof.Subject[*T, struct{}]{Merge: o.Merge, Forms: append(sketchproof.FormsOf(itself, itself), o.Forms...)})
	p.hold = func(_ int, k keys, from, to int) (*T, error) { return o.Build(k.seed(), k.slice(from, to)) }
	p.answers = func(s *T, k keys, n int) []uint64 { return o.Answers(s, k.slice(0, n)) }
	p.add, p.joined, p.random = o.Add, o.Joined, o.Random
	if p.joined == nil {
		p.joined = equal
	}
	p.about = func(_ keys, i int) string { return fmt.Sprintf("answer %d", i) }
	return p
}
