package experiments

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/fuse"
	"github.com/sketchproof/sketchproof/impl/xor"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

var (
	fuse3Size      = fuse3x8.sizeLaw("fuse.1.125", "Graf & Lemire 2022, section 4.1: 1.125 f with three slots a key")
	fuse4Size      = fuse4x8.sizeLaw("fuse.1.075", "Graf & Lemire 2022, section 4.1: 1.075 f with four slots a key")
	xorSizeOverN   = xor8.sizeLaw("xor.1.23", "Graf & Lemire 2020, algorithm 3: 1.23 f")
	noBuildFailure = engine.Metric{
		Name: "failures/build", Method: stats.Invariant,
		Law: "no-build-failure", Source: "Graf & Lemire 2022, section 4: a seed that works is found",
	}
	buildAttempts = engine.Metric{Name: "attempts/build", Method: stats.Mean}
)

var fuseSpace = engine.Experiment{
	Name:     "fuse/space",
	Question: "What does a binary fuse filter pay over the bound, and can it be built of any number of keys?",
	Claims: []engine.Claim{
		{
			Text:   "a binary fuse filter with three slots a key takes 1.125 times the bound",
			Source: "Graf & Lemire 2022",
			Metric: fuse3Size.Name, Law: fuse3Size.Law,
		},
		{
			Text:   "a binary fuse filter with four slots a key takes 1.075 times the bound",
			Source: "Graf & Lemire 2022",
			Metric: fuse4Size.Name, Law: fuse4Size.Law,
		},
		{
			Text:   "building succeeds at any number of keys",
			Source: "Graf & Lemire 2020, 2022",
			Metric: noBuildFailure.Name, Law: noBuildFailure.Law,
		},
	},
	Method: "Filters of 8-bit fingerprints are built of n random keys, several in a trial, and the median of their sizes read, over a fine grid of n; 1 % is allowed about the " +
		"size as n grows, which is judged from 100 000 keys on. It holds from 500 000 on with four slots, and at a million with three. Below, the authors' own formula asks for " +
		"more, 0.875 + 0.25 ln(10^6)/ln n slots a key or 0.77 + 0.305 ln(6·10^5)/ln n with four, because a graph of few segments does not " +
		"peel at less. Whole segments make the sawtooth: their length doubles wherever n grows by 3.33, or " +
		"by 2.91 with four slots. Where it has just doubled, near 11 500 keys, nine attempts of ten fail with three slots a key: " +
		"the attempts are counted, and after four failures the table grows by a sixteenth, which these points show. A build that gives up, " +
		"after 256 attempts, would be a failure.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, kind := range []struct {
			staticKind
			metric  engine.Metric
			decades [3]int // points a decade to 10^5, to 10^6, to 10^7
		}{{fuse3x8, fuse3Size, [3]int{12, 6, 6}}, {fuse4x8, fuse4Size, [3]int{12, 6, 6}}, {xor8, xorSizeOverN, [3]int{2, 1, 1}}} {
			smoke := []int{1, 1000}
			ci := slices.Concat(logGrid(0, 5, kind.decades[0]), logGrid(5, 6, kind.decades[1]), []int{1000000})
			if kind.staticKind != xor8 {
				ci = append(ci, 11300, 11500, 11700)
			}
			full := append(without(logGrid(6, 7, kind.decades[2]), 1000000), 10000000)
			sizes := engine.Pick(s, smoke, without(ci, smoke...), full)
			slices.Sort(sizes) // a line is drawn from one to the next
			for _, n := range sizes {
				cells = append(cells, fuseSpaceCell(kind.staticKind, kind.metric, n))
			}
		}
		return cells
	},
}

// largeSet is from where on the size as n grows is judged.
const largeSet = 100000

// logGrid is a grid of whole numbers from 10^from on, below 10^to, so many a decade.
func logGrid(from, to, perDecade int) []int {
	var grid []int
	for i := from * perDecade; i < to*perDecade; i++ {
		n := int(math.Round(math.Pow(10, float64(i)/float64(perDecade))))
		if len(grid) == 0 || grid[len(grid)-1] != n {
			grid = append(grid, n)
		}
	}
	return grid
}

// without is the list without some numbers.
func without(list []int, some ...int) []int {
	return slices.DeleteFunc(list, func(n int) bool { return slices.Contains(some, n) })
}

func fuseSpaceCell(kind staticKind, size engine.Metric, n int) engine.Cell {
	// The size of a filter is a matter of n, but for the odd attempt: a trial reads
	// the median of an odd number of builds.
	group := min(groupOf(n/4+1), 50) | 1
	trials := 32
	if n > 100000 {
		trials = 4
	}
	if n < largeSet {
		size.Law, size.Source = "", ""
	}
	return engine.Cell{
		Labels:  append(kind.labels(n), record.L("decade", len(strconv.Itoa(n))-1)...),
		Metrics: []engine.Metric{size, noBuildFailure, buildAttempts},
		Trials:  trials,
		Cost:    cost("", 3*group*n, 20*n),
		Run: func(t *engine.T) error {
			var failures, attempts int64
			var bits []int64
			for i := range group {
				f, err := kind.build(keys(parts(t.Seed, 2*i)), n, parts(t.Seed, 2*i+1))
				if errors.Is(err, fuse.ErrBuild) || errors.Is(err, xor.ErrBuild) {
					failures++
					continue
				}
				if err != nil {
					return err
				}
				bits = append(bits, 8*int64(f.SizeBytes()))
				attempts += int64(f.(interface{ Attempts() int }).Attempts())
			}
			t.Read(noBuildFailure, failures, int64(group), never)
			if len(bits) > 0 {
				slices.Sort(bits)
				t.Read(size, bits[len(bits)/2], int64(n), kind.sizeBand())
				t.Read(buildAttempts, attempts, int64(len(bits)), stats.Band{})
			}
			return nil
		},
	}
}
