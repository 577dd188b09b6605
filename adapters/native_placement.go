package adapters

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/placement"
	"github.com/sketchproof/sketchproof/stats"
)

type placerLaw = sketchproof.Law[sketchproof.Placer, sketchproof.PlacerSpec]

// The metrics that laws of placement speak about.
const (
	MetricLoadVariance = sketchproof.MetricLoadVariance
	MetricMoved        = sketchproof.MetricMoved
)

var nativeRing100 = ringSubject("ring-100", 100)

var nativeRing1 = ringSubject("ring-1", 1)

func ringSubject(name string, virtual int) Placer {
	return Placer{
		Name: name,
		Build: func(spec sketchproof.PlacerSpec) (sketchproof.Placer, error) {
			r, err := placement.NewRing(placement.RingParams{VirtualNodes: virtual, Hash: hashing.XX(spec.Seed)})
			return with(r, err, spec.Nodes)
		},
		Encode: encode[sketchproof.Placer],
		Decode: decodeInto[placement.Ring, *placement.Ring, sketchproof.Placer],
		Laws: []placerLaw{
			loadLaw("ring.sampled-cv", "derived: Beta(v, v(S-1)) shares (David and Nagaraja 2003, section 6.4), counted on n keys",
				func(s, n int) float64 { return placement.SampledShareCV(s, virtual, n) }),
			movedLaw,
		},
	}
}

// nativeJump depends on the order of adding, which numbers the nodes; only the last
// can be removed.
var nativeJump = Placer{
	Name: "jump",
	Build: func(spec sketchproof.PlacerSpec) (sketchproof.Placer, error) {
		j, err := placement.NewJump(hashing.XX(spec.Seed))
		return with(j, err, spec.Nodes)
	},
	Encode: encode[sketchproof.Placer],
	Decode: decodeInto[placement.Jump, *placement.Jump, sketchproof.Placer],
	Laws:   []placerLaw{evenLaw, movedLaw, numberedLaw},
}

var nativeRendezvous = Placer{
	Name: "rendezvous",
	Build: func(spec sketchproof.PlacerSpec) (sketchproof.Placer, error) {
		r, err := placement.NewRendezvous(hashing.XX(spec.Seed))
		return with(r, err, spec.Nodes)
	},
	Encode: encode[sketchproof.Placer],
	Decode: decodeInto[placement.Rendezvous, *placement.Rendezvous, sketchproof.Placer],
	Laws:   []placerLaw{evenLaw, movedLaw},
}

var nativeMaglev = Placer{
	Name: "maglev",
	Build: func(spec sketchproof.PlacerSpec) (sketchproof.Placer, error) {
		m, err := placement.NewMaglev(placement.MaglevParams{Hash: hashing.XX(spec.Seed)})
		return with(m, err, spec.Nodes)
	},
	Encode: encode[sketchproof.Placer],
	Decode: decodeInto[placement.Maglev, *placement.Maglev, sketchproof.Placer],
	Laws: []placerLaw{loadLaw("maglev.even", "Eisenbud et al. 2016, section 3.4: slots differ by at most 1; binomial on n keys",
		func(s, n int) float64 { return placement.MaglevCV(s, placement.DefaultTable, n) })},
}

// BoundedEpsilon is ε of the subject bounded.
const BoundedEpsilon = 0.25

// nativeBounded places nothing by being asked: keys are given to it by Place.
var nativeBounded = Placer{
	Name: "bounded",
	Build: func(spec sketchproof.PlacerSpec) (sketchproof.Placer, error) {
		b, err := placement.NewBounded(placement.BoundedParams{
			Epsilon: BoundedEpsilon, VirtualNodes: 100, Hash: hashing.XX(spec.Seed),
		})
		return with(b, err, spec.Nodes)
	},
	Encode: encode[sketchproof.Placer],
	Decode: decodeInto[placement.Bounded, *placement.Bounded, sketchproof.Placer],
}

// with adds the spec's nodes to an empty placement, in one step if it can.
func with[P sketchproof.Placer](p P, err error, nodes []string) (sketchproof.Placer, error) {
	if err != nil {
		return nil, err
	}
	if all, ok := any(p).(interface{ AddAll(nodes ...string) error }); ok {
		if err := all.AddAll(nodes...); err != nil {
			return nil, err
		}
		return p, nil
	}
	for _, node := range nodes {
		if err := p.Add(node); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// loadLaw is about the variation of loads, by the number of nodes and keys. A
// tenth of a variance is a twentieth of a deviation.
func loadLaw(name, source string, cv func(s, n int) float64) placerLaw {
	return placerLaw{
		Name: name, Source: source, Metric: MetricLoadVariance,
		Predict: func(_ sketchproof.Placer, spec sketchproof.PlacerSpec, n int) stats.Band {
			x := cv(len(spec.Nodes), n)
			return stats.Within(x*x, 0.1)
		},
	}
}

var evenLaw = loadLaw("placement.even", "every node owns a key with equal chance, apart from other keys: binomial", placement.EvenCV)

var movedLaw = placerLaw{
	Name: "placement.moved", Metric: MetricMoved, Source: "Karger et al. 1997: no more keys move than must, 1/(S+1)",
	Predict: func(_ sketchproof.Placer, spec sketchproof.PlacerSpec, _ int) stats.Band {
		return stats.Within(placement.MovedMean(len(spec.Nodes)), 0.05)
	},
}

// numberedLaw says that the order of adding may move every key.
var numberedLaw = placerLaw{
	Name: "jump.numbered", Metric: sketchproof.MetricReordered, Source: "Lamping and Veach 2014: nodes are numbered, in the order of adding",
	Predict: func(sketchproof.Placer, sketchproof.PlacerSpec, int) stats.Band { return stats.AtMost(1) },
}
