package countmin

import (
	"math"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// chiSquare judges counts that should be equal. Under fair columns the statistic
// has mean len-1 and variance 2(len-1); seven standard deviations pass.
func chiSquare(t *testing.T, what string, counts []int, n int) {
	t.Helper()
	fair, x := float64(n)/float64(len(counts)), 0.0
	for _, c := range counts {
		x += (float64(c) - fair) * (float64(c) - fair) / fair
	}
	free := float64(len(counts) - 1)
	if limit := free + 7*math.Sqrt(2*free); x > limit {
		t.Errorf("%s: chi-square %.0f at %.0f degrees of freedom, at most %.0f", what, x, free, limit)
	}
}

// keyShapes are hashes as the sketch may get them: of keys with structure, or
// from a caller who dealt the keys to this sketch by the high bits.
var keyShapes = map[string]func(i uint64) uint64{
	"consecutive":  func(i uint64) uint64 { return hashing.XX(9).Uint64(i) },
	"stride 2^32":  func(i uint64) uint64 { return hashing.XX(9).Uint64(i << 32) },
	"one shard":    func(i uint64) uint64 { return hashing.XX(9).Uint64(i)>>8 | 0xab<<56 },
	"other shards": func(i uint64) uint64 { return hashing.XX(9).Uint64(i)<<8 | 0xab },
}

func hashIndex(s *Sketch, r int, hash uint64) int {
	return s.index(r, func(hashing.Hasher) uint64 { return hash })
}

// Every pair of rows: uniform over the w^2 pairs of columns, so each row is
// uniform and the two are independent. The rows take several words.
func TestDerivedRowsArePairwiseIndependent(t *testing.T) {
	const n = 1 << 13
	for shape, hash := range keyShapes {
		for _, w := range []int{11, 16} {
			// 16^14 < 2^58 and 11^16 < 2^58: the 18 rows take two words.
			s := mustNew(t, Params{Width: w, Depth: 18, Hash: hashing.XX(9)})
			columns := make([][]int, s.Depth())
			for r := range columns {
				columns[r] = make([]int, n)
				for i := range columns[r] {
					columns[r][i] = hashIndex(s, r, hash(uint64(i)))
				}
			}
			for r := range columns {
				for q := range r {
					pairs := make([]int, w*w)
					for i := range n {
						pairs[columns[r][i]*w+columns[q][i]]++
					}
					chiSquare(t, shape, pairs, n)
				}
			}
		}
	}
}

// Six rows at once, in one word and across the border of two: uniform over all
// 4^6 combinations. At width 4 a word serves 29 rows.
func TestDerivedRowsAreJointlyIndependent(t *testing.T) {
	const n, w, rows = 1 << 16, 4, 6
	s := mustNew(t, Params{Width: w, Depth: 40, Hash: hashing.XX(9)})
	if got := rowsPerWord(w, 40); got != 29 {
		t.Fatalf("a word serves %d rows, 4^29 is 2^58", got)
	}
	for shape, hash := range keyShapes {
		for _, first := range []int{0, 26} {
			combinations := make([]int, 1<<(2*rows))
			for i := range uint64(n) {
				place := 0
				for r := range rows {
					place = place*w + hashIndex(s, first+r, hash(i))
				}
				combinations[place]++
			}
			chiSquare(t, shape, combinations, n)
		}
	}
}

func TestRowsPerWordLeavesTheGridFine(t *testing.T) {
	for _, c := range []struct{ w, d, want uint64 }{
		{1, 64, 64}, // one column takes no bits
		{2, 64, 58},
		{2719, 5, 5}, // 2719^5 = 2^57.04
		{2719, 6, 5},
		{1 << 29, 5, 2},
		{1<<29 + 1, 5, 1},
		{1 << 31, 5, 1}, // one row always fits
	} {
		if got := rowsPerWord(c.w, c.d); got != c.want {
			t.Errorf("width %d, depth %d: %d rows, want %d", c.w, c.d, got, c.want)
		}
	}
}

// within checks a mean of n independent values of standard deviation sd, to
// six standard errors.
func within(t *testing.T, what string, got, want, sd float64, n int) {
	t.Helper()
	if se := sd / math.Sqrt(float64(n)); !(math.Abs(got-want) <= 6*se) {
		t.Errorf("%s: %v, want %v within six standard errors of %v", what, got, want, se)
	}
}

// The excess of a row over the truth: its mean and variance, over fresh hash
// functions. The key asked for has weight 5, twenty others 1 to 20.
func TestRowMomentsHold(t *testing.T) {
	const trials, w, d, f = 1500, 7, 4, 5
	n, f2, fourth := float64(f), float64(f*f), 0.0
	p := 1.0 / w
	for c := 1.0; c <= 20; c++ {
		n += c
		f2 += c * c
		// Fourth central moment of c times a Bernoulli variable, less three
		// times its squared variance: the excess kurtosis terms add up.
		v := p * (1 - p)
		fourth += c * c * c * c * (v*(1-3*v) - 3*v*v)
	}
	variance := RowVariance(f2, f, w)
	fourth += 3 * variance * variance
	for _, rows := range []RowScheme{Derived, Independent} {
		sums, squares := make([]float64, d), make([]float64, d)
		for trial := range uint64(trials) {
			s := mustNew(t, Params{Width: w, Depth: d, Rows: rows, Hash: hashing.XX(hashing.Mix(trial))})
			s.Add(0, f)
			for key := uint64(1); key <= 20; key++ {
				s.Add(key, key)
			}
			for r := range d {
				excess := float64(s.Row(r)[s.Index(r, 0)]-f) - RowMean(n, f, w)
				sums[r] += excess
				squares[r] += excess * excess
			}
		}
		for r := range d {
			within(t, rows.String()+" mean", sums[r]/trials, 0, math.Sqrt(variance), trials)
			within(t, rows.String()+" variance", squares[r]/trials, variance,
				math.Sqrt(fourth-variance*variance), trials)
		}
	}
}

// The estimate is over by more than x when all rows are: six other keys of
// weight 1 put Binomial(6, 1/4) on the key's counter in each row.
func TestTailIsThePowerOfTheRowTail(t *testing.T) {
	const trials, w, d, x = 8000, 4, 3, 1
	rowTail := 1 - math.Pow(0.75, 6) - 6*0.25*math.Pow(0.75, 5)
	want := Tail(rowTail, d)
	for _, rows := range []RowScheme{Derived, Independent} {
		over := 0
		for trial := range uint64(trials) {
			s := mustNew(t, Params{Width: w, Depth: d, Rows: rows, Hash: hashing.XX(hashing.Mix(trial))})
			for key := range uint64(6) {
				s.Add(key, 1)
			}
			if s.Count(99) > x {
				over++
			}
		}
		within(t, rows.String()+" tail", float64(over)/trials, want, math.Sqrt(want*(1-want)), trials)
	}
}
