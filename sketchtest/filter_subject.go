package sketchtest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/stats"
)

// A filterTrial is a subject and what it can be asked.
type filterTrial struct {
	sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec]

	adds, bytes, removes bool
	// exact says that a law allows no absent key to be found.
	exact bool
}

// filterTrialOf asks a small filter what it can do. A subject that cannot even be
// built is asked all that a static one is, and fails there.
func filterTrialOf(s sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec]) (t filterTrial) {
	t.Subject = s
	spec := sketchproof.FilterSpec{Capacity: 64, Epsilon: usualRate}
	f := probing(s, spec)
	if f == nil {
		spec.Keys = keys(1).slice(0, 64)
		f = probing(s, spec)
	}
	_, t.adds = f.(sketchproof.Adder)
	_, t.removes = f.(sketchproof.Remover)
	t.removes = t.removes && t.adds
	_, asks := f.(sketchproof.BytesFilter)
	_, addsBytes := f.(sketchproof.BytesAdder)
	t.bytes = asks && (addsBytes || !t.adds)
	t.exact = t.rateLaws()[0].method == stats.Invariant
	return t
}

// probing builds a filter while cases are listed, where no panic may pass.
func probing(s sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec], spec sketchproof.FilterSpec) (f sketchproof.Filter) {
	defer func() {
		if recover() != nil {
			f = nil
		}
	}()
	f, err := s.Build(spec)
	if err != nil {
		return nil
	}
	return f
}

// usualRate is the rate that is asked for where it does not matter.
const usualRate = 0.01

// A loaded filter and what became of the keys that it was offered.
type loaded struct {
	f        sketchproof.Filter
	accepted []key
	refused  int
	first    int // the first offer that was refused, -1 for none
}

// load builds a filter and offers it keys: one by one, or all at once where it takes
// none later. A panic is an error that names the keys.
func (t filterTrial) load(spec sketchproof.FilterSpec, list []key) (l loaded, err error) {
	err = guard(func() string { return described(spec, list) }, func() error {
		l = loaded{first: -1}
		if !t.adds {
			l.f, err = t.Build(withKeys(spec, list))
			l.accepted = list
			return err
		}
		if l.f, err = t.Build(spec); err != nil {
			return err
		}
		for _, k := range list {
			if err := l.offer(k); err != nil {
				return err
			}
		}
		return nil
	})
	return l, err
}

// offer adds one key, or notes that it was refused.
func (l *loaded) offer(k key) error {
	err := k.addTo(l.f)
	switch {
	case err == nil:
		l.accepted = append(l.accepted, k)
	case errors.Is(err, sketchproof.ErrFull):
		if l.refused == 0 {
			l.first = len(l.accepted)
		}
		l.refused++
	default:
		return fmt.Errorf("key %v: %w", k, err)
	}
	return nil
}

// lost are the accepted keys that are not found.
func (l *loaded) lost() []key { return lost(l.f, l.accepted) }

func lost(f sketchproof.Filter, list []key) []key {
	var lost []key
	for _, k := range list {
		if !k.in(f) {
			lost = append(lost, k)
		}
	}
	return lost
}

// withKeys is a specification that holds keys of one kind.
func withKeys(spec sketchproof.FilterSpec, list []key) sketchproof.FilterSpec {
	for _, k := range list {
		if k.isText {
			spec.ByteKeys = append(spec.ByteKeys, k.text)
		} else {
			spec.Keys = append(spec.Keys, k.number)
		}
	}
	return spec
}

// guard carries something out; words say what, where it fails or panics.
func guard(words func() string, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: panic: %v", words(), p)
		}
	}()
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", words(), err)
	}
	return nil
}

// described says how to build a filter again.
func described(spec sketchproof.FilterSpec, list []key) string {
	return fmt.Sprintf("built for %d keys at %g, seed %#x: %s", sizeFor(spec, list), spec.Epsilon, spec.Seed, listed(list))
}

func sizeFor(spec sketchproof.FilterSpec, list []key) int {
	if spec.Capacity > 0 {
		return spec.Capacity
	}
	return len(list)
}

// listed names keys: all of a few, some of many.
func listed(list []key) string {
	const all, some = 12, 3
	shown := list
	if len(list) > all {
		shown = list[:some]
	}
	names := make([]string, len(shown))
	for i, k := range shown {
		names[i] = k.String()
	}
	joined := strings.Join(names, " ")
	if len(list) > all {
		return fmt.Sprintf("%d keys, %s ... %v", len(list), joined, list[len(list)-1])
	}
	if len(list) == 1 {
		return "key " + joined
	}
	return "keys [" + joined + "]"
}
