package experiments

import "github.com/sketchproof/sketchproof/experiments/engine"

// The price of an operation for planning, in seconds, of our own structures and
// of a library's. The results do not depend on it.
const (
	nativeOp  = 15e-9
	libraryOp = 70e-9
)

// cost is the price of a trial of some operations on a subject that holds some
// bytes.
func cost(module string, operations, bytes int) engine.Cost {
	op := nativeOp
	if module != "" {
		op = libraryOp
	}
	return engine.Cost{Seconds: float64(operations)*op + 5e-6, Bytes: int64(bytes)}
}

// planned is the number of trials to plan for a cell that looks until it is
// decided: as many looks as about six seconds pay for, from 256 trials to
// 65 536.
func planned(c engine.Cost) int {
	const seconds = 6
	trials := 256
	for trials < 65536 && float64(2*trials)*c.Seconds <= seconds {
		trials *= 2
	}
	return trials
}

// groupOf is how many structures one trial builds, when each takes so many
// operations: enough to be worth a row, which is a fraction of a millisecond.
func groupOf(operations int) int { return max(1, 20000/operations) }
