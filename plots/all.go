package plots

// All are the figures, in the order of the report.
var All = []Figure{
	bloomFill,
	bloomRate,
	bloomExact,
	bloomOptimalK,
	bloomDouble,
	bloomSaturation,
	bloomSizing,
	bloomBound,
	bloomSalt,
	bloomMemory,
	scalableGrowth,
	cuckooRate,
	cuckooLoad,
	quotientRate,
	crossover,
	fuseBits,
	ribbonSpace,
	hllError,
	hllBias,
	cmsPrinted,
	cmsTail,
}
