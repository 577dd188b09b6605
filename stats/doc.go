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
// alpha, at alpha = 1e-4. Plain is Student's interval at the same looks.
//
//	                                           plain  here  judgements, looks
//	Mean    normal                               0.7   0.3     200 000, 3
//	Mean    Gamma of shape 8                     3.1   1.0     400 000, 4
//	Mean    exponential                         31     0.9     400 000, 4
//	Mean    squared normal                      91     0.0      50 000, 6
//	Mean    Poisson counts of mean 1             6.2   0.4     200 000, 3
//	Mean    Poisson counts of mean 0.1         459     0.0      50 000, 6
//	Spread  normal                                     0.3     400 000, 4
//	Spread  Gamma of shape 50 (8), centred             0.5 (0.6)  400 000, 4
//	Spread  Laplace                                    7.3     400 000, 4
//	Rate    1 and 3 events a trial, cv 0.5       6.8 (at 3) 0.0 to 0.3  200 000, 3
//	Rate    10 (20) events a trial, cv 0.3       1.9 (at 20) 0.4 (0.9)  200 000, 3
//	Rate    10 (30) events a trial, cv 0.5             0.8 (1.5)  200 000, 3
//	Rate    1 (3) events a trial, cv 1                 0.6 (2.4)  200 000, 3
//
// Here cv is the coefficient of variation of the structures' own rates; 1.5 is
// 29 misses where 20 were due.
//
// So what is not served is: for Spread, errors with heavy tails; for Rate,
// structures whose rates vary as much as they are large; for Mean, tails much
// heavier than exponential, and readings that are mostly alike and jump far, by
// many times 1/Den. Of the last, where one trial in ten jumps, 32 trials show no
// jump with probability e^-3.2, which is 400 alpha, and no method can see what
// has not happened yet. [Share] serves them, because its readings have a bound.
//
// Skewed means are served late rather than wrongly: at alpha = 1e-4 squared
// normals, and counts of mean 0.1, get a finite interval from about 512 to 1024
// trials on, normal readings mostly from 32 on and nearly always from 64.
package stats
