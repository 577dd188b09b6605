package experiments

import "github.com/sketchproof/sketchproof/experiments/engine"

// All are the experiments, in the order of the report.
var All = []engine.Experiment{
	bloomNoFalseNegatives,
	bloomGuarantee,
	bloomTrace,
	bloomFill,
	bloomFPR,
	bloomExact,
	bloomOptimalK,
	bloomHalfFull,
	bloomSizing,
	bloomLowerBound,
	bloomDouble,
	bloomSaturation,
	bloomUnion,
	bloomKeyLength,
	bloomSalt,
	bloomSerial,
	bloomMemory,
	bloomBlocklist,
	realKMers,
	realWords,
	cuckooFPR,
	cuckooLoadExperiment,
	cuckooDelete,
	cuckooAlternate,
	xorFPR,
	xorSpace,
	fuseSpace,
	hllErrorExperiment,
	hllSmallRange,
	hllMerge,
	hllDuplicates,
	hllOrder,
	cmsNeverUnder,
	cmsBound,
	cmsRowLaw,
	cmsWidthOne,
	cmsConservative,
	cmsMerge,
	replay,
}

// RootSeed is the root seed of the committed results.
const RootSeed = 20260101
