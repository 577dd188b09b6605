package sketchtest

import (
	"fmt"
	"math"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

type signatureSubject = sketchproof.Subject[sketchproof.Signature, sketchproof.SignatureSpec]

// Signature holds a similarity signature to what all of its kind promise. build
// makes that of an empty set. One whose estimates are spread more than K
// independent values says so by a law about [sketchproof.MetricSimilaritySpread].
func Signature(t testing.TB, build func(sketchproof.SignatureSpec) (sketchproof.Signature, error), o SignatureOptions) {
	t.Helper()
	run(t, "signature", o, SignatureCases(o.subject(build), o.effort()))
}

// SignatureCases are the cases of a similarity signature.
func SignatureCases(s signatureSubject, e Effort) []Case {
	var cases []Case
	for _, check := range signatureChecks {
		cases = append(cases, check(s, e)...)
	}
	return cases
}

// signatureChecks are the general checks of a similarity signature. None knows an
// implementation.
var signatureChecks = []func(s signatureSubject, e Effort) []Case{
	signatureErrors,
	signatureEqual,
	signatureSymmetric,
	signatureDisjoint,
	signatureSet,
	signatureRefusals,
	func(s signatureSubject, e Effort) []Case { return signatureProbe(s).alike() },
}

// signatureValues is K. It is small, for signatures that grow with their sets.
const signatureValues = 16

func signatureOf(s signatureSubject, k keys, from, to int) (sketchproof.Signature, error) {
	sig, err := s.Build(sketchproof.SignatureSpec{K: signatureValues, Seed: k.seed()})
	for i := from; i < to && err == nil; i++ {
		sig.Add(k.at(i))
	}
	return sig, err
}

// alikeness is the estimate for two signatures. One that is no similarity is a
// fault.
func alikeness(a, b sketchproof.Signature) (float64, error) {
	j, err := a.Similarity(b)
	if err == nil && !(j >= 0 && j <= 1) {
		err = fmt.Errorf("the similarity is %v", j)
	}
	return j, err
}

// spreadOfValues is the standard error of k independent values: √(J(1-J)/k).
func spreadOfValues(j float64, k int) float64 { return math.Sqrt(j * (1 - j) / float64(k)) }

// An overlap is two sets: union keys in both, of which common are in both.
type overlap struct{ common, union int }

func (o overlap) jaccard() float64 { return float64(o.common) / float64(o.union) }

func (o overlap) String() string {
	return fmt.Sprintf("%d keys in all, %d of them in both sets", o.union, o.common)
}

// estimate compares the signatures of two sets of keys of a shape: the first has
// the common keys and one half of the others, the second those and the other half.
func (o overlap) estimate(s signatureSubject, shape shape, k keys) (float64, error) {
	var sigs [2]sketchproof.Signature
	for i := range sigs {
		var err error
		if sigs[i], err = signatureOf(s, k, 0, 0); err != nil {
			return 0, err
		}
	}
	for i := range o.union {
		key := shape.key(uint64(k), k.somewhere()+i).number
		if i < o.common || i%2 == 0 {
			sigs[0].Add(key)
		}
		if i < o.common || i%2 == 1 {
			sigs[1].Add(key)
		}
	}
	return alikeness(sigs[0], sigs[1])
}

// signatureErrors: estimates are J in the mean, and spread as the law says.
func signatureErrors(s signatureSubject, e Effort) []Case {
	var cases []Case
	judged := func(check string, o overlap, shape shape, method stats.Method, law, source string, band stats.Band) {
		cases = append(cases, Case{
			Labels: record.L("check", check, "shape", shape.name, "common", o.common, "union", o.union),
			Of:     sketchproof.Accuracy, Metric: "similarity-" + check, Method: method, Law: law, Source: source,
			Trials: errorTrials, Operations: 2 * o.union,
			Run: func(seed uint64) (Reading, error) {
				k := keys(part(seed, 0))
				j, err := o.estimate(s, shape, k)
				r := observed(j-o.jaccard(), band)
				if math.Abs(j-o.jaccard()) > 3*spreadOfValues(0.5, signatureValues) {
					r.Input = fmt.Sprintf("K = %d, %s, %v, from %v: the similarity is %.4g, not %.4g", signatureValues, shape.words, o, shape.key(uint64(k), k.somewhere()), j, o.jaccard())
				}
				return r, err
			},
		})
	}
	bias := func(o overlap, shape shape) {
		room := biasRoom * spreadOfValues(o.jaccard(), signatureValues)
		judged("bias", o, shape, stats.Mean, "unbiased", "Broder 1997: a value is common with a chance of J; within a quarter of a standard error", stats.Between(0, -room, room))
	}
	half := overlap{30, 60}
	wider, stated := s.LawFor(sketchproof.MetricSimilaritySpread)
	for _, o := range pick(e, []overlap{half, {6, 60}}, []overlap{{54, 60}}, []overlap{{1, 3}, {100, 200}, {1000, 2000}, {2000, 10000}}) {
		if o.jaccard() < half.jaccard() && stated {
			continue // wider than K values at J = 1/2, by an unknown factor at a smaller J
		}
		bias(o, randomShape)
	}
	law, source, predicted := "values", "Broder 1997: of K values each is common with a chance of J", spreadOfValues(half.jaccard(), signatureValues)
	if stated {
		law, source, predicted = wider.Name, wider.Source, wider.Predict(nil, sketchproof.SignatureSpec{K: signatureValues}, half.union).Predicted
	}
	for _, shape := range append([]shape{randomShape}, sketchShapes(e, false)...) {
		judged("spread", half, shape, stats.Spread, law, source+"; and a quarter", stats.AtMost(predicted*(1+spreadRoom)))
	}
	return cases
}

// signatureEqual: equal sets are alike.
func signatureEqual(s signatureSubject, e Effort) []Case {
	sizes := pick(e, []int{1, 2, 3, 60}, []int{10, 15, 16, 17}, []int{1000, 10000})
	return []Case{invariant(sketchproof.Accuracy, "unlike/pair", "equal", "equal sets have one signature: the similarity is 1, both ways", 500, record.L("check", "equal"), func(k keys, f *finding) error {
		for _, n := range sizes {
			a, err := signatureOf(s, k, 0, n)
			if err != nil {
				return err
			}
			b, err := signatureOf(s, k, 0, n)
			if err != nil {
				return err
			}
			for range 2 {
				f.asked++
				j, err := alikeness(a, b)
				if err != nil {
					return fmt.Errorf("%d keys in both: %w", n, err)
				}
				if j != 1 {
					f.fail("K = %d, the same %d keys in both: the similarity is %v", signatureValues, n, j)
				}
				a, b = b, a
			}
		}
		return nil
	})}
}

// signatureSymmetric: the first of two is as like the second as that the first.
func signatureSymmetric(s signatureSubject, _ Effort) []Case {
	return []Case{invariant(sketchproof.Accuracy, "unlike/pair", "symmetric", "similarity has no direction", 500, record.L("check", "symmetric"), func(k keys, f *finding) error {
		for _, n := range []int{1, 2, 16} {
			a, err := signatureOf(s, k, 0, 2*n)
			if err != nil {
				return err
			}
			b, err := signatureOf(s, k, n, 5*n)
			if err != nil {
				return err
			}
			forth, err := alikeness(a, b)
			if err != nil {
				return err
			}
			back, err := alikeness(b, a)
			if err != nil {
				return err
			}
			f.asked++
			if forth != back {
				f.fail("K = %d, the keys number 1 to %d and those from %d to %d: the similarity is %v and %v", signatureValues, 2*n, n+1, 5*n, forth, back)
			}
		}
		return nil
	})}
}

// signatureDisjoint: sets without a common key are not alike, but for what chance
// may do to a signature of few bits.
func signatureDisjoint(s signatureSubject, e Effort) []Case {
	var cases []Case
	for _, n := range pick(e, []int{30}, []int{1, 10}, []int{1000}) {
		// Where it is never above 0, there is nothing to spare: half a value in the mean.
		cases = append(cases, Case{
			Labels: record.L("check", "disjoint", "n", n), Of: sketchproof.Accuracy, Metric: "similarity/pair", Method: stats.Share,
			Law: "disjoint", Source: "Broder 1997: sets without a common key have J = 0; at most a standard error of K values at J = 1/2",
			Trials: errorTrials, Operations: 2 * n,
			Run: func(seed uint64) (Reading, error) {
				k := keys(part(seed, 0))
				a, err := signatureOf(s, k, 0, n)
				if err != nil {
					return Reading{}, err
				}
				b, err := signatureOf(s, k, n, 2*n)
				if err != nil {
					return Reading{}, err
				}
				j, err := alikeness(a, b)
				r := observed(j, stats.AtMost(spreadOfValues(0.5, signatureValues)))
				if j > 3*spreadOfValues(0.5, signatureValues) {
					r.Input = fmt.Sprintf("K = %d, %d random keys in one set, as many others in the other, from %#x: the similarity is %v", signatureValues, n, k.at(0), j)
				}
				return r, err
			},
		})
	}
	return cases
}

// signatureSet: a signature is that of a set.
func signatureSet(s signatureSubject, e Effort) []Case {
	sizes := pick(e, []int{1, 3, 60}, []int{16, 150}, []int{1000})
	return []Case{invariant(sketchproof.Accuracy, "unlike/pair", "set", "order and repeats are no part of a set", 700, record.L("check", "set"), func(k keys, f *finding) error {
		for _, n := range sizes {
			forth, err := signatureOf(s, k, 0, n)
			if err != nil {
				return err
			}
			back, err := signatureOf(s, k, n/2, n)
			if err != nil {
				return err
			}
			for i := n - 1; i >= 0; i-- {
				back.Add(k.at(i))
			}
			f.asked++
			j, err := alikeness(forth, back)
			if err != nil {
				return err
			}
			if j != 1 {
				f.fail("K = %d, %d keys, and the same in the opposite order with half of them twice: the similarity is %v", signatureValues, n, j)
			}
		}
		return f.also(func(f *finding) error {
			for _, n := range sizes {
				if err := signatureMerged(f, s, k, n); err != nil {
					return err
				}
			}
			return nil
		})
	})}
}

// signatureMerged merges signatures of two parts of a set, some keys being in both:
// in either order that is the signature of the set.
func signatureMerged(f *finding, s signatureSubject, k keys, n int) error {
	if s.Merge == nil {
		return nil
	}
	whole, err := signatureOf(s, k, 0, n)
	if err != nil {
		return err
	}
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		var parts [2]sketchproof.Signature
		for i, at := range [2][2]int{{0, (n + 2) / 2}, {n / 3, n}} {
			if parts[i], err = signatureOf(s, k, at[0], at[1]); err != nil {
				return err
			}
		}
		if err := s.Merge(parts[order[0]], parts[order[1]]); err != nil {
			return fmt.Errorf("signatures of parts of %d keys merged: %w", n, err)
		}
		j, err := alikeness(parts[order[0]], whole)
		if err != nil {
			return err
		}
		if j != 1 {
			f.fail("K = %d, two parts of %d keys merged in the order %v: the similarity to the signature of all is %v", signatureValues, n, order, j)
		}
	}
	return nil
}

// signatureRefusals: what cannot be compared is refused, and both remain as they
// were.
func signatureRefusals(s signatureSubject, _ Effort) []Case {
	return []Case{invariant(sketchproof.Accuracy, "accepted/refusal", "refused", "Signature.Similarity: an error when the two were not built alike, or are both empty", 200, record.L("check", "refusals"), func(k keys, f *finding) error {
		a, err := signatureOf(s, k, 0, 50)
		if err != nil {
			return err
		}
		for _, values := range []int{signatureValues / 2, 2 * signatureValues} {
			b, err := s.Build(sketchproof.SignatureSpec{K: values, Seed: k.seed()})
			if err != nil {
				return err
			}
			for i := range 50 {
				b.Add(k.at(i))
			}
			f.asked += 2
			if j, err := a.Similarity(b); err == nil {
				f.fail("signatures of %d and %d values are compared: %v", signatureValues, values, j)
			}
			if j, err := b.Similarity(a); err == nil {
				f.fail("signatures of %d and %d values are compared: %v", values, signatureValues, j)
			}
		}
		none, err := signatureOf(s, k, 0, 0)
		if err != nil {
			return err
		}
		empty, err := signatureOf(s, k, 0, 0)
		if err != nil {
			return err
		}
		f.asked++
		if j, err := none.Similarity(empty); err == nil {
			f.fail("K = %d: two empty sets are compared: %v", signatureValues, j)
		}
		f.asked++
		same, err := signatureOf(s, k, 0, 50)
		if err != nil {
			return err
		}
		if j, err := alikeness(a, same); err != nil || j != 1 {
			f.fail("K = %d: after refusals, the signatures of the same 50 keys have a similarity of %v (%v)", signatureValues, j, err)
		}
		return nil
	})}
}
