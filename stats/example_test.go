package stats_test

import (
	"fmt"

	"github.com/sketchproof/sketchproof/stats"
)

// 81 false positives among 10 000 absent keys, asked of one given filter.
func ExampleClopperPearson() {
	iv := stats.ClopperPearson(81, 10_000, 0.99)
	fmt.Printf("%.4f to %.4f\n", iv.Lo, iv.Hi)
	// Output: 0.0060 to 0.0107
}

// A bound that one may look at after every key: here after 1000 and 10 000.
func ExampleBetaMixture() {
	for _, seen := range []struct{ events, tries float64 }{{0, 1000}, {81, 10_000}} {
		iv := stats.BetaMixture(seen.events, seen.tries, 0.05, 1, 1)
		fmt.Printf("after %5.0f: %.4f to %.4f\n", seen.tries, iv.Lo, iv.Hi)
	}
	// Output:
	// after  1000: 0.0000 to 0.0099
	// after 10000: 0.0049 to 0.0125
}

// Trials are added until a look decides. Each of these finds 980, 1000 or 1020
// false positives among 100 000 absent keys; the law says 1 %, and that 2 % of
// that matter to nobody.
func ExampleMethod_Assess() {
	law := stats.Within(0.01, stats.RateTolerance(0.01))
	var trials []stats.Count
	for look := 1; ; look++ {
		for len(trials) < stats.Looks(look) {
			trials = append(trials, stats.Count{Num: int64(980 + 20*(len(trials)%3)), Den: 100_000})
		}
		j := stats.Rate.Assess(trials, look, stats.Alpha, law)
		fmt.Printf("%3d trials: %.5f, between %.5f and %.5f: %v\n",
			j.Trials, j.Estimate, j.Interval.Lo, j.Interval.Hi, j.Verdict)
		if j.Verdict != stats.Undecided {
			break
		}
	}
	// Output:
	//  32 trials: 0.00999, between 0.00969 and 0.01030: undecided
	//  64 trials: 0.01000, between 0.00978 and 0.01022: undecided
	// 128 trials: 0.01000, between 0.00984 and 0.01016: holds
}
