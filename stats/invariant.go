package stats

import "math/big"

func assessInvariant(j *Judgement, trials []Count, alpha float64) {
	s, _ := exactSums(trials)
	if s.den.Sign() == 0 {
		return
	}
	x, n := quotient(&s.num, big.NewInt(1)), quotient(&s.den, big.NewInt(1))
	j.Estimate = quotient(&s.num, &s.den)
	j.Interval = clopperPearson(x, n, alpha)
	j.Verdict = Holds
	if s.num.Sign() > 0 {
		j.Verdict = Broken
	}
}
