package kmv

// An Overlap is what two sketches tell of their sets.
type Overlap struct {
	// Union and Intersection are estimated numbers of distinct keys.
	Union, Intersection float64
	// Jaccard is the estimated share of the intersection in the union, 0 for two
	// empty sets.
	Jaccard float64
	// Sampled is how many keys of the union the estimates rest on, at most k, and
	// Common how many of these are in both.
	Sampled, Common int
}

// Compare estimates how much two sets have in common (Beyer et al. 2007): the k
// smallest hashes of the union are a random sample of it, and each of them is known
// to be in a set or not. The share of them in both estimates that of the union, and
// times the estimate of the union, that of the intersection: both free of bias; see
// JaccardError and IntersectionError. With fewer than k keys in the union all is
// exact. It returns an error that names the difference when k or hash function
// differ, and changes neither sketch.
func Compare(a, b *Sketch) (Overlap, error) {
	if err := a.alike(b); err != nil {
		return Overlap{}, err
	}
	union := a.union(b)
	o := Overlap{Union: estimate(union, a.params.K), Sampled: len(union)}
	x, y := a.smallest(), b.smallest()
	for _, h := range union {
		inA, inB := len(x) > 0 && x[0] == h, len(y) > 0 && y[0] == h
		if inA {
			x = x[1:]
		}
		if inB {
			y = y[1:]
		}
		if inA && inB {
			o.Common++
		}
	}
	if o.Sampled > 0 {
		o.Jaccard = float64(o.Common) / float64(o.Sampled)
		o.Intersection = o.Jaccard * o.Union
	}
	return o, nil
}
