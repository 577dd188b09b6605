package experiments

import (
	"math/bits"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/cuckoo"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// semiSortedCuckoo is the name of the subject of the catalogue.
const semiSortedCuckoo = "cuckoo-semisorted"

// What a look-up reads.
var (
	notTwoBuckets = engine.Metric{
		Name: "not-two/look-up", Method: stats.Invariant,
		Law: "cuckoo.two-buckets", Source: "Fan et al. 2014, section 3.2: a look-up reads two buckets",
	}
	probesPerHit = engine.Metric{Name: "probes/hit", Method: stats.Mean}
	linesPerHit  = engine.Metric{Name: "cache-lines/hit", Method: stats.Mean}
)

var cuckooTwoProbes = engine.Experiment{
	Name:     "cuckoo/two-probes",
	Question: "Does a look-up read two buckets, whatever the rate?",
	Claims: []engine.Claim{{
		Text:   "lookup speed: 2 hash probes, where a Bloom filter takes k",
		Source: "Bloom Filters & Probabilistic Data Structures; Fan et al. 2014",
		Metric: notTwoBuckets.Name, Law: notTwoBuckets.Law,
	}},
	Method: "Filters of 64 buckets, with tags as long as the rate asks for. For a random key, its tag is put alone into one bucket after another, and " +
		"the key is looked up each time: the buckets from which it is found are those that a look-up reads. cache-lines/hit counts lines of 64 bytes " +
		"that the two buckets lie on in a large table; a bucket across two lines costs one more. For bloom, probes/hit is k and every probe has a line of its own.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, eps := range engine.Pick(s, []float64{1e-2}, []float64{1e-1, 1e-3, 1e-4, 1e-5, 1e-6}, nil) {
			cells = append(cells, probesCell(eps, false), probesCell(eps, true), bloomProbesCell(eps))
		}
		return cells
	},
}

func probesCell(eps float64, semiSorted bool) engine.Cell {
	const buckets, tried = 64, 50
	name := nativeCuckoo.name
	if semiSorted {
		name = semiSortedCuckoo
	}
	return engine.Cell{
		Labels:  record.L("subject", name, "eps", eps),
		Metrics: []engine.Metric{notTwoBuckets, probesPerHit, linesPerHit},
		Trials:  8, Cost: cost("", 3*buckets*tried, 0),
		Run: func(t *engine.T) error {
			p, err := cuckoo.Size(buckets, eps, 4)
			if err != nil {
				return err
			}
			p.Buckets, p.SemiSorted, p.Hash = buckets, semiSorted, hashing.XX(parts(t.Seed, 1))
			f, err := cuckoo.New(p)
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			var other, read int64
			for k := range tried {
				hash := keys.at(k)
				_, _, tag := f.Place(hash)
				found := int64(0)
				for bucket := range uint64(buckets) {
					f.Reset()
					if err := f.AddHash(hashInto(p, bucket, tag)); err != nil {
						return err
					}
					if f.ContainsHash(hash) {
						found++
					}
				}
				if found != 2 {
					other++
				}
				read += found
			}
			t.Read(notTwoBuckets, other, tried, never)
			t.Read(probesPerHit, read, tried, stats.Band{})
			lines, of := linesPerBucket(p)
			t.Read(linesPerHit, 2*lines, of, stats.Band{})
			return nil
		},
	}
}

// hashInto is a hash whose first bucket and tag are the given: the place of a
// hash, read as a fraction, is its digits in base buckets and then in base tags.
func hashInto(p cuckoo.Params, bucket uint64, tag uint32) uint64 {
	rest, _ := bits.Div64(uint64(tag-1), 1<<63, 1<<p.FingerprintBits-1)
	hash, _ := bits.Div64(bucket, rest, p.Buckets)
	return hash + 1
}

// linesPerBucket is how many cache lines the buckets of a long table lie on, as a
// ratio: one line, and one more for each bucket across an edge.
func linesPerBucket(p cuckoo.Params) (lines, buckets int64) {
	const line = 8 * 64
	width := int64(p.Slots * p.FingerprintBits)
	if p.SemiSorted {
		width -= int64(p.Slots)
	}
	for i := range int64(line) { // after so many buckets the pattern repeats
		lines += (i*width+width-1)/line - i*width/line + 1
	}
	return lines, line
}

func bloomProbesCell(eps float64) engine.Cell {
	return engine.Cell{
		Labels:  record.L("subject", "bloom", "eps", eps),
		Metrics: []engine.Metric{probesPerHit, linesPerHit},
		Trials:  1, // nothing is drawn
		Cost:    engine.Cost{Seconds: 1e-3},
		Run: func(t *engine.T) error {
			_, k, err := bloom.Size(1000000, eps, bloom.Exact)
			if err != nil {
				return err
			}
			t.Read(probesPerHit, int64(k), 1, stats.Band{})
			t.Read(linesPerHit, int64(k), 1, stats.Band{})
			return nil
		},
	}
}
