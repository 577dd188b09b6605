package experiments

import (
	"encoding/binary"
	"strconv"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/data"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

var (
	rateAtAnyLength = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: "any-length", Source: "the subject's own law, which knows no length, and a tenth beside it",
	}
	sizeAtAnyLength = engine.Metric{
		Name: "other-sizes/filter", Method: stats.Invariant,
		Law: "same-size", Source: "Bloom 1970: the size follows from n and the rate",
	}
)

// lengthRate is a rate at which a tenth of it is soon told.
const lengthRate = 0.1

var bloomKeyLength = engine.Experiment{
	Name:     "bloom/key-length",
	Question: "Does a filter cost and err the same, however long its keys are?",
	Claims: []engine.Claim{
		{
			Text:   "memory depends strictly on the number of items and the error rate, completely independent of the size of the keys",
			Source: "Bloom Filters & Counting Filters; Bloom Filters & Probabilistic Data Structures",
			Metric: sizeAtAnyLength.Name, Law: sizeAtAnyLength.Law,
		},
		{
			Text:   "the rate does not depend on the length of the keys",
			Source: "Bloom Filters & Probabilistic Data Structures; Probabilistic Structures; Bloom Filters & Counting Filters",
			Metric: rateAtAnyLength.Name, Law: rateAtAnyLength.Law,
		},
	},
	Method: "Keys of 1 byte to 4 KiB, and real domain names, at 10 %. Long keys are alike but for eight bytes in a place that belongs to the " +
		"trial. There are 256 keys of one byte: half of them are added and half asked for. Subjects without a seed get two bytes, since " +
		"their hash makes the same 256 of one every time. Names begin with eight bytes of the trial. The size is compared with that of a " +
		"filter of as many keys of eight bytes. The rate may be a tenth off the subject's law; sharper looks at the laws are " +
		"elsewhere. Filters whose rate is below 1 % are asked at 16 bytes alone, and those below 0.2 % are compared by size.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Filters {
			if isExact(subject) || !takesBytes(subject) || s < engine.CI && !isBloom(subject) {
				continue
			}
			shortest, rate := keyKind{1, 128}, rateOf(subject, lengthRate)
			if !isSeeded(subject) {
				shortest = keyKind{2, 400}
			}
			for _, kind := range engine.Pick(s, []keyKind{{16, 400}}, []keyKind{shortest, {4096, 400}, {0, 400}}, []keyKind{{256, 400}, {65536, 400}}) {
				cells = append(cells, keyLengthCell(subject, kind, rate))
			}
		}
		return cells
	},
}

// A keyKind is a length of keys, 0 for names, and how many to add.
type keyKind struct{ length, n int }

func (k keyKind) String() string {
	if k.length == 0 {
		return "names"
	}
	return strconv.Itoa(k.length)
}

// absent is how many keys beside the n there are to ask for.
func (k keyKind) absent() int {
	if k.length == 1 {
		return 256 - k.n
	}
	return 4 * k.n
}

// group is how many filters a trial builds, to ask for enough absent keys.
func (k keyKind) group() int { return max(1, 1500/k.absent()) }

// keys is a source of distinct keys, good for n and the absent ones. A key is
// good until the next call.
func (k keyKind) keys(seed uint64) func(i int) []byte {
	switch k.length {
	case 0:
		names, s := data.DisposableDomains(), newSalt(seed)
		start := int(hashing.Reduce(seed, uint64(len(names))))
		return func(i int) []byte { return s.of(names[(start+i*namesStride)%len(names)]) }
	case 1, 2:
		order, buf := shuffled(seed, 1<<(8*k.length)), make([]byte, 0, 2)
		return func(i int) []byte { return binary.LittleEndian.AppendUint16(buf, order[i])[:k.length] }
	}
	key8, buf := keys(seed), make([]byte, k.length)
	at := int(hashing.Reduce(seed, uint64(k.length-7)))
	return func(i int) []byte {
		binary.LittleEndian.PutUint64(buf[at:], key8.at(i))
		return buf
	}
}

// namesStride steps through a list of names without a repeat, as a prime that does
// not divide their number: neighbours in a sorted list are alike.
const namesStride = 7919

// shuffled are the numbers below n in a random order (Fisher & Yates).
func shuffled(seed uint64, n int) []uint16 {
	order := make([]uint16, n)
	for i := range order {
		order[i] = uint16(i)
	}
	for i := range order {
		j := i + int(hashing.Reduce(keys(seed).at(i), uint64(n-i)))
		order[i], order[j] = order[j], order[i]
	}
	return order
}

func keyLengthCell(subject adapters.Filter, kind keyKind, rate float64) engine.Cell {
	metrics, band := []engine.Metric{sizeAtAnyLength}, usualRate(subject, lengthRate, kind.n, true, 0.1)
	operations, trials := kind.group()*6*kind.n*(1+kind.length/256), 32
	// Where a wrong answer is rare it takes long to see enough of them, at one length too.
	if rate >= 0.01 || rate >= rareRate && kind.length == 16 {
		metrics, trials = append(metrics, rateAtAnyLength), 2048
	}
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "length", kind, "eps", lengthRate),
		Module:  adapters.At(subject.Module),
		Metrics: metrics,
		Trials:  trials,
		Cost:    cost(subject.Module, operations, 2*kind.n+kind.length),
		Run:     func(t *engine.T) error { return keyLengthTrial(t, subject, kind, len(metrics) > 1, band) },
	}
}

func keyLengthTrial(t *engine.T, subject adapters.Filter, kind keyKind, rates bool, band func() stats.Band) error {
	var found, asked, otherSizes int64
	group := kind.group()
	like, err := holdingBytes(subject, sketchproof.FilterSpec{Capacity: kind.n, Epsilon: lengthRate, Seed: parts(t.Seed, -1)},
		kind.n, keyKind{8, kind.n}.keys(parts(t.Seed, -2)))
	if err != nil {
		return err
	}
	for g := range group {
		seed := parts(t.Seed, g)
		spec := sketchproof.FilterSpec{Capacity: kind.n, Epsilon: lengthRate, Seed: parts(seed, 1)}
		key, absent := kind.keys(parts(seed, 0)), kind.absent()
		f, err := holdingBytes(subject, spec, kind.n, key)
		if err != nil {
			return err
		}
		if f.SizeBytes() != like.SizeBytes() {
			otherSizes++
		}
		for i := range absent {
			if rates && f.ContainsBytes(key(kind.n+i)) {
				found++
			}
		}
		asked += int64(absent)
	}
	t.Read(sizeAtAnyLength, otherSizes, int64(group), never)
	if rates {
		t.Read(rateAtAnyLength, found, asked, band())
	}
	return nil
}

// rareRate is the least rate that an experiment about all subjects measures: each
// wrong answer below it costs five hundred look-ups.
const rareRate = 0.002
