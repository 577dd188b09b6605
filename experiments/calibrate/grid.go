package calibrate

import (
	"math"

	"github.com/sketchproof/sketchproof/experiments/speed"
)

// The least number of keys that a calibration can go up to, and the usual one.
const (
	LeastKeys = 1_000
	MaxKeys   = 10_000_000
)

const (
	rounds = 6 // the least that have a 95 % interval
	// shortKeys is the length of the byte keys of every point; longKeys, at one
	// size, tells what further bytes cost.
	shortKeys, longKeys = 16, 128
	longAt              = 7_000 // no other point has so many keys
)

// sizes are the numbers of keys that filters are timed at, up to the most: each
// is three quarters of a power of two, so that tables of such sizes are as full
// as they usually are; and the most itself.
func sizes(most int) (list []int) {
	for _, n := range []int{768, 6_144, 49_152, 393_216, 786_432, 1_572_864, 3_145_728, 12_582_912, 50_331_648} {
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

var (
	rareAt = map[int]bool{6_144: true, 393_216: true}
	// firstOnly are the sizes that stand closer together than a second curve needs.
	firstOnly = map[int]bool{786_432: true, 3_145_728: true}
)

// grid are the points of a calibration, the small ones first.
func grid(most int) []speed.Point {
	var points []speed.Point
	names, chosen := speed.Subjects("filter")
	filter := func(name string, eps float64, n, keyBytes int) {
		points = append(points, speed.Point{Kind: "filter", Subject: name, Epsilon: eps, Keys: n, KeyBytes: keyBytes, Present: 0.5})
	}
	for _, n := range sizes(most) {
		for _, name := range names {
			for i, eps := range rates {
				if i == 0 || chosen(name) && !firstOnly[n] {
					filter(name, eps, n, shortKeys)
				}
			}
			if rareAt[n] && chosen(name) {
				filter(name, rare, n, shortKeys)
			}
		}
	}
	for _, name := range names {
		if longAt <= most {
			filter(name, rates[0], longAt, longKeys)
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
