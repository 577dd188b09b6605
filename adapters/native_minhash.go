package adapters

import (
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/minhash"
	"github.com/sketchproof/sketchproof/stats"
)

// compressedBits is b of the subject minhash-bbit.
const compressedBits = 2

var nativeMinHash = Signature{
	Name: "minhash",
	Build: func(spec sketchproof.SignatureSpec) (sketchproof.Signature, error) {
		return minhash.New(minHashParams(spec))
	},
	Merge:  mergeAs[*minhash.Signature, sketchproof.Signature],
	Encode: encode[sketchproof.Signature],
	Decode: decodeInto[minhash.Signature, *minhash.Signature, sketchproof.Signature],
}

var nativeMinHashOPH = Signature{
	Name: "minhash-oph",
	Build: func(spec sketchproof.SignatureSpec) (sketchproof.Signature, error) {
		return minhash.NewOnePermutation(minHashParams(spec))
	},
	Merge:  mergeAs[*minhash.OnePermutation, sketchproof.Signature],
	Encode: encode[sketchproof.Signature],
	Decode: decodeInto[minhash.OnePermutation, *minhash.OnePermutation, sketchproof.Signature],
}

var nativeMinHashBBit = Signature{
	Name: "minhash-bbit",
	Build: func(spec sketchproof.SignatureSpec) (sketchproof.Signature, error) {
		return minhash.NewBBit(minHashParams(spec), compressedBits)
	},
	Merge:  mergeAs[*minhash.BBitSignature, sketchproof.Signature],
	Encode: encode[sketchproof.Signature],
	Decode: decodeInto[minhash.BBitSignature, *minhash.BBitSignature, sketchproof.Signature],
	Laws: []sketchproof.Law[sketchproof.Signature, sketchproof.SignatureSpec]{{
		Name: "minhash.b-bit", Metric: sketchproof.MetricSimilaritySpread, Source: "Li and König 2010, equation 9",
		Predict: func(_ sketchproof.Signature, spec sketchproof.SignatureSpec, _ int) stats.Band {
			return stats.Within(math.Sqrt(minhash.BBitVariance(0.5, spec.K, compressedBits)), 0.05)
		},
	}},
}

var nativeMinHashBottomK = Signature{
	Name: "minhash-bottomk",
	Build: func(spec sketchproof.SignatureSpec) (sketchproof.Signature, error) {
		return minhash.NewBottomK(minHashParams(spec))
	},
	Merge:  mergeAs[*minhash.BottomK, sketchproof.Signature],
	Encode: encode[sketchproof.Signature],
	Decode: decodeInto[minhash.BottomK, *minhash.BottomK, sketchproof.Signature],
}

func minHashParams(spec sketchproof.SignatureSpec) minhash.Params {
	return minhash.Params{K: spec.K, Hash: hashing.XX(spec.Seed)}
}

// A SimilarityLaw is what an estimate of similarity keeps, for two sets with
// common of union keys in both and signatures of k values. The estimate is
// unbiased.
type SimilarityLaw struct {
	Name, Source string
	// Variance is that of the estimate.
	Variance func(common, union, k int) float64
	// Chances is the law of the number of matches, entry x the chance of x; nil
	// where no closed form is known. Value is the estimate at x matches.
	Chances func(common, union, k int) []float64
	Value   func(x, union, k int) float64
}

// A SimilarityEstimate is one way to read two signatures of a subject.
type SimilarityEstimate struct {
	Subject Signature
	Name    string // of the estimator, "own" for Similarity
	Read    func(a, b sketchproof.Signature) (float64, error)
	Law     SimilarityLaw
	// Chance says that unlike keys may match, so that disjoint sets are not told
	// to have nothing in common.
	Chance bool
	// EveryValue says that a key that is added touches all k values.
	EveryValue bool
}

// SimilarityEstimates are all ways to read the signatures of the catalogue of
// which a law is known.
var SimilarityEstimates = []SimilarityEstimate{
	{
		Subject: nativeMinHash, Name: "own", EveryValue: true, Read: sketchproof.Signature.Similarity,
		Law: SimilarityLaw{
			Name: "minhash.binomial", Source: "Broder 1997: k times the estimate is Binomial(k, J)",
			Variance: func(common, union, k int) float64 { return minhash.Variance(jaccard(common, union), k) },
			Chances:  func(common, union, k int) []float64 { return minhash.MatchChances(jaccard(common, union), k) },
			Value:    func(x, _, k int) float64 { return float64(x) / float64(k) },
		},
	},
	{
		Subject: nativeMinHashOPH, Name: "own", Read: sketchproof.Signature.Similarity,
		Law: SimilarityLaw{
			Name: "minhash.densified", Source: "Shrivastava 2017, Theorem 2",
			Variance: minhash.DensifiedVariance,
		},
	},
	{
		Subject: nativeMinHashOPH, Name: "bins",
		Read: func(a, b sketchproof.Signature) (float64, error) {
			return a.(*minhash.OnePermutation).BinSimilarity(b.(*minhash.OnePermutation))
		},
		Law: SimilarityLaw{
			Name: "minhash.bins", Source: "Li, Owen, Zhang 2012, Theorem 2",
			Variance: minhash.BinVariance,
		},
	},
	{
		Subject: nativeMinHashBBit, Name: "unclamped", Chance: true, EveryValue: true,
		Read: func(a, b sketchproof.Signature) (float64, error) {
			return a.(*minhash.BBitSignature).Unclamped(b)
		},
		Law: SimilarityLaw{
			Name: "minhash.b-bit", Source: "Li and König 2010, equation 9: matches are Binomial(k, 2^-b + (1 - 2^-b)J)",
			Variance: func(common, union, k int) float64 {
				return minhash.BBitVariance(jaccard(common, union), k, compressedBits)
			},
			Chances: func(common, union, k int) []float64 {
				return minhash.MatchChances(minhash.BBitMatch(jaccard(common, union), compressedBits), k)
			},
			Value: func(x, _, k int) float64 {
				const chance = 1.0 / (1 << compressedBits)
				return (float64(x)/float64(k) - chance) / (1 - chance)
			},
		},
	},
	{
		Subject: nativeMinHashBottomK, Name: "own", Read: sketchproof.Signature.Similarity,
		Law: SimilarityLaw{
			Name: "minhash.bottom-k", Source: "Broder 1997: matches are hypergeometric",
			Variance: minhash.BottomKVariance,
			Chances:  minhash.BottomKChances,
			Value:    func(x, union, k int) float64 { return float64(x) / float64(min(k, union)) },
		},
	},
}

func jaccard(common, union int) float64 { return float64(common) / float64(union) }
