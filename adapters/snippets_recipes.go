package adapters

import (
	"fmt"
	"slices"
)

// recipes are the snippets of all subjects, by kind.
var recipes = slices.Concat(filterRecipes, libraryFilterRecipes, cardinalityRecipes, streamRecipes, signatureRecipes, placerRecipes)

var filterRecipes = []recipe{
	adding("bloom", "bloom.ForRate({{.Keys}}, {{.Epsilon}}, bloom.Exact, {{.Hash}})", "bloom"),
	adding("bloom", "bloom.ForRatePartitioned({{.Keys}}, {{.Epsilon}}, {{.Hash}})", "bloom-partitioned"),
	adding("blocked", `blocked.ForRate({{.Keys}}, {{.Epsilon}}, blocked.{{if eq .Subject "blocked-line"}}Line{{else if eq .Subject "blocked-word"}}Word{{else}}Sectors{{end}}, {{.Hash}})`,
		"blocked-line", "blocked-sectors", "blocked-word"),
	adding("splitblock", "splitblock.ForRate({{.Keys}}, {{.Epsilon}}, {{.Hash}})", "splitblock"),
	adding("counting", "counting.ForRate({{.Keys}}, {{.Epsilon}}, 4, {{.Hash}})", "counting-4"),
	adding("counting", "counting.ForRate({{.Keys}}, {{.Epsilon}}, 8, {{.Hash}})", "counting-8"),
	adding("counting", "counting.ForRate({{.Keys}}, {{.Epsilon}}, 16, {{.Hash}})", "counting-16"),
	adding("scalable", "scalable.New(scalable.Params{Capacity: {{.Keys}} / 8, Rate: {{.Epsilon}}, Hash: {{.Hash}}})", "scalable"),
	adding("rotating", "rotating.ForRate({{.Keys}}, {{.Epsilon}}, {{.Hash}})", "rotating"),
	adding("infini", "infini.ForRate({{.Keys}}, {{.Epsilon}}, {{.Hash}})", "infini"),
	sized("cuckoo", "cuckoo.Size({{.Keys}}, {{.Epsilon}}, 4)", "cuckoo.New(p)", "cuckoo"),
	sized("cuckoo", "cuckoo.SizeSemiSorted({{.Keys}}, {{.Epsilon}})", "cuckoo.New(p)", "cuckoo-semisorted"),
	sized("quotient", "quotient.Size({{.Keys}}, {{.Epsilon}})", "quotient.New(p)", "quotient"),
	sized("quotient", "quotient.Size({{.Keys}}, {{.Epsilon}})", "quotient.NewCounting(p)", "quotient-counting"),
	tagged("xor", "uint8", "", "xor8"),
	tagged("xor", "uint16", "", "xor16"),
	tagged("fuse", "uint8", "Arity: 3, ", "fuse3-8"),
	tagged("fuse", "uint16", "Arity: 3, ", "fuse3-16"),
	tagged("fuse", "uint32", "Arity: 3, ", "fuse3-32"),
	tagged("fuse", "uint8", "Arity: 4, ", "fuse4-8"),
	tagged("fuse", "uint16", "Arity: 4, ", "fuse4-16"),
	tagged("fuse", "uint32", "Arity: 4, ", "fuse4-32"),
	solved(64, "Standard", "ribbon.New(keys, p)", "ribbon.NewFromBytes(keys, p)", "ribbon"),
	solved(64, "Homogeneous", "ribbon.New(keys, p)", "ribbon.NewFromBytes(keys, p)", "ribbon-homogeneous"),
	solved(128, "Standard", "ribbon.New(keys, p)", "ribbon.NewFromBytes(keys, p)", "ribbon-128"),
	solved(64, "Standard", "ribbon.NewBumped(keys, p)", "ribbon.NewBumpedFromBytes(keys, p)", "burr"),
	{[]string{"exact-map"}, nil, keysPart + `	set := make(map[{{if .Text}}string{{else}}uint64{{end}}]struct{}, {{.Keys}})
	for _, key := range keys {
		set[{{if .Text}}string(key){{else}}key{{end}}] = struct{}{}
	}
	_, found := set[{{if .Text}}string(keys[0]){{else}}keys[0]{{end}}]
	fmt.Println(found)
`},
	{[]string{"exact-sorted"}, nil, `	keys := []uint64{3, 1, 4} // yours
	slices.Sort(keys)
	_, found := slices.BinarySearch(keys, 3)
	fmt.Println(found)
`},
}

func tagged(pkg, width, arity, subject string) recipe {
	params := fmt.Sprintf("%s.Params{%sHash: {{.Hash}}}", pkg, arity)
	return static(pkg, fmt.Sprintf("%s.New[%s](keys, %s)", pkg, width, params),
		fmt.Sprintf("%s.NewFromBytes[%s](keys, %s)", pkg, width, params), subject)
}

var libraryFilterRecipes = []recipe{
	{[]string{"bits-and-blooms"}, []string{"github.com/bits-and-blooms/bloom/v3"}, bytesOnly + `	f := bloom.NewWithEstimates({{.Keys}}, {{.Epsilon}})
	for _, key := range keys {
		f.Add(asBytes(key))
	}
	fmt.Println(f.Test(asBytes(keys[0])))
`},
	{[]string{"seiflotfy-cuckoo"}, []string{"cuckoo github.com/seiflotfy/cuckoofilter"}, bytesOnly + `	f := cuckoo.NewFilter({{.Keys}})
	for _, key := range keys {
		if !f.Insert(asBytes(key)) {
			log.Fatal("full")
		}
	}
	fmt.Println(f.Lookup(asBytes(keys[0])))
`},
	{[]string{"xxhash-bloom"}, []string{"github.com/cespare/xxhash/v2", ourPackage("bloom")}, bytesOnly + `	f, err := bloom.ForRate({{.Keys}}, {{.Epsilon}}, bloom.Exact, hashing.XX(0))
` + fatal + `	for _, key := range keys {
		if err := f.AddHash(xxhash.Sum64(asBytes(key))); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(f.ContainsHash(xxhash.Sum64(asBytes(keys[0]))))
`},
	{[]string{"holiman-bloom"}, []string{"bloomfilter github.com/holiman/bloomfilter/v2", "github.com/cespare/xxhash/v2"}, bytesOnly + `	f, err := bloomfilter.NewOptimal({{.Keys}}, {{.Epsilon}})
` + fatal + `	for _, key := range keys {
		f.AddHash(xxhash.Sum64(asBytes(key)))
	}
	fmt.Println(f.ContainsHash(xxhash.Sum64(asBytes(keys[0]))))
`},
	{[]string{"ristretto-bloom"}, []string{"github.com/dgraph-io/ristretto/v2/z", "github.com/cespare/xxhash/v2"}, bytesOnly + `	f := z.NewBloomFilter({{.Keys}}, {{.Epsilon}})
	for _, key := range keys {
		f.Add(xxhash.Sum64(asBytes(key)))
	}
	fmt.Println(f.Has(xxhash.Sum64(asBytes(keys[0]))))
`},
	{[]string{"fastfilter-xor8"}, []string{"github.com/FastFilter/xorfilter"}, `	keys := []uint64{3, 1, 4} // yours, without repeats
	f, err := xorfilter.Populate(keys)
` + fatal + `	fmt.Println(f.Contains(keys[0]))
`},
	{[]string{"fastfilter-fuse8"}, []string{"github.com/FastFilter/xorfilter"}, `	keys := []uint64{3, 1, 4} // yours, without repeats
	f, err := xorfilter.NewBinaryFuse[uint8](keys)
` + fatal + `	fmt.Println(f.Contains(keys[0]))
`},
}

// bytesOnly are keys for what takes byte strings alone.
const bytesOnly = keysPart + `{{if .Text}}	asBytes := func(key []byte) []byte { return key }
{{else}}	asBytes := func(key uint64) []byte { return binary.LittleEndian.AppendUint64(nil, key) }
{{end}}`

// counted is a distinct count.
func counted(pkg, make string, subjects ...string) recipe {
	return recipe{subjects, []string{ourPackage(pkg)}, "\ts, err := " + make + "\n" + fatal + `	for _, word := range []string{"a", "rose", "is", "a", "rose"} {
		s.AddBytes([]byte(word))
	}
	fmt.Println(s.Estimate())
`}
}

var cardinalityRecipes = []recipe{
	counted("hll", "hll.New(hll.Params{Precision: {{.Precision}}, Hash: {{.Hash}}})", "hll"),
	counted("hll", "hll.New(hll.Params{Precision: {{.Precision}}, Registers: hll.Packed6, Hash: {{.Hash}}})", "hll-packed"),
	counted("hll", "hll.New(hll.Params{Precision: {{.Precision}}, Sparse: true, Hash: {{.Hash}}})", "hll-sparse"),
	counted("hll", "hll.NewMartingale(hll.Params{Precision: {{.Precision}}, Hash: {{.Hash}}})", "hll-martingale"),
	counted("ull", "ull.New(ull.Params{Precision: {{.Precision}}, Hash: {{.Hash}}})", "ull"),
	counted("ull", "ull.NewMartingale(ull.Params{Precision: {{.Precision}}, Hash: {{.Hash}}})", "ull-martingale"),
	counted("ell", "ell.New(ell.Standard({{.Precision}}, {{.Hash}}))", "ell"),
	counted("ell", "ell.NewMartingale(ell.Standard({{.Precision}}, {{.Hash}}))", "ell-martingale"),
	counted("linearcounting", "linearcounting.New(linearcounting.Params{Bits: 8 << {{.Precision}}, Hash: {{.Hash}}})", "linearcounting"),
	counted("kmv", "kmv.New(kmv.Params{K: 1 << {{.Precision}}, Hash: {{.Hash}}})", "kmv"),
	{[]string{"axiomhq-hll"}, []string{"github.com/axiomhq/hyperloglog"}, `	s, err := hyperloglog.NewSketch({{.Precision}}, true)
` + fatal + `	for _, word := range []string{"a", "rose", "is", "a", "rose"} {
		s.Insert([]byte(word))
	}
	fmt.Println(s.Estimate())
`},
	{[]string{"exact-distinct"}, nil, `	seen := map[string]struct{}{}
	for _, word := range []string{"a", "rose", "is", "a", "rose"} {
		seen[word] = struct{}{}
	}
	fmt.Println(len(seen))
`},
}

// streamed is a sketch of a stream of weights, asked by a last line.
func streamed(pkg, make, ask string, subjects ...string) recipe {
	return recipe{subjects, []string{ourPackage(pkg)}, "\ts, err := " + make + "\n" + fatal + `	for _, key := range []uint64{3, 1, 4, 1, 5} {
		s.Add(key, 1)
	}
` + ask}
}

const (
	askCount = "\tfmt.Println(s.Count(1))\n"
	askTop   = `	for _, heavy := range s.Top(3) {
		fmt.Println(heavy.Key, "at most", heavy.Count, "at least", heavy.Count-heavy.Over)
	}
`
)

var streamRecipes = []recipe{
	streamed("countmin", "countmin.New(countmin.Params{Width: {{.Width}}, Depth: {{.Depth}}, Hash: {{.Hash}}})", askCount, "countmin"),
	streamed("countmin", "countmin.New(countmin.Params{Width: {{.Width}}, Depth: {{.Depth}}, CellBits: 32, Hash: {{.Hash}}})", askCount, "countmin-32"),
	streamed("countmin", "countmin.New(countmin.Params{Width: {{.Width}}, Depth: {{.Depth}}, Conservative: true, Hash: {{.Hash}}})", askCount, "countmin-conservative"),
	{[]string{"boom-countmin"}, []string{"boom github.com/tylertreat/BoomFilters"}, `	// The library takes the error and the chance of a larger one.
	s := boom.NewCountMinSketch(math.E/{{.Width}}, math.Exp(-{{.Depth}}))
	for _, word := range []string{"a", "rose", "is", "a", "rose"} {
		s.Add([]byte(word))
	}
	fmt.Println(s.Count([]byte("rose")))
`},
	{[]string{"exact-counter", "exact-top"}, nil, `	counts := map[uint64]uint64{}
	for _, key := range []uint64{3, 1, 4, 1, 5} {
		counts[key]++
	}
	fmt.Println(counts[1])
`},
	streamed("topk", "topk.NewSpaceSaving(topk.Params{K: {{.K}}, Hash: {{.Hash}}})", askTop, "space-saving"),
	streamed("topk", "topk.NewMisraGries(topk.Params{K: {{.K}}, Hash: {{.Hash}}})", askTop, "misra-gries"),
	{[]string{"countmin-heap"}, []string{ourPackage("countmin"), ourPackage("topk")}, `	s, err := topk.NewCountMin(topk.CountMinParams{
		K: {{.K}}, Sketch: countmin.Params{Width: 2 * {{.K}}, Depth: 4, Hash: {{.Hash}}},
	})
` + fatal + `	for _, key := range []uint64{3, 1, 4, 1, 5} {
		s.Add(key, 1)
	}
` + askTop},
	sampled("reservoir.New[string]({{.K}}, 1)", "s.Add(word)", "reservoir-r"),
	sampled("reservoir.NewL[string]({{.K}}, 1)", "s.Add(word)", "reservoir-l"),
	{[]string{"reservoir-weighted"}, []string{ourPackage("reservoir")}, `	s, err := reservoir.NewWeighted[string]({{.K}}, 1)
` + fatal + `	for i, word := range []string{"ant", "bee", "cat", "dog", "emu"} {
		if err := s.AddWeighted(word, float64(i+1)); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(s.Sample())
`},
}

func sampled(make, add, subject string) recipe {
	return recipe{[]string{subject}, []string{ourPackage("reservoir")}, "\ts, err := " + make + "\n" + fatal + `	for _, word := range []string{"ant", "bee", "cat", "dog", "emu"} {
		` + add + `
	}
	fmt.Println(s.Sample())
`}
}

// compared are two signatures of a kind.
func compared(make, subject string) recipe {
	return recipe{[]string{subject}, []string{ourPackage("minhash")}, `	p := minhash.Params{K: {{.K}}, Hash: {{.Hash}}}
	a, err := ` + make + "\n" + fatal + "\tb, err := " + make + "\n" + fatal + `	for key := range uint64(3000) {
		a.Add(key)
		b.Add(key + 1000)
	}
	fmt.Println(a.Similarity(b)) // 2000 of 4000 keys are in both
`}
}

var signatureRecipes = []recipe{
	compared("minhash.New(p)", "minhash"),
	compared("minhash.NewOnePermutation(p)", "minhash-oph"),
	compared(fmt.Sprintf("minhash.NewBBit(p, %d)", compressedBits), "minhash-bbit"),
	compared("minhash.NewBottomK(p)", "minhash-bottomk"),
}

// placing is a placement of keys over nodes.
func placing(make, subject string) recipe {
	return recipe{[]string{subject}, []string{ourPackage("placement")}, "\tp, err := " + make + "\n" + fatal + `	for _, node := range []string{"a", "b", "c"} {
		if err := p.Add(node); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(p.Owner(42))
`}
}

var placerRecipes = []recipe{
	placing("placement.NewRing(placement.RingParams{VirtualNodes: 100, Hash: {{.Hash}}})", "ring-100"),
	placing("placement.NewRing(placement.RingParams{VirtualNodes: 1, Hash: {{.Hash}}})", "ring-1"),
	placing("placement.NewJump({{.Hash}})", "jump"),
	placing("placement.NewRendezvous({{.Hash}})", "rendezvous"),
	placing("placement.NewMaglev(placement.MaglevParams{Hash: {{.Hash}}})", "maglev"),
	{[]string{"bounded"}, []string{ourPackage("placement")}, fmt.Sprintf(`	p, err := placement.NewBounded(placement.BoundedParams{Epsilon: %v, VirtualNodes: 100, Hash: {{.Hash}}})
`, BoundedEpsilon) + fatal + `	for _, node := range []string{"a", "b", "c"} {
		if err := p.Add(node); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(p.Place(42)) // a key is given to its node, which has a bound
`},
	{[]string{"go-jump"}, []string{"jump github.com/dgryski/go-jump"}, `	nodes := []string{"a", "b", "c"} // add and remove at the end alone
	const hash = 0x9e3779b97f4a7c15  // of your key, well mixed
	fmt.Println(nodes[jump.Hash(hash, len(nodes))])
`},
	{[]string{"serialx-hashring"}, []string{"github.com/serialx/hashring"}, `	ring := hashring.New([]string{"a", "b", "c"})
	fmt.Println(ring.GetNode("key"))
`},
}
