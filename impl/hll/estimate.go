package hll

import "fmt"

// An Estimator is a way to turn registers into a number of keys.
type Estimator uint8

const (
	// Ertl is ErtlPublished divided by one plus its bias, which the registers
	// themselves tell: the default.
	Ertl Estimator = iota
	// ErtlPublished is the improved raw estimator as printed (Ertl 2017,
	// algorithm 6). It needs no switch between ranges and is good at every n. It
	// is high by ErtlBias: from 0.5/m for few keys to 1.08/m for many, which is
	// 7 % at m = 16.
	ErtlPublished
	// Raw is alpha m^2 / sum 2^-M with AlphaApprox (Flajolet et al. 2007, figure
	// 2). It is too high under about 5m: an empty sketch reads 0.7 m.
	Raw
	// Classic is Raw, and LinearCounting where Raw is at most 2.5m and some
	// register is zero (Flajolet et al. 2007, figure 3). It is biased around the
	// switch, by some percent.
	Classic
	// PlusPlus is Raw less its bias, and LinearCounting where that is at most a
	// threshold (Heule, Nunkesser and Hall 2013); see plusplus.go for
	// where the bias comes from.
	PlusPlus
	// LogLogBeta is alpha m (m - z) / (beta(z) + sum 2^-M) for z empty registers
	// (Qin, Kim and Tung 2016), with the published coefficients of
	// beta for p = 14 and others, found by ourselves, elsewhere.
	LogLogBeta
	// MaximumLikelihood is the number of keys under which the registers are the
	// likeliest (Ertl 2017, section 5), keys taken for Poisson. For many keys it
	// is high by 1.07/m, 7 % at m = 16, by simulation.
	MaximumLikelihood
	noEstimator // as many there are
)

// Estimators are all there are.
func Estimators() []Estimator {
	all := make([]Estimator, noEstimator)
	for i := range all {
		all[i] = Estimator(i)
	}
	return all
}

func (e Estimator) String() string {
	switch e {
	case Ertl:
		return "ertl"
	case ErtlPublished:
		return "ertl-published"
	case Raw:
		return "raw"
	case Classic:
		return "classic"
	case PlusPlus:
		return "hll++"
	case LogLogBeta:
		return "loglog-beta"
	case MaximumLikelihood:
		return "maximum-likelihood"
	default:
		return fmt.Sprintf("unknown estimator %d", uint8(e))
	}
}

// Estimate is the estimated number of distinct keys, by the estimator Ertl, or
// from the set in the sparse form. It changes nothing. An empty sketch reads 0;
// one whose registers all have their greatest value, which takes more than 2^64
// keys, reads +Inf.
func (s *Sketch) Estimate() float64 {
	if s.codes != nil {
		return s.codes.estimate()
	}
	return s.EstimateWith(Ertl)
}

// EstimateWith is what an estimator of one's choice reads in the registers, in the
// sparse form in those that the set stands for. An Estimator that does not exist
// panics.
func (s *Sketch) EstimateWith(e Estimator) float64 {
	h := &s.hist
	if s.stale {
		counted := s.count()
		h = &counted
	}
	switch e {
	case Ertl:
		return ertl(h, s.Precision(), true)
	case ErtlPublished:
		return ertl(h, s.Precision(), false)
	case Raw:
		return raw(h, s.M())
	case Classic:
		r := raw(h, s.M())
		if r <= 2.5*float64(s.M()) && h[0] > 0 {
			return LinearCounting(s.M(), int(h[0]))
		}
		return r
	case PlusPlus:
		return plusPlus(h, s.Precision())
	case LogLogBeta:
		return logLogBeta(h, s.Precision())
	case MaximumLikelihood:
		return maximumLikelihood(h, s.Precision())
	default:
		panic(fmt.Sprintf("hll: %v", e))
	}
}

func raw(h *histogram, m int) float64 {
	return AlphaApprox(m) * float64(m) * float64(m) / harmonicSum(h)
}

// harmonicSum is sum 2^-M over all registers.
func harmonicSum(h *histogram) float64 {
	z := 0.0
	for k, c := range h {
		z += float64(c) * inverse[k]
	}
	return z
}
