package experiments

import "github.com/sketchproof/sketchproof/experiments/engine"

// All are the experiments, in the order of the report.
var All = []engine.Experiment{
	bloomFill,
	bloomFPR,
	bloomExact,
	bloomOptimalK,
	bloomHalfFull,
	bloomDouble,
	bloomSaturation,
	bloomBlocklist,
	realKMers,
	realWords,
}

// RootSeed is the root seed of the committed results.
const RootSeed = 20260101
