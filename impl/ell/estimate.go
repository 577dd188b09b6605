package ell

// Estimate is the estimated number of distinct keys: that of maximum likelihood,
// divided by one plus its bias at that number. It changes nothing. An empty sketch
// reads 0; one whose registers can change no more, which takes far more than 2^64
// keys, reads +Inf.
func (s *Sketch) Estimate() float64 {
	x, m := s.solve(), float64(s.M())
	return m * x / (1 + s.params.shape().Correction(x)/m)
}

// EstimateML is the number of keys that makes the registers most likely, as it
// is: too high by MLBias.
func (s *Sketch) EstimateML() float64 { return float64(s.M()) * s.solve() }

func (s *Sketch) solve() float64 {
	t := &s.tally
	if s.stale {
		counted := s.count()
		t = &counted
	}
	return t.Solve(s.geo)
}
