package experiments

import (
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/placement"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// What moves when a server joins.
var (
	movedBetweenOld = engine.Metric{
		Name: "moved-between-old/key", Method: stats.Invariant,
		Law: "placement.only-to-newcomer", Source: "Karger et al. 1997: monotonicity",
	}
	movedShare = engine.Metric{
		Name: "moved/key", Method: stats.Rate,
		Law: "ring.moved", Source: "Karger et al. 1997: 1/(S+1)",
	}
	movedTails = engine.Metric{
		Name: "outside-90%/ring", Method: stats.Rate,
		Law: "ring.moved-beta", Source: "David and Nagaraja 2003, section 6.4: the newcomer's share is Beta(v, vS)",
	}
	moduloMoved = engine.Metric{
		Name: "moved/key", Method: stats.Rate,
		Law: "modulo.moved", Source: "derived: of S(S+1) pairs of remainders S are equal",
	}
)

var ringMoved = engine.Experiment{
	Name:     "ring/moved",
	Question: "Which keys move when a server joins, and how many?",
	Claims: []engine.Claim{
		{
			Text: "no key moves between old servers", Source: "Probabilistic Structures",
			Metric: movedBetweenOld.Name, Law: movedBetweenOld.Law,
		},
		{
			Text: "a new server takes 1/(S+1) of the keys on average", Source: "Probabilistic Structures",
			Metric: movedShare.Name, Law: movedShare.Law,
		},
		{
			Text:   "the share that it takes is spread as Beta(v, vS): one ring in ten is outside the middle 90 %",
			Source: "David and Nagaraja 2003",
			Metric: movedTails.Name, Law: movedTails.Law,
		},
		{
			Text: "by hash modulo S, S/(S+1) of the keys move", Source: "Probabilistic Structures",
			Metric: moduloMoved.Name, Law: moduloMoved.Law,
		},
	},
	Method: "A server joins a ring of S. Random keys are looked up before and after; the newcomer's share is measured on the circle too, " +
		"and compared with the 5th and 95th percentile of its law. A trial does that on some rings, each under a seed of its own. With one point each that share is anything: half of the rings give " +
		"the newcomer less than 0.16 at S = 4.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, c := range engine.Pick(s,
			[]ringShape{{4, 1, 50}},
			[]ringShape{{4, 10, 50}, {4, 100, 100}, {32, 1, 200}, {32, 10, 200}},
			[]ringShape{{32, 100, 1000}, {100, 100, 10000}}) {
			cells = append(cells, ringMovedCell(c))
		}
		for _, n := range engine.Pick(s, []int{4}, []int{32}, nil) {
			cells = append(cells, moduloCell(n, 1000))
		}
		return cells
	},
}

func ringMovedCell(shape ringShape) engine.Cell {
	operations := ringPoint*shape.servers*shape.points + 4*shape.keys
	rings := groupOf(operations)
	price := cost("", rings*operations, 20*shape.servers*shape.points)
	low, high := placement.MovedQuantile(shape.servers, shape.points, 0.05), placement.MovedQuantile(shape.servers, shape.points, 0.95)
	return engine.Cell{
		Labels: shape.labels(), Metrics: []engine.Metric{movedBetweenOld, movedShare, movedTails},
		Trials: planned(price), Cost: price,
		Run: func(t *engine.T) error {
			var all moves
			var outside int64
			newcomer := serverNames[shape.servers]
			for i := range rings {
				before, err := shape.build(parts(t.Seed, 2*i+1))
				if err != nil {
					return err
				}
				after := before.Clone()
				if err := after.Add(newcomer); err != nil {
					return err
				}
				m, err := movesOf(before, after, newcomer, keys(parts(t.Seed, 2*i)), shape.keys)
				if err != nil {
					return err
				}
				all.between += m.between
				all.toNewcomer += m.toNewcomer
				share := shareOf(after, newcomer)
				outside += one(share < low || share > high)
			}
			keys := int64(rings * shape.keys)
			t.Read(movedBetweenOld, all.between, keys, never)
			t.Read(movedShare, all.toNewcomer, keys, stats.Within(placement.MovedMean(shape.servers), movedTolerance))
			const tailTolerance = 0.2 // of one ring in ten
			t.Read(movedTails, outside, int64(rings), stats.Within(0.1, tailTolerance))
			return nil
		},
	}
}

// shareOf is the part of the circle that a server owns.
func shareOf(r *placement.Ring, server string) (share float64) {
	points := r.Points()
	last := points[len(points)-1].Place
	for _, p := range points {
		if p.Node == server {
			share += float64(p.Place-last) / (1 << 64) // goes around at 0
		}
		last = p.Place
	}
	return share
}

// movedTolerance is the relative difference in a share of moved keys that would
// matter to nobody.
const movedTolerance = 0.05

// An owned tells the server of a key.
type owned interface {
	Owner(key uint64) (string, error)
}

// moves are counts of keys: those that went to the newcomer, and those that went
// from one old server to another.
type moves struct{ toNewcomer, between int64 }

func movesOf(before, after owned, newcomer string, keys keys, n int) (moves, error) {
	var m moves
	for i := range n {
		old, err := before.Owner(keys.at(i))
		if err != nil {
			return m, err
		}
		now, err := after.Owner(keys.at(i))
		if err != nil {
			return m, err
		}
		if now == newcomer {
			m.toNewcomer++
		} else if now != old {
			m.between++
		}
	}
	return m, nil
}

func moduloCell(servers, n int) engine.Cell {
	price := cost("", n, 0)
	return engine.Cell{
		Labels: record.L("subject", "modulo", "S", servers, "K", n), Metrics: []engine.Metric{moduloMoved},
		Trials: planned(price), Cost: price,
		Run: func(t *engine.T) error {
			hash, keys := hashing.XX(parts(t.Seed, 1)), keys(parts(t.Seed, 0))
			var moved int64
			for i := range n {
				h := hash.Uint64(keys.at(i))
				moved += one(h%uint64(servers) != h%uint64(servers+1))
			}
			t.Read(moduloMoved, moved, int64(n), adapters.RateBand(placement.ModuloMoved(servers)))
			return nil
		},
	}
}
