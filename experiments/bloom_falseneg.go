package experiments

import (
	"errors"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
)

var bloomNoFalseNegatives = engine.Experiment{
	Name:     "bloom/no-false-negatives",
	Question: "Is a key that was accepted always found?",
	Claims: []engine.Claim{{
		Text:   "an added key is always found, also past saturation",
		Source: "all five documents",
		Metric: falseNegatives.Name, Law: falseNegatives.Law,
	}},
	Method: "Filters for 0, 1, 2, 3, 16 and 1000 keys, of every shape that the subject takes. All accepted keys are looked up again: once " +
		"added; after ten times as many were offered, or 64 refused; in the merger of two filters; in what was written and read again. " +
		"A key that is refused is an outcome; a key that was accepted and is lost is a false negative. " +
		"The scale full has filters of 100 million random keys.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Filters {
			shapes := shapesOf(takesBytes(subject))
			for i, shape := range shapes {
				// A counting shape and that of the lengths show most kinds of loss.
				if s >= engine.CI || shape.name == "sequential" || i == len(shapes)-1 {
					cells = append(cells, lossCells(subject, shape)...)
				}
			}
			if s >= engine.Full && slices.Contains(millionsSubjects, subject.Name) {
				cells = append(cells, millionsCell(subject))
			}
		}
		return cells
	},
}

// lossSizes are the numbers of keys that filters are built for.
var lossSizes = []int{0, 1, 2, 3, 16, 1000}

// A lossState is a way for a filter to come to its keys. It returns the filter
// and the numbers of the keys that were accepted.
type lossState struct {
	name string
	// possible says whether the subject can be brought to it.
	possible func(adapters.Filter) bool
	reach    func(subject adapters.Filter, spec sketchproof.FilterSpec, s shape, seed uint64, n int) (sketchproof.Filter, []int, error)
}

var lossStates = []lossState{
	{"added", func(adapters.Filter) bool { return true }, addedFilter},
	{"overfull", takesKeys, overfullFilter},
	{"merged", func(s adapters.Filter) bool { return s.Merge != nil }, mergedFilter},
	{"decoded", func(s adapters.Filter) bool { return s.Encode != nil && s.Decode != nil }, decodedFilter},
}

// takesKeys reports whether a subject takes keys after it was built.
func takesKeys(subject adapters.Filter) bool {
	f, err := subject.Build(sketchproof.FilterSpec{Capacity: 1, Epsilon: 0.01})
	_, ok := f.(sketchproof.Adder)
	return err == nil && ok
}

func lossCells(subject adapters.Filter, s shape) []engine.Cell {
	// One loss is enough to break the law, and 32 trials look a million keys up.
	const trials, operations = 32, 25000
	var cells []engine.Cell
	for _, state := range lossStates {
		if !state.possible(subject) {
			continue
		}
		cells = append(cells, engine.Cell{
			Labels:  record.L("subject", subject.Name, "shape", s.name, "state", state.name),
			Module:  adapters.At(subject.Module),
			Metrics: []engine.Metric{falseNegatives},
			Trials:  trials,
			Cost:    cost(subject.Module, operations, 1<<21),
			Run:     func(t *engine.T) error { return lossTrial(t, subject, s, state) },
		})
	}
	return cells
}

// millionsOfKeys are more than the first filters of a cache or a table hold, and more
// than 32 bits of a hash keep apart.
const millionsOfKeys = 100_000_000

// millionsSubjects are the fastest of the three ways to keep a filter: bits, tags,
// and one built whole.
var millionsSubjects = []string{"splitblock", "cuckoo", "fuse3-8"}

func millionsCell(subject adapters.Filter) engine.Cell {
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "shape", "random", "state", "huge"),
		Metrics: []engine.Metric{falseNegatives},
		Trials:  1,
		// A trial may take four times the memory of its plan: 16 GB.
		Cost: engine.Cost{Seconds: 4 * millionsOfKeys * nativeOp, Bytes: 40 * int64(millionsOfKeys)},
		Run: func(t *engine.T) error {
			keys := keys(parts(t.Seed, 0))
			spec := sketchproof.FilterSpec{Capacity: millionsOfKeys, Epsilon: realRate, Seed: parts(t.Seed, 1)}
			f, err := subject.Build(spec)
			if err != nil {
				return err
			}
			if adder, ok := f.(sketchproof.Adder); ok {
				err = keys.addTo(adder, 0, millionsOfKeys)
			} else {
				spec.Keys = keys.slice(0, millionsOfKeys)
				f, err = subject.Build(spec)
			}
			if err != nil {
				return err
			}
			t.Read(falseNegatives, millionsOfKeys-keys.foundIn(f, 0, millionsOfKeys), millionsOfKeys, never)
			return nil
		},
	}
}

func lossTrial(t *engine.T, subject adapters.Filter, s shape, state lossState) error {
	var lost, present int64
	for _, n := range lossSizes {
		seed := parts(t.Seed, 2*n)
		spec := sketchproof.FilterSpec{Capacity: n, Epsilon: realRate, Seed: parts(t.Seed, 2*n+1)}
		f, accepted, err := state.reach(subject, spec, s, seed, n)
		if err != nil {
			return err
		}
		for _, i := range accepted {
			if !s.finds(f, seed, i) {
				lost++
			}
		}
		present += int64(len(accepted))
	}
	t.Read(falseNegatives, lost, present, never)
	return nil
}

// addedFilter holds the keys number 0 to n-1.
func addedFilter(subject adapters.Filter, spec sketchproof.FilterSpec, s shape, seed uint64, n int) (sketchproof.Filter, []int, error) {
	return filterOf(subject, spec, s, seed, 0, n, n)
}

// overfullFilter is offered ten times as many keys as it was built for.
func overfullFilter(subject adapters.Filter, spec sketchproof.FilterSpec, s shape, seed uint64, n int) (sketchproof.Filter, []int, error) {
	const refusals = 64 // enough to lose keys by, and each is slow
	return filterOf(subject, spec, s, seed, 0, 10*n, refusals)
}

// mergedFilter is the merger of two filters with half of the keys each.
func mergedFilter(subject adapters.Filter, spec sketchproof.FilterSpec, s shape, seed uint64, n int) (sketchproof.Filter, []int, error) {
	a, fromA, err := filterOf(subject, spec, s, seed, 0, n/2, n)
	if err != nil {
		return nil, nil, err
	}
	b, fromB, err := filterOf(subject, spec, s, seed, n/2, n, n)
	if err != nil {
		return nil, nil, err
	}
	return a, append(fromA, fromB...), subject.Merge(a, b)
}

// decodedFilter is read from what a filter wrote.
func decodedFilter(subject adapters.Filter, spec sketchproof.FilterSpec, s shape, seed uint64, n int) (sketchproof.Filter, []int, error) {
	f, accepted, err := filterOf(subject, spec, s, seed, 0, n, n)
	if err != nil {
		return nil, nil, err
	}
	data, err := subject.Encode(f)
	if err != nil {
		return nil, nil, err
	}
	f, err = subject.Decode(data)
	return f, accepted, err
}

// filterOf offers the keys number from to to-1 until some were refused, and
// lists those accepted. A subject that takes no keys later is built from them.
func filterOf(subject adapters.Filter, spec sketchproof.FilterSpec, s shape, seed uint64, from, to, refusals int) (sketchproof.Filter, []int, error) {
	accepted := make([]int, 0, to-from)
	f, err := subject.Build(spec)
	if _, ok := f.(sketchproof.Adder); !ok {
		for i := from; i < to; i++ {
			if s.text == nil {
				spec.Keys = append(spec.Keys, s.number(seed, i))
			} else {
				spec.ByteKeys = append(spec.ByteKeys, s.text(nil, seed, i))
			}
			accepted = append(accepted, i)
		}
		f, err = subject.Build(spec)
		return f, accepted, err
	}
	for i := from; i < to && refusals > 0; i++ {
		switch err := s.add(f, seed, i); {
		case err == nil:
			accepted = append(accepted, i)
		case errors.Is(err, sketchproof.ErrFull):
			refusals--
		default:
			return nil, nil, err
		}
	}
	return f, accepted, err
}
