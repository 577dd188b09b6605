package experiments

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/data"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// Bytes per key are gigabytes for 10^9 keys, and so the documents' figures.
var (
	memoryPerKey = engine.Metric{Name: "bytes/key", Method: stats.Mean}
	keysPerByte  = engine.Metric{Name: "key-bytes/filter-byte", Method: stats.Mean}
	memoryBloom  = engine.Metric{
		Name: memoryPerKey.Name, Method: stats.Mean,
		Law: "memory.bloom", Source: "Bloom Filters & Probabilistic Data Structures: 1.2 GB for 10^9 keys at 1 %",
	}
	memoryHashSet = engine.Metric{
		Name: memoryPerKey.Name, Method: stats.Mean,
		Law: "memory.hash-set", Source: "Bloom Filters & Counting Filters: 64 to 128 GB for 10^9 keys of 32 bytes",
	}
	memoryFortyfold = engine.Metric{
		Name: keysPerByte.Name, Method: stats.Mean,
		Law: "memory.40x", Source: "Bloom Filters & Probabilistic Data Structures: 50 GB of URLs over 1.2 GB",
	}
)

var bloomMemory = engine.Experiment{
	Name:     "bloom/memory",
	Question: "How much memory does a set of keys take in a map, in a sorted list, and in each filter at 1 %?",
	Claims: []engine.Claim{
		{
			Text:   "a Bloom filter for a billion URLs with 1 % rate takes about 1.2 GB",
			Source: "Bloom Filters & Probabilistic Data Structures",
			Metric: memoryBloom.Name, Law: memoryBloom.Law,
		},
		{
			Text:   "that is 40 times less than the 50 GB of the URLs, of 50 bytes each",
			Source: "Bloom Filters & Probabilistic Data Structures",
			Metric: memoryFortyfold.Name, Law: memoryFortyfold.Law,
		},
		{
			Text:   "a standard hash set of a billion 32-byte keys consumes 64 to 128 GB",
			Source: "Bloom Filters & Counting Filters",
			Metric: memoryHashSet.Name, Law: memoryHashSet.Law,
		},
	},
	Method: "Subjects are built for their keys at 1 %, and tell their size; a test holds it to what the heap grew by. Bytes per key are read as " +
		"gigabytes for 10^9 keys: sizes are proportional to n, but for what rounding up to a power of two adds, and but for " +
		"binary fuse filters, which shrink to 1.13 or 1.08 of the bound at large n (fuse/space). A filter that is rounded up, " +
		"and one whose fingerprints are whole bytes, pays for more than was asked: what it pays for the rate that it reaches is the matter of " +
		"bloom/lower-bound. The hash set is Go's map of strings, which stores a header of 16 bytes beside the " +
		"text; sets in other languages are not measured. URLs have 50 bytes, real domain names 15 on average: forty times is a property of the " +
		"URLs as much as of the filter. A band of 2 % is allowed about 1.2 GB, 5 % about the 40 times.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Filters {
			if s < engine.CI && !isBloom(subject) {
				continue
			}
			for _, kind := range engine.Pick(s, memoryKeys[:1], memoryKeys[1:], nil) {
				if kind.text == nil || takesBytes(subject) && (kind.name != "32-bytes" || isExact(subject) || isBloom(subject)) {
					cells = append(cells, memoryCell(subject, kind, 20000))
				}
			}
			for _, n := range engine.Pick(s, nil, nil, []int{1000000}) {
				cells = append(cells, memoryCell(subject, memoryKeys[0], n))
			}
		}
		return cells
	},
}

// A memoryKind is keys to be held: text number i of a trial, nil for numbers.
type memoryKind struct {
	name string
	text func(seed uint64, i int) []byte
}

var memoryKeys = []memoryKind{
	{"numbers", nil},
	{"urls", func(seed uint64, i int) []byte {
		return fmt.Appendf(nil, "https://www.example.com/shop/item?%016x", keys(seed).at(i))
	}},
	{"32-bytes", func(seed uint64, i int) []byte {
		b := make([]byte, 0, 32)
		for word := range 4 {
			b = binary.LittleEndian.AppendUint64(b, keys(seed).at(4*i+word))
		}
		return b
	}},
	{"names", func(seed uint64, i int) []byte {
		names := data.DisposableDomains()
		start := int(hashing.Reduce(seed, uint64(len(names))))
		return []byte(names[(start+i*namesStride)%len(names)])
	}},
}

func memoryCell(subject adapters.Filter, kind memoryKind, n int) engine.Cell {
	metrics := []engine.Metric{memoryPerKey, keysPerByte}
	switch {
	case isBloom(subject):
		metrics[0] = memoryBloom
		if kind.name == "urls" {
			metrics[1] = memoryFortyfold
		}
	case isExact(subject) && kind.name == "32-bytes":
		metrics[0] = memoryHashSet
	}
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "keys", kind.name, "n", n, "eps", realRate),
		Module:  adapters.At(subject.Module),
		Metrics: metrics,
		Trials:  8, // a size hardly varies
		Cost:    cost(subject.Module, 2*n, 16*n),
		Run: func(t *engine.T) error {
			seed, bytes := parts(t.Seed, 0), int64(0)
			spec := sketchproof.FilterSpec{Capacity: n, Epsilon: realRate, Seed: parts(t.Seed, 1)}
			f, err := sketchproof.Filter(nil), error(nil)
			if kind.text == nil {
				spec.Keys, bytes = keys(seed).slice(0, n), 8*int64(n)
				f, err = subject.Build(spec)
			} else {
				f, err = holdingBytes(subject, spec, n, func(i int) []byte {
					key := kind.text(seed, i)
					bytes += int64(len(key))
					return key
				})
			}
			if err != nil {
				return err
			}
			t.Read(metrics[0], int64(f.SizeBytes()), int64(n), memoryBand(metrics[0]))
			t.Read(metrics[1], bytes, int64(f.SizeBytes()), memoryBand(metrics[1]))
			return nil
		},
	}
}

func memoryBand(m engine.Metric) stats.Band {
	switch m {
	case memoryBloom:
		return stats.Within(1.2, 0.02)
	case memoryHashSet:
		return stats.Between(96, 64, 128)
	case memoryFortyfold:
		return stats.Within(40, 0.05)
	}
	return stats.Between(0, math.Inf(-1), math.Inf(1))
}
