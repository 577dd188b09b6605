package sketchtest

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/stats"
)

// The specimens are small structures with one defect, which a case must find, or
// with none.

// A countSpecimen keeps the m least hashes.
type countSpecimen struct {
	m      int
	seed   uint64
	hashes []uint64
	asked  atomic.Int64
	d      string
}

func countOf(d string) func(sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
	return func(spec sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
		if spec.Precision < 2 || spec.Precision > 20 {
			return nil, errors.New("a precision of 2 to 20")
		}
		return &countSpecimen{m: 1 << spec.Precision, seed: spec.Seed, d: d}, nil
	}
}

func (c *countSpecimen) Add(key uint64) {
	if c.d == "has no room for zero" && key == 0 {
		return
	}
	hash := mix(key ^ c.seed)
	if c.d == "uses the key as it is" {
		hash = key<<40 | key>>24
	}
	i, found := slices.BinarySearch(c.hashes, hash)
	if found && c.d != "counts what comes again" || i == c.m {
		return
	}
	c.hashes = slices.Insert(c.hashes, i, hash)
	c.hashes = c.hashes[:min(len(c.hashes), c.m)]
}

func (c *countSpecimen) Estimate() float64 {
	asked := c.asked.Add(1)
	n := float64(len(c.hashes))
	if len(c.hashes) == c.m {
		n = float64(c.m-1) / (float64(c.hashes[c.m-1]) / (1 << 64))
	}
	switch {
	case c.d == "is never empty" && n == 0:
		return 1
	case c.d == "is off where it is full" && len(c.hashes) == c.m:
		return n * 1.2
	case c.d == "is spread" && len(c.hashes) == c.m:
		return n * (1 + 0.3*math.Copysign(1, float64(mix(c.hashes[0])&1)-0.5))
	case c.d == "counts questions":
		return n + float64(asked)
	case c.d == "sees one of three" && n == 3:
		return 1
	}
	return n
}

func (c *countSpecimen) SizeBytes() int { return 8 * len(c.hashes) }

// A tableSpecimen is a count-min sketch.
type tableSpecimen struct {
	rows [][]uint64
	seed uint64
	d    string
}

func tableOf(d string) func(sketchproof.FrequencySpec) (sketchproof.Frequency, error) {
	return func(spec sketchproof.FrequencySpec) (sketchproof.Frequency, error) {
		t := &tableSpecimen{seed: spec.Seed, d: d, rows: make([][]uint64, spec.Depth)}
		for i := range t.rows {
			t.rows[i] = make([]uint64, spec.Width)
			if d == "has few columns" {
				t.rows[i] = t.rows[i][:(spec.Width+7)/8]
			}
		}
		return t, nil
	}
}

func (t *tableSpecimen) cell(row int, key uint64) *uint64 {
	hash := mix(mix(key^t.seed) + uint64(row))
	switch t.d {
	case "has one row in all rows":
		hash = mix(key ^ t.seed)
	case "uses the key as it is":
		hash = key >> 32
	}
	return &t.rows[row][hash%uint64(len(t.rows[row]))]
}

func (t *tableSpecimen) Add(key, weight uint64) {
	if t.d == "has no room for the last" && key == math.MaxUint64 {
		return
	}
	if t.d == "counts nothing as one" {
		weight = max(weight, 1)
	}
	for i := range t.rows {
		c := t.cell(i, key)
		sum := *c + weight
		switch {
		case t.d == "wraps around":
			sum = uint64(uint32(sum))
		case sum < *c:
			sum = math.MaxUint64
		case t.d == "takes some off" && sum > 100:
			sum -= 3
		case t.d == "minds the order" && weight > *c:
			sum = weight + *c/2
		}
		*c = sum
	}
}

func (t *tableSpecimen) Count(key uint64) uint64 {
	least := uint64(math.MaxUint64)
	for i := range t.rows {
		least = min(least, *t.cell(i, key))
	}
	if t.d == "doubles" {
		return 2 * least
	}
	return least
}

func (t *tableSpecimen) SizeBytes() int { return 8 * len(t.rows) * len(t.rows[0]) }

// A topSpecimen is Space-Saving with a search for the least counter.
type topSpecimen struct {
	k    int
	kept []sketchproof.Heavy
	d    string
}

func topOf(d string) func(sketchproof.TopKSpec) (sketchproof.TopK, error) {
	return func(spec sketchproof.TopKSpec) (sketchproof.TopK, error) { return &topSpecimen{k: spec.K, d: d}, nil }
}

func (t *topSpecimen) Add(key, weight uint64) {
	if weight == 0 && t.d != "takes nothing" || key == 0 && t.d == "has no room for zero" {
		return
	}
	if i := slices.IndexFunc(t.kept, func(h sketchproof.Heavy) bool { return h.Key == key }); i >= 0 {
		t.kept[i].Count += weight
		return
	}
	if len(t.kept) < t.k {
		t.kept = append(t.kept, sketchproof.Heavy{Key: key, Count: weight})
		return
	}
	if t.d == "keeps the first" {
		return
	}
	least := 0
	for i, h := range t.kept {
		if h.Count < t.kept[least].Count {
			least = i
		}
	}
	over := t.kept[least].Count
	t.kept[least] = sketchproof.Heavy{Key: key, Count: over + weight, Over: over}
	switch t.d {
	case "tells no error":
		t.kept[least].Over = 0
	case "adds too much":
		t.kept[least].Count += 1000
		t.kept[least].Over += 1000
	}
}

func (t *topSpecimen) Top(n int) []sketchproof.Heavy {
	list := slices.Clone(t.kept)
	slices.SortFunc(list, func(a, b sketchproof.Heavy) int {
		if t.d == "lists ties in any order" {
			return cmp.Compare(b.Count, a.Count)
		}
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key))
	})
	if t.d == "lists too many" {
		n++
	}
	return list[:max(0, min(n, len(list)))]
}

func (t *topSpecimen) SizeBytes() int { return 24 * t.k }

// A leastSpecimen keeps the least of K hash functions.
type leastSpecimen struct {
	least []uint64
	seed  uint64
	n     int
	d     string
}

func leastOf(d string) func(sketchproof.SignatureSpec) (sketchproof.Signature, error) {
	return func(spec sketchproof.SignatureSpec) (sketchproof.Signature, error) {
		l := &leastSpecimen{seed: spec.Seed, d: d, least: make([]uint64, spec.K)}
		for i := range l.least {
			l.least[i] = math.MaxUint64
		}
		return l, nil
	}
}

func (l *leastSpecimen) Add(key uint64) {
	l.n++
	for i := range l.least {
		hash := mix(mix(key^l.seed) + uint64(i))
		switch l.d {
		case "has one value":
			hash = mix(key ^ l.seed)
		case "has two idle values":
			if i < 2 {
				hash = 0
			}
		case "takes the first key":
			if l.n > 1 && i < 8 {
				continue
			}
		}
		l.least[i] = min(l.least[i], hash)
	}
}

func (l *leastSpecimen) Similarity(other sketchproof.Signature) (float64, error) {
	o := other.(*leastSpecimen)
	if len(o.least) != len(l.least) && l.d != "compares anything" || l.n == 0 && o.n == 0 {
		return 0, errors.New("not to be compared")
	}
	same := 0
	for i := range min(len(l.least), len(o.least)) {
		if l.least[i] == o.least[i] {
			same++
		}
	}
	if l.d == "has a direction" && l.n < o.n {
		return float64(same) / float64(2*len(l.least)), nil
	}
	return float64(same) / float64(len(l.least)), nil
}

func (l *leastSpecimen) SizeBytes() int { return 8 * len(l.least) }

// A drawSpecimen is a reservoir.
type drawSpecimen struct {
	k, n int
	r    *rand.Rand
	kept []uint64
	d    string
}

func drawOf(d string) func(sketchproof.SamplerSpec) (sketchproof.Sampler, error) {
	return func(spec sketchproof.SamplerSpec) (sketchproof.Sampler, error) {
		return &drawSpecimen{k: spec.K, d: d, r: rand.New(rand.NewPCG(spec.Seed, 0))}, nil
	}
}

func (s *drawSpecimen) Add(key uint64) {
	s.n++
	if len(s.kept) < s.k {
		s.kept = append(s.kept, key)
		return
	}
	seen := s.n
	switch s.d {
	case "skips one":
		if s.n == s.k+1 {
			return
		}
	case "is one off":
		seen--
	case "takes turns":
		if s.r.IntN(s.n) < s.k {
			s.kept[s.n%s.k] = key
		}
		return
	}
	if at := s.r.IntN(seen); at < s.k {
		s.kept[at] = key
		if s.d == "takes two" && s.k > 1 {
			s.kept[(at+1)%s.k] = key
		}
	}
}

func (s *drawSpecimen) Sample() []uint64 {
	if s.d == "gives itself away" {
		return s.kept
	}
	return slices.Clone(s.kept)
}

func (s *drawSpecimen) Merge(o *drawSpecimen) error {
	all := append(s.Sample(), o.Sample()...)
	s.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	s.kept, s.n = all[:min(s.k, len(all))], s.n+o.n // as if both had been shown as many
	return nil
}

// A placeSpecimen gives a key to the node of the highest hash.
type placeSpecimen struct {
	nodes []string
	seed  uint64
	d     string
}

func placeOf(d string) func(sketchproof.PlacerSpec) (sketchproof.Placer, error) {
	return func(spec sketchproof.PlacerSpec) (sketchproof.Placer, error) {
		p := &placeSpecimen{seed: spec.Seed, d: d}
		for _, node := range spec.Nodes {
			if err := p.Add(node); err != nil {
				return nil, err
			}
		}
		return p, nil
	}
}

func (p *placeSpecimen) Add(node string) error {
	if slices.Contains(p.nodes, node) && p.d != "takes a node twice" {
		return errors.New("it is there")
	}
	p.nodes = append(p.nodes, node)
	return nil
}

func (p *placeSpecimen) Remove(node string) error {
	i := slices.Index(p.nodes, node)
	if i < 0 {
		return errors.New("it is not there")
	}
	if p.d == "removes the first" {
		i = 0
	}
	p.nodes = slices.Delete(p.nodes, i, i+1)
	return nil
}

func (p *placeSpecimen) Owner(key uint64) (string, error) {
	if len(p.nodes) == 0 {
		if p.d == "invents an owner" {
			return "", nil
		}
		return "", errors.New("no nodes")
	}
	nodes := slices.Sorted(slices.Values(p.nodes))
	switch p.d {
	case "counts nodes in their order":
		nodes = p.nodes
		fallthrough
	case "counts nodes":
		return nodes[mix(key^p.seed)%uint64(len(nodes))], nil
	case "uses the key as it is":
		return nodes[key>>40%uint64(len(nodes))], nil
	}
	best, most := "", uint64(0)
	for i, node := range nodes {
		hash := mix(key ^ mix(p.seed^hashText([]byte(node))))
		if p.d == "prefers the first" && i == 0 {
			hash = max(hash, mix(hash))
		}
		if hash >= most {
			best, most = node, hash
		}
	}
	return best, nil
}

// finds says whether a case of the subject finds what is wrong, and shows it.
func finds[S, Spec any](t *testing.T, s sketchproof.Subject[S, Spec], cases func(sketchproof.Subject[S, Spec], Effort) []Case, found string, shown bool) {
	t.Helper()
	c := &call{kind: "specimen", falseAlarm: 1e-6}
	for _, one := range cases(s, Usual) {
		if one.Name() != found {
			continue
		}
		if o := c.carryOut(t, one); o.err == nil && (o.judgement.Verdict != stats.Broken || shown && o.input == "") {
			t.Errorf("%s: %+v, shown by %q", found, o.judgement, o.input)
		}
		return
	}
	t.Errorf("there is no case %s", found)
}

// sound says whether all cases hold of the subject.
func sound[S, Spec any](t *testing.T, s sketchproof.Subject[S, Spec], cases func(sketchproof.Subject[S, Spec], Effort) []Case) {
	t.Helper()
	c := &call{kind: "specimen", falseAlarm: 1e-6}
	for _, one := range cases(s, Short) {
		if o := c.carryOut(t, one); o.err != nil || o.judgement.Verdict != stats.Holds {
			t.Errorf("%s: %v %+v %s", one.Name(), o.err, o.judgement, o.input)
		}
	}
}

// A defect and the case that must find it; unseen ones show only over many trials.
type defect struct {
	name, found string
	unseen      bool
}

// eachDefect tries the sound specimen and each defect.
func eachDefect[S, Spec any](
	t *testing.T, build func(d string) func(Spec) (S, error), merge func(dst, src S) error,
	cases func(sketchproof.Subject[S, Spec], Effort) []Case, laws []sketchproof.Law[S, Spec], defects []defect,
) {
	t.Helper()
	t.Run("sound", func(t *testing.T) {
		sound(t, sketchproof.Subject[S, Spec]{Build: build(""), Laws: laws}, cases)
	})
	for _, d := range defects {
		t.Run(d.name, func(t *testing.T) {
			finds(t, sketchproof.Subject[S, Spec]{Build: build(d.name), Laws: laws, Merge: merge}, cases, d.found, !d.unseen)
		})
	}
}

func TestCardinalityChecks(t *testing.T) {
	eachDefect(t, countOf, nil, CardinalityCases, nil, []defect{
		{"uses the key as it is", "check=shape/shape=sequential/n=500", false},
		{"counts what comes again", "check=duplicates", false},
		{"is never empty", "check=empty", false},
		{"has no room for zero", "check=empty", false},
		{"is off where it is full", "check=bias/p=6/n=160", true},
		{"is spread", "check=spread/p=6/n=160", true},
		{"counts questions", "check=asked-after-every-add", false},
		{"sees one of three", "check=few/p=8", false},
	})
}

func TestFrequencyChecks(t *testing.T) {
	merge := func(dst, src sketchproof.Frequency) error { // it does not stop at the largest number
		for i, row := range src.(*tableSpecimen).rows {
			for j, n := range row {
				dst.(*tableSpecimen).rows[i][j] += n
			}
		}
		return nil
	}
	eachDefect(t, tableOf, merge, FrequencyCases, nil, []defect{
		{"has one row in all rows", "check=rows/w=8/d=3", false},
		{"uses the key as it is", "check=row-mean/shape=sequential/w=64/n=128", false},
		{"counts nothing as one", "check=weight-zero", false},
		{"wraps around", "check=large-weights", false},
		{"has no room for the last", "check=never-under/w=55/d=5", false},
		{"overflows in a merger", "check=large-weights", false},
		{"takes some off", "check=never-under/w=55/d=5", false},
		{"doubles", "check=never-above-all/w=1/d=1", false},
		{"minds the order", "check=linear", false},
		{"has few columns", "check=bound/w=55/d=2", true},
	})
}

func TestTopKChecks(t *testing.T) {
	eachDefect(t, topOf, nil, TopKCases, nil, []defect{
		{"takes nothing", "check=few", false},
		{"has no room for zero", "check=few", false},
		{"keeps the first", "check=kept/stream=distinct-first", false},
		{"tells no error", "check=bounds/stream=skewed", false},
		{"adds too much", "check=error/stream=skewed", false},
		{"lists ties in any order", "check=list", false},
		{"lists too many", "check=list", false},
	})
}

func TestSignatureChecks(t *testing.T) {
	merge := func(dst, src sketchproof.Signature) error { // it takes one half from the source
		copy(dst.(*leastSpecimen).least, src.(*leastSpecimen).least[:signatureValues/2])
		return nil
	}
	eachDefect(t, leastOf, merge, SignatureCases, nil, []defect{
		{"has one value", "check=spread/shape=random/common=30/union=60", false},
		{"has two idle values", "check=bias/shape=random/common=30/union=60", true},
		{"has one value", "check=spread/shape=sequential/common=30/union=60", false},
		{"takes the first key", "check=set", false},
		{"merges in one order", "check=set", false},
		{"compares anything", "check=refusals", false},
		{"has a direction", "check=symmetric", false},
	})
}

func TestSamplerChecks(t *testing.T) {
	merge := func(dst, src sketchproof.Sampler) error { return dst.(*drawSpecimen).Merge(src.(*drawSpecimen)) }
	eachDefect(t, drawOf, merge, SamplerCases, nil, []defect{
		{"skips one", "check=item/k=4/n=7/item=K+1", false},
		{"is one off", "check=item/k=4/n=7/item=K+1", true},
		{"takes turns", "check=pair/k=4/n=7/pair=last-two", true},
		{"takes two", "check=sample", false},
		{"gives itself away", "check=copy", false},
		{"weighs both alike", "check=merged/k=5/n=10/other=30", true},
	})
}

func TestPlacerChecks(t *testing.T) {
	laws := []sketchproof.Law[sketchproof.Placer, sketchproof.PlacerSpec]{
		{Name: "even", Metric: sketchproof.MetricLoadVariance, Source: "binomial", Predict: func(_ sketchproof.Placer, spec sketchproof.PlacerSpec, n int) stats.Band {
			return stats.Within(float64(len(spec.Nodes)-1)/float64(n), 0.1)
		}},
		{Name: "moved", Metric: sketchproof.MetricMoved, Source: "no more than must", Predict: func(_ sketchproof.Placer, spec sketchproof.PlacerSpec, _ int) stats.Band {
			return stats.Within(1/float64(len(spec.Nodes)+1), 0.1)
		}},
	}
	eachDefect(t, placeOf, nil, PlacerCases, laws, []defect{
		{"takes a node twice", "check=refusals", false},
		{"removes the first", "check=remove-undoes-add", false},
		{"invents an owner", "check=owner", false},
		{"counts nodes in their order", "check=order", false},
		{"counts nodes", "check=monotone", false},
		{"counts nodes", "check=moved/nodes=4", false},
		{"uses the key as it is", "check=balance/shape=sequential/nodes=5", false},
		{"prefers the first", "check=balance/shape=random/nodes=5", true},
	})
	eachDefect(t, placeOf, nil, PlacerCases, nil, []defect{
		{"counts nodes", "check=moved/nodes=4", false},
		{"uses the key as it is", "check=balance/shape=sequential/nodes=5", false},
	})
}
