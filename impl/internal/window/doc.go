// Package window is what UltraLogLog and ExaLogLog have in common (Ertl 2023,
// 2024): registers that keep the greatest value they were given and, for each of
// the d values under it, whether it was given too. HyperLogLog is the case
// d = 0.
//
// A key gives one register one value k >= 1 with probability about
// 2^-(t+1+floor((k-1)/2^t)): t = 0 is the geometric distribution of leading
// zeros, and each step of t splits every value into two.
package window
