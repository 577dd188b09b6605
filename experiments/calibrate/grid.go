package calibrate

import (
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/speed"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// The least number of keys that a calibration can go up to, and the usual one.
const (
	LeastKeys = 1_000
	MaxKeys   = 10_000_000
)

const (
	rounds = 6 // the least that have a 95 % interval
	// usualKeys is the length of the byte keys of every point.
	usualKeys = 24
	// lengthsAt is the size, nearly, at which keys of other lengths are timed: what
	// they cost more or less is the hash function's, whatever the size.
	lengthsAt = 7_000
)

// lengths are those on both sides of where hash functions change their ways, and
// what is beyond.
var lengths = []int{8, 9, 16, 17, 32, 64, 128}

// lengthOps are what is timed of other lengths.
var lengthOps = []string{"add-bytes", "build-bytes", "hit-bytes", "miss-bytes", "mixed-bytes", "hit-bytes-batch", "miss-bytes-batch", "mixed-bytes-batch"}

// sizes are the numbers of keys that filters are timed at, up to the most: each
// is three quarters of a power of two, so that tables of such sizes are as full
// as they usually are; and the most itself.
func sizes(most int) (list []int) {
	for _, n := range []int{768, 6_144, 49_152, 393_216, 1_572_864, 12_582_912, 50_331_648} {
		if float64(n) < 0.8*float64(most) {
			list = append(list, n)
		}
	}
	return append(list, most)
}

// rates are what filters are built for: their times lie on lines over the
// logarithm, nearly. At rareAt there is a third.
var rates = []float64{1. / 32, 1. / 4096}

const rare = 1. / (1 << 17)

var rareAt = map[int]bool{6_144: true, 393_216: true}

// A Timed is a rate that filters are timed at, and at how many sizes.
type Timed struct {
	Rate  float64
	Sizes int
}

// TimedRates are those of a calibration up to so many keys, the highest first.
// Times at other rates and sizes are interpolated.
func TimedRates(most int) (list []Timed) {
	all := sizes(most)
	for _, rate := range rates {
		list = append(list, Timed{rate, len(all)})
	}
	last := Timed{Rate: rare}
	for _, n := range all {
		if rareAt[n] {
			last.Sizes++
		}
	}
	return append(list, last)
}

// Above largeFrom keys, structures of more than roomiest bytes for each of the most
// keys are not timed: they take the longest, and where they end, their times go on
// with the machine's own latency.
const (
	largeFrom = 400_000
	roomiest  = 3
)

// roomy reports whether a filter of so many keys would be larger than that, by what
// it takes of few.
func roomy(s adapters.Filter, eps float64, n, most int) bool {
	if n <= largeFrom {
		return false
	}
	keys := make([]uint64, 768)
	for i := range keys {
		keys[i] = hashing.Mix(uint64(i))
	}
	f, err := s.Build(sketchproof.FilterSpec{Keys: keys, Capacity: len(keys), Epsilon: eps})
	return err == nil && float64(f.SizeBytes())*float64(n)/float64(len(keys)) > roomiest*float64(most)
}

// grid are the points of a calibration, the small ones first.
func grid(most int) []speed.Point {
	var points []speed.Point
	_, chosen := speed.Subjects("filter")
	filter := func(name string, eps float64, n, keyBytes int) {
		points = append(points, speed.Point{Kind: "filter", Subject: name, Epsilon: eps, Keys: n, KeyBytes: keyBytes, Present: 0.5})
	}
	for _, n := range sizes(most) {
		for _, s := range adapters.Filters {
			for i, eps := range rates {
				if (i == 0 || chosen(s.Name)) && !roomy(s, eps, n, most) {
					filter(s.Name, eps, n, usualKeys)
				}
			}
			if rareAt[n] && chosen(s.Name) {
				filter(s.Name, rare, n, usualKeys)
			}
		}
	}
	for _, length := range lengths {
		n := lengthsAt + length // unlike that of any other point
		for _, s := range adapters.Filters {
			if n <= most {
				filter(s.Name, rates[0], n, length)
				points[len(points)-1].Ops = lengthOps
			}
		}
	}
	for _, kind := range []string{"cardinality", "frequency", "topk", "sampler", "placer", "signature"} {
		names, _ := speed.Subjects(kind)
		for _, n := range []int{1_000, 100_000} {
			for _, name := range names {
				if n <= most && (kind == "cardinality" || n > 1_000) {
					points = append(points, speed.Point{Kind: kind, Subject: name, Keys: n})
				}
			}
		}
	}
	return points
}

// footprints are where the machine's own curves are measured: powers of two from
// half of a first cache to well beyond the last.
func footprints() (bytes []int64) {
	for e := 14; e <= 28; e++ {
		bytes = append(bytes, int64(math.Ldexp(1, e)))
	}
	return bytes
}
