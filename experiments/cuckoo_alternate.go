package experiments

import (
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/cuckoo"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// noWayBack counts bucket and tag pairs whose partner's partner is another
// bucket.
var noWayBack = engine.Metric{
	Name: "no-way-back/pair", Method: stats.Invariant,
	Law: "cuckoo.involution", Source: "Fan et al. 2014, equation 1: either bucket follows from the other and the tag",
}

var cuckooAlternate = engine.Experiment{
	Name:     "cuckoo/alternate",
	Question: "Does either bucket of a key follow from the other and the tag, whatever the number of buckets?",
	Claims: []engine.Claim{{
		Text:   "h2(x) = h1(x) XOR hash(tag): a tag can be moved without knowing its key, and found where it went",
		Source: "Bloom Filters & Probabilistic Data Structures; Fan et al. 2014",
		Metric: noWayBack.Name, Law: noWayBack.Law,
	}},
	Method: "Every tag and every bucket up to 10 tag bits, random buckets beyond. printed-cuckoo is the rule of the first document's " +
		"code, (index XOR hash(tag)) mod buckets: it needs a power of two, which the code does not ask for. Our filter " +
		"takes (c(tag) - index) mod buckets where the count is no power of two.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, shape := range engine.Pick(s,
			[]cuckooShape{{1024, 4, 8}, {1000, 4, 8}},
			[]cuckooShape{{1, 4, 8}, {2, 4, 8}, {3, 4, 8}, {7, 4, 10}, {1023, 4, 8}, {1 << 14, 4, 16}, {10006, 4, 16}, {10007, 4, 16}},
			[]cuckooShape{{1 << 20, 4, 16}, {1000003, 4, 16}}) {
			cells = append(cells, alternateCell(shape))
		}
		for _, shape := range engine.Pick(s, []cuckooShape{{1024, 4, 8}, {1000, 4, 8}}, []cuckooShape{{1 << 14, 4, 8}, {10000, 4, 8}}, nil) {
			cells = append(cells, printedAlternateCell(shape))
		}
		return cells
	},
}

func alternateCell(shape cuckooShape) engine.Cell {
	cell := involutionCell(nativeCuckoo.name, shape)
	cell.Run = func(t *engine.T) error {
		f, err := cuckoo.New(cuckoo.Params{
			Buckets: uint64(shape.buckets), Slots: shape.b, FingerprintBits: shape.f, Hash: hashing.XX(parts(t.Seed, 1)),
		})
		if err != nil {
			return err
		}
		readInvolution(t, shape, func(i uint64, tag uint32) uint64 { return f.AlternateBucket(i, tag) })
		return nil
	}
	return cell
}

func printedAlternateCell(shape cuckooShape) engine.Cell {
	cell := involutionCell(printedCuckooKind.name, shape)
	cell.Run = func(t *engine.T) error {
		f := newPrintedCuckoo(shape, parts(t.Seed, 1))
		readInvolution(t, shape, func(i uint64, tag uint32) uint64 { return uint64(f.other(int(i), tag)) })
		return nil
	}
	return cell
}

// someBuckets is how many buckets a trial tries for each tag where all would be
// too many.
const someBuckets = 16

func involutionCell(name string, shape cuckooShape) engine.Cell {
	tries := bucketsTried(shape) << shape.f
	trials := 32 // each with other buckets
	if bucketsTried(shape) == shape.buckets {
		trials = 1 // all there are: a second trial is the first again
	}
	return engine.Cell{
		Labels:  record.L("subject", name, "f", shape.f, "buckets", shape.buckets),
		Metrics: []engine.Metric{noWayBack}, Trials: trials, Cost: cost("", tries, shape.slots()*shape.f/8),
	}
}

func bucketsTried(s cuckooShape) int {
	if s.f <= 10 {
		return s.buckets
	}
	return min(s.buckets, someBuckets)
}

func readInvolution(t *engine.T, shape cuckooShape, other func(i uint64, tag uint32) uint64) {
	draw := keys(parts(t.Seed, 0))
	tried := bucketsTried(shape)
	var bad, tries int64
	for tag := uint32(1); tag < 1<<shape.f; tag++ {
		for b := range tried {
			i := uint64(b)
			if tried < shape.buckets {
				i = hashing.Reduce(draw.at(int(tries)), uint64(shape.buckets))
			}
			tries++
			if j := other(i, tag); j >= uint64(shape.buckets) || other(j, tag) != i {
				bad++
			}
		}
	}
	t.Read(noWayBack, bad, tries, never)
}
