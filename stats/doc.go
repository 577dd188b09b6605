// Package stats turns counts into intervals and intervals into verdicts.
//
// The unit of replication is the trial: one freshly built structure. Every
// method says what data it is for, under what stopping rule its error
// probability holds, and is covered by a simulation test on such data.
//
// [Method.Assess] judges the trials of one cell, with looks after 32, 64, 128
// ... of them. Which method serves which readings, at what stopping rule:
//
//	Invariant  counterexamples: one breaks the law        any
//	Rate       events among tries, structures that differ  the looks
//	Mean       one signed observation a trial              the looks
//	Spread     one near-normal error a trial               the looks
//	Share      one observation in [0, 1] a trial           any
//
// [ClopperPearson], [StudentMean], [ChiSquareRMS] and [MedianInterval] serve one
// fixed number of observations; [BetaMixture] serves any stopping rule.
//
// # What was measured
//
// The miss rate of a whole judgement, with a stop at the first look that
// decides and the truth on the very edge of what the law allows, in units of
// alpha, at alpha = 1e-4, from 200 000 to 400 000 simulated judgements a row to
// three or four looks, unless it says otherwise. Plain is Student's interval at
// the same looks, to five of them, from 80 000.
//
//	                                         plain  here
//	Mean    normal                             1.1   0.4
//	Mean    Gamma of shape 8                   3.1   1.0
//	Mean    exponential                       33     0.9
//	Spread  normal                                   0.3
//	Spread  Gamma of shape 50 (8), centred           0.5 (0.6)
//	Spread  Laplace                                  7.3
//	Rate    1 to 3 events a trial, clustered 0.5     0.0
//	Rate    10 events a trial, clustered 0.5         0.8
//	Rate    30 events a trial, clustered 0.5         1.5
//	Rate    1 to 3 events a trial, clustered 1       0.6 to 2.4
//
// Clustered means that the rates of the structures themselves vary, with that
// coefficient of variation; 1.5 is 29 misses of 20 expected. Squared normals and
// Poisson counts of mean 0.1 and 1 missed no more than alpha either, in 100 000
// judgements each under a rule less strict than today's.
//
// So what is not served is: for Spread, errors with heavy tails; for Rate,
// structures whose rates vary as much as they are large; for Mean, lognormal
// and heavier tails (8.4 under that rule), and readings that are mostly alike
// and jump far, by many times 1/Den (400 where the jump is 100/Den and one
// trial in ten jumps). No interval without a bound on the readings can serve
// the last: until the first jump there is nothing to see. [Share] has that
// bound.
package stats
