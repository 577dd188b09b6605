// Package exact is the baselines that never err: hash sets, a sorted slice,
// exact counts. Every saving that a probabilistic structure claims is a saving
// against one of these.
package exact
