package choose

import "slices"

// The needs that a workload may have beside its numbers.
const (
	NeedDelete          = "delete"
	NeedGrow            = "grow"
	NeedMerge           = "merge"
	NeedStatic          = "static"
	NeedCountDuplicates = "count-duplicates"
	NeedAdversary       = "adversary"
	NeedConcurrent      = "concurrent"
	NeedSerialize       = "serialize"
	NeedBatch           = "batch"
	NeedLibrary         = "go-library-only"
)

// A Need is something that a workload asks of a structure.
type Need struct {
	Name  string
	Says  string // what the workload does
	Lacks string // what a subject that cannot do it is
	met   func(Candidate, Evidence) bool
}

// For reports whether a question of a kind can have the need.
func (n Need) For(kind string) bool {
	switch n.Name {
	case NeedLibrary:
		return true
	case NeedDelete:
		return kind == KindFilter || kind == KindPlacer // a placement: nodes leave in any order
	case NeedMerge:
		return kind != KindPlacer
	case NeedSerialize:
		return kind != KindSampler
	default:
		return kind == KindFilter
	}
}

// Needs are all of them, in the order of the help.
var Needs = []Need{
	{NeedDelete, "keys are deleted", "forgets no key", func(c Candidate, _ Evidence) bool { return c.Powers.Remove }},
	{NeedGrow, "the number of keys is not known", "loses its rate, or refuses, beyond its capacity", func(c Candidate, _ Evidence) bool { return c.Powers.Grow }},
	{NeedMerge, "structures of parts are joined", "does not merge", func(c Candidate, _ Evidence) bool { return c.Powers.Merge }},
	{NeedStatic, "the keys are known before the first look-up, and stay", "", func(Candidate, Evidence) bool { return true }},
	{NeedCountDuplicates, "a key may be added often, and stays until it is removed as often", "does not count how often a key was added", func(c Candidate, _ Evidence) bool { return c.Powers.CountDuplicates }},
	{NeedAdversary, "keys may be chosen by an enemy", "takes no secret key", func(c Candidate, _ Evidence) bool { return c.Powers.Keyed }},
	{NeedConcurrent, "keys are added while others are looked up", "was not seen to take keys under concurrent readers", func(c Candidate, e Evidence) bool { return e.shows(c.Subject, NeedConcurrent) }},
	{NeedSerialize, "the structure is stored or sent", "has no serialized form", func(c Candidate, _ Evidence) bool { return c.Powers.Serialize }},
	{NeedBatch, "many keys are looked up at once", "answers one key at a time", func(c Candidate, _ Evidence) bool { return c.Powers.Batch }},
	{NeedLibrary, "only a library of others will do", "is a structure of this module", func(c Candidate, _ Evidence) bool { return c.Module != "" }},
}

// implied are the requirements that follow from what a workload does not say or
// says by a number.
var (
	takesKeys = Need{"", "", "takes no keys after it was built (--static, if yours are known before)", func(c Candidate, _ Evidence) bool { return c.Powers.Add }}
	takesText = Need{"", "", "takes numbers, not byte strings (without --key-bytes, if you hash the keys yourself)", func(c Candidate, _ Evidence) bool { return c.Powers.Bytes }}
)

// requirements are the needs by name, and what else the workload implies.
func (w Workload) requirements() []Need {
	var all []Need
	for _, n := range Needs {
		if w.needs(n.Name) {
			all = append(all, n)
		}
	}
	if !w.needs(NeedStatic) && w.Kind == KindFilter {
		all = append(all, takesKeys)
	}
	if w.KeyBytes > 0 && w.Kind == KindFilter {
		all = append(all, takesText)
	}
	return all
}

func (w Workload) needs(name string) bool { return slices.Contains(w.Needs, name) }

// An Exclusion is a reason why subjects are out.
type Exclusion struct {
	Need     string   `json:"need,omitempty"` // "" where the workload implies it
	Reason   string   `json:"reason"`
	Subjects []string `json:"subjects"`
}

// fit splits the candidates into those that meet all requirements, and for each
// requirement the subjects that do not.
func (w Workload) fit(all []Candidate, e Evidence) (fit []Candidate, out []Exclusion) {
	needs := w.requirements()
	lack := make([][]string, len(needs))
	for _, c := range all {
		good := true
		for i, n := range needs {
			if n.met(c, e) {
				continue
			}
			good = false
			if !slices.Contains(lack[i], c.Subject) {
				lack[i] = append(lack[i], c.Subject)
			}
		}
		if good {
			fit = append(fit, c)
		}
	}
	for i, n := range needs {
		if len(lack[i]) > 0 {
			out = append(out, Exclusion{n.Name, n.Lacks, lack[i]})
		}
	}
	return fit, out
}
