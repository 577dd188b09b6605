package experiments

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/hll"
)

func replayHash() (map[string]any, error) {
	hash, err := printedHash(0)
	if err != nil {
		return nil, err
	}
	slots := func(word string) []uint64 {
		at := make([]uint64, 3)
		for seed := range at {
			at[seed] = hash.At(uint64(seed)).Bytes([]byte(word)) % 16
		}
		return at
	}
	return map[string]any{
		"cat,0":              hash.Bytes([]byte("cat")),
		"cat mod16 seeds0-2": slots("cat"),
		"dog mod16 seeds0-2": slots("dog"),
	}, nil
}

func replayLeadingZeros() (map[string]any, error) {
	hash, err := printedHash(0)
	if err != nil {
		return nil, err
	}
	var rows [][]int
	longest, i := 0, 0
	for _, n := range []int{10, 1000, 100000} {
		for ; i < n; i++ {
			longest = max(longest, bits.LeadingZeros64(hash.Bytes(fmt.Append(nil, "item", i))))
		}
		rows = append(rows, []int{n, longest})
	}
	return map[string]any{"rows": rows}, nil
}

// replayCountMin counts w0 to w19, word i occurring 40/(i+1) times.
func replayCountMin() (map[string]any, error) {
	hash, err := printedHash(0)
	if err != nil {
		return nil, err
	}
	truth := make([]uint64, 20)
	events := uint64(0)
	for i := range truth {
		truth[i] = uint64(40 / (i + 1))
		events += truth[i]
	}
	word := func(i int) []byte { return fmt.Append(nil, "w", i) }
	asked := []int{0, 5, 19}
	var rows [][]any
	for _, p := range [][2]int{{1, 1}, {16, 1}, {16, 4}, {40, 4}} {
		s, err := countmin.New(countmin.Params{Width: p[0], Depth: p[1], Rows: countmin.Independent, Hash: hash})
		if err != nil {
			return nil, err
		}
		for i, times := range truth {
			for range times {
				s.AddBytes(word(i), 1)
			}
		}
		worst := int64(math.MinInt64) // an undercount must show
		for i, times := range truth {
			worst = max(worst, int64(s.CountBytes(word(i)))-int64(times))
		}
		var estimates []uint64
		for _, i := range asked {
			estimates = append(estimates, s.CountBytes(word(i)))
		}
		rows = append(rows, []any{s.Width(), s.Depth(), worst, estimates})
	}
	w, d, err := countmin.Size(0.05, 0.01)
	return map[string]any{
		"events": events, "distinct": len(truth), "rows": rows,
		"true":                       []uint64{truth[0], truth[5], truth[19]},
		"size_for eps=.05 delta=.01": []int{w, d},
	}, err
}

// printedHLL is a HyperLogLog under the document's hash that has seen the users
// from number from to to-1, numbers modulo distinct.
func printedHLL(hash hashing.Hasher, from, to, distinct int) (*hll.Sketch, error) {
	s, err := hll.New(hll.Params{Precision: 10, Hash: hash})
	if err != nil {
		return nil, err
	}
	for i := from; i < to; i++ {
		s.AddBytes(fmt.Append(nil, "user", i%distinct))
	}
	return s, nil
}

func replayHLL10() (map[string]any, error) {
	hash, err := printedHash(99)
	if err != nil {
		return nil, err
	}
	const all = 1 << 30 // no number is repeated
	count := func(s *hll.Sketch) float64 { return s.EstimateWith(hll.Classic) }
	var rounded [][]int
	var percent []float64
	var precision int
	for n := 10; n <= 100000; n *= 10 {
		s, err := printedHLL(hash, 0, n, all)
		if err != nil {
			return nil, err
		}
		precision = s.Precision()
		rounded = append(rounded, []int{n, int(math.Round(count(s)))})
		percent = append(percent, decimals((count(s)-float64(n))/float64(n)*100, 1))
	}
	a, err := printedHLL(hash, 0, 6000, all)
	if err != nil {
		return nil, err
	}
	b, err := printedHLL(hash, 4000, 10000, all)
	if err != nil {
		return nil, err
	}
	if err := a.Merge(b); err != nil {
		return nil, err
	}
	repeated, err := printedHLL(hash, 0, 5000, 50)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"p": precision, "rounded": rounded, "relative_percent": percent,
		"merge user0-5999 with user4000-9999": int(math.Round(count(a))),
		"5000 events of 50 users":             int(math.Round(count(repeated))),
	}, nil
}
