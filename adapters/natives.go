package adapters

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/impl/cuckoo"
	"github.com/sketchproof/sketchproof/impl/exact"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/hll"
)

var nativeBloom = Filter{
	Name:  "bloom",
	Keyed: true,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		f, err := bloom.ForRate(uint64(max(spec.Size(), 1)), spec.Epsilon, bloom.Exact, hashOf(spec, hashing.XX))
		return holding(f, err, spec.Keys)
	},
	Merge:  mergeAs[*bloom.Filter, sketchproof.Filter],
	Encode: encode[sketchproof.Filter],
	Decode: decodeInto[bloom.Filter, *bloom.Filter, sketchproof.Filter],
	Laws:   []filterLaw{BloomExact, promisedRate},
}

var nativeCuckoo = Filter{
	Name:  "cuckoo",
	Keyed: true,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		p, err := cuckoo.Size(max(spec.Size(), 1), spec.Epsilon, 4)
		if err != nil {
			return nil, err
		}
		p.Hash = hashOf(spec, hashing.XX)
		f, err := cuckoo.New(p)
		return holding(f, err, spec.Keys)
	},
	Encode: encode[sketchproof.Filter],
	Decode: decodeInto[cuckoo.Filter, *cuckoo.Filter, sketchproof.Filter],
	Laws:   []filterLaw{CuckooPoisson, promisedRate},
}

var exactMap = Filter{
	Name: "exact-map",
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		return holding(exact.NewMap(), nil, spec.Keys)
	},
	Laws: []filterLaw{noFalsePositives},
}

var exactSorted = Filter{
	Name: "exact-sorted",
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		return exact.NewSorted(spec.Keys), nil
	},
	Laws: []filterLaw{noFalsePositives},
}

var nativeHLL = hllSubject("hll", hll.Bytes8)

var nativeHLLPacked = hllSubject("hll-packed", hll.Packed6)

func hllSubject(name string, form hll.Registers) Cardinality {
	return Cardinality{
		Name: name,
		Build: func(spec sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
			return hll.New(hll.Params{Precision: spec.Precision, Registers: form, Hash: hashing.XX(spec.Seed)})
		},
		Merge:  mergeAs[*hll.Sketch, sketchproof.Cardinality],
		Encode: encode[sketchproof.Cardinality],
		Decode: decodeInto[hll.Sketch, *hll.Sketch, sketchproof.Cardinality],
		Laws:   []cardinalityLaw{hllSpread, hllBias},
	}
}

var exactDistinct = Cardinality{
	Name: "exact-distinct",
	Build: func(sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
		return exact.NewDistinct(), nil
	},
}

var nativeCountMin = countMinSubject("countmin", false)

var nativeConservative = countMinSubject("countmin-conservative", true)

func countMinSubject(name string, conservative bool) Frequency {
	s := Frequency{
		Name: name,
		Build: func(spec sketchproof.FrequencySpec) (sketchproof.Frequency, error) {
			return countmin.New(countmin.Params{
				Width: spec.Width, Depth: spec.Depth, Conservative: conservative, Hash: hashing.XX(spec.Seed),
			})
		},
		Encode: encode[sketchproof.Frequency],
		Decode: decodeInto[countmin.Sketch, *countmin.Sketch, sketchproof.Frequency],
	}
	if !conservative {
		s.Merge = mergeAs[*countmin.Sketch, sketchproof.Frequency]
	}
	return s
}

var exactCounter = Frequency{
	Name: "exact-counter",
	Build: func(sketchproof.FrequencySpec) (sketchproof.Frequency, error) {
		return exact.NewCounter(), nil
	},
}
