package report

import "github.com/sketchproof/sketchproof/stats"

// mislead says what a reader should hold against the report.
func (d *docket) mislead(p *page) {
	p.heading(2, "How these results may mislead")
	p.list([]string{
		"**The judge is a party.** The authors of the harness wrote the native structures, chose the laws, the bands and the cells. " +
			"Look at the rows, and try cells of your own: `bin/experiment list` names them all.",
		"**The laws were typed in by people.** A formula may be copied or understood wrongly. " +
			"The formulas are tested against values that were computed apart, in high precision, from the same statements. " +
			"A statement that was misread would be misread by both.",
		"**Random keys are kind keys.** Unless an experiment says otherwise, keys are random numbers of 64 bits. " +
			"They hide a weak hash. Counters, addresses and words do not. A law that holds here may break on your keys.",
		"**Undecided is not holds.** It says that the trials planned could not tell. " +
			"The band may be narrow for that number of trials, or the truth may lie at its edge. " +
			"A larger scale has more cells, not more trials for a cell.",
		"**Holds is a statement about the cells that were tried.** Parameters are a chosen grid, not a sample of what people use. " +
			"Between and beyond its points nothing was measured. One verdict for many cells hides how far apart they are.",
		"**Broken may be small.** A law with a narrow band breaks by a difference that would not matter to you. " +
			"Look at the column that says how many times the law was measured, or at what is allowed.",
		"**The bands are a choice.** They say what would matter to a user; a stricter user would choose others. " +
			"A wider band makes more laws hold.",
		"**A law's formula may be an approximation.** If a native structure breaks it where parameters are small, " +
			"that is a fault of the formula. If it breaks it alone where others keep it, that is a fault of the structure.",
		"**A library may be used here as its authors did not mean it.** Keys, sizes and hashes go through an adapter of about 40 lines. " +
			"A fault of an adapter would look like a fault of the library.",
		"**Some libraries cannot be seeded.** Their trials differ by their keys alone. Where they draw from Go's global generator, " +
			"the harness seeds that for them.",
		"**Only the versions named above were tried.** A later version may mend a fault or bring one.",
		"**The worst cell is chosen after the fact.** Its estimate is the largest of many and leans outward. " +
			"Its interval is fit for that: the error budget covers all cells together.",
		"**The intervals assume what they assume.** Trials are independent because their seeds are, as far as the generator is good. " +
			"Coverage of every method was checked by simulation, at error probabilities that a simulation can reach; " +
			chance(stats.Alpha) + " is far beyond that and rests on the mathematics.",
		"**Times are of one machine with few cores**, one processor's caches, one version of Go, and a neighbour may have been busy. " +
			"Only ratios within one run mean something. Other sizes and other mixes of hits and misses give other orders.",
		"**The same bytes are promised for one architecture.** On another, the last digits of estimates may differ.",
	})
}
