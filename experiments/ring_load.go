package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/placement"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// How uneven a ring is, by arcs of the circle and by counted keys.
var (
	shareVariance = engine.Metric{
		Name: "squared-share-cv", Method: stats.Mean,
		Law: "ring.share-cv", Source: "David and Nagaraja 2003, section 6.4: shares are Beta(v, v(S-1)), so (S-1)/(vS+1)",
	}
	loadVariance = engine.Metric{
		Name: adapters.MetricLoadVariance, Method: stats.Mean,
		Law: "ring.sampled-cv", Source: "derived: the arcs' variance less its K-th part, and (S-1)/K for K keys",
	}
	largestShare = engine.Metric{
		Name: "max-share/mean-share", Method: stats.Mean,
		Law: "ring.largest", Source: "David and Nagaraja 2003, section 6.4: the largest of S uniform spacings, H_S",
	}
	largestOfMany = engine.Metric{Name: largestShare.Name, Method: stats.Mean} // no closed form with v > 1
	largestLoad   = engine.Metric{Name: "max-load/mean-load", Method: stats.Mean}
)

// loadTolerance is 5 % of a deviation.
const loadTolerance = 0.1

var ringLoad = engine.Experiment{
	Name:     "ring/load",
	Question: "How even are the loads of a ring, and what do virtual nodes do for it?",
	Claims: []engine.Claim{
		{
			Text:   "more virtual nodes even the load: a node's share varies by sqrt((S-1)/(vS+1)) of its mean",
			Source: "Probabilistic Structures (for 4 servers it prints loads of 959 to 5148 with 1 point each, of 2159 to 2764 with 100)",
			Metric: shareVariance.Name, Law: shareVariance.Law,
		},
		{
			Text:   "counted on K keys, (S-1)/K is added under the root",
			Source: "derived",
			Metric: loadVariance.Name, Law: loadVariance.Law,
		},
		{
			Text:   "with one point each the fullest of S servers has H_S times the mean",
			Source: "David and Nagaraja 2003",
			Metric: largestShare.Name, Law: largestShare.Law,
		},
	},
	Method: "Every trial is a ring of S servers with v points each, under a seed of its own. The square of share/mean - 1 is averaged over " +
		"servers and rings: once for the arcs of the circle, which are the shares of endless keys, and once for K random keys. The printed " +
		"loads themselves are replayed digit by digit under replay; here is what to expect of any other seed. The mean of max/mean with " +
		"more than one point has no simple law and is only told.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, c := range engine.Pick(s,
			[]ringShape{{4, 1, 1000}},
			[]ringShape{
				{4, 2, 1000},
				{4, 10, 1000},
				{4, 5, 1000},
				{4, 20, 1000},
				{4, 50, 1000},
				{4, 100, 1000},
				{4, 200, 1000},
				{32, 1, 1000},
				{32, 2, 1000},
				{32, 5, 1000},
				{32, 10, 1000},
				{32, 20, 1000},
				{32, 50, 1000},
				{32, 100, 1000},
			},
			[]ringShape{{4, 500, 10000}, {32, 200, 10000}, {100, 1, 10000}, {100, 10, 10000}, {100, 100, 10000}}) {
			cells = append(cells, ringLoadCell(c))
		}
		return cells
	},
}

// A ringShape is S servers with v points each, and K keys.
type ringShape struct{ servers, points, keys int }

func (s ringShape) labels() record.Labels {
	return record.L("subject", "ring", "S", s.servers, "v", s.points, "K", s.keys)
}

// ringPoint is about what a point costs to hash and to sort, in operations.
const ringPoint = 10

func (s ringShape) cost() engine.Cost {
	return cost("", ringPoint*s.servers*s.points+2*s.keys, 20*s.servers*s.points)
}

func (s ringShape) build(seed uint64) (*placement.Ring, error) {
	r, err := placement.NewRing(placement.RingParams{VirtualNodes: s.points, Hash: hashing.XX(seed)})
	if err != nil {
		return nil, err
	}
	return r, r.AddAll(servers(s.servers)...)
}

// serverNames are the names of servers, 0 to 4095.
var serverNames = func() (names [4096]string) {
	for i := range names {
		names[i] = string([]byte{'A' + byte(i>>8), 'a' + byte(i>>4&15), 'a' + byte(i&15)})
	}
	return
}()

// servers are the names of n servers, and serverNumber is the way back.
func servers(n int) []string { return serverNames[:n:n] }

func serverNumber(name string) int {
	return int(name[0]-'A')<<8 | int(name[1]-'a')<<4 | int(name[2]-'a')
}

func ringLoadCell(shape ringShape) engine.Cell {
	largest := largestOfMany
	if shape.points == 1 {
		largest = largestShare
	}
	price := shape.cost()
	return engine.Cell{
		Labels: shape.labels(), Metrics: []engine.Metric{shareVariance, loadVariance, largest, largestLoad},
		Trials: planned(price), Cost: price,
		Run: func(t *engine.T) error {
			r, err := shape.build(parts(t.Seed, 1))
			if err != nil {
				return err
			}
			shares := make([]float64, shape.servers)
			points := r.Points()
			last := points[len(points)-1].Place
			for _, p := range points {
				shares[serverNumber(p.Node)] += float64(p.Place-last) / (1 << 64) // goes around at 0
				last = p.Place
			}
			if len(points) == 1 {
				shares[0] = 1
			}
			variance, most := unevenness(shares, 1)
			cv := placement.ShareCV(shape.servers, shape.points)
			readMean(t, shareVariance, variance, stats.Within(cv*cv, loadTolerance))
			const shareTolerance = 0.03
			readMean(t, largest, most, stats.Within(placement.MaxOverMean(shape.servers), shareTolerance))

			loads, err := loadsOf(r, keys(parts(t.Seed, 0)), 0, shape.keys, shape.servers)
			if err != nil {
				return err
			}
			variance, most = unevenness(loads, float64(shape.keys))
			cv = placement.SampledShareCV(shape.servers, shape.points, shape.keys)
			readMean(t, loadVariance, variance, stats.Within(cv*cv, loadTolerance))
			readMean(t, largestLoad, most, stats.Band{})
			return nil
		},
	}
}

// loadsOf counts the keys number from to to-1 of each server.
func loadsOf(p owned, keys keys, from, to, servers int) ([]float64, error) {
	loads := make([]float64, servers)
	for i := from; i < to; i++ {
		owner, err := p.Owner(keys.at(i))
		if err != nil {
			return nil, err
		}
		loads[serverNumber(owner)]++
	}
	return loads, nil
}

// unevenness is the mean square of load/mean - 1, and the largest load over the
// mean, where all loads add up to whole.
func unevenness(loads []float64, whole float64) (variance, most float64) {
	mean := whole / float64(len(loads))
	for _, x := range loads {
		variance += (x/mean - 1) * (x/mean - 1)
		most = max(most, x/mean)
	}
	return variance / float64(len(loads)), most
}

// readMean reads one observation, in parts of 10^9.
func readMean(t *engine.T, m engine.Metric, x float64, band stats.Band) {
	const parts = 1e9
	t.Read(m, int64(math.Round(x*parts)), parts, band)
}
