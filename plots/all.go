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
	cuckooRate,
	cuckooLoad,
	quotientRate,
	fuseBits,
	hllError,
	hllBias,
	cmsPrinted,
	cmsTail,
}
