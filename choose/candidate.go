package choose

// A Candidate is one structure that could be built: what its builder says of it.
type Candidate struct {
	Subject    string `json:"subject"`
	Module     string `json:"module,omitempty"` // path@version, "" for our own
	Parameters string `json:"parameters"`       // as a person gives them to the constructor
	// Asked is the parameter that was turned to make this one of its subject's
	// candidates: the rate for a filter.
	Asked float64 `json:"asked"`
	Keys  int     `json:"keys"`
	Bytes int64   `json:"bytes"`
	// Rate is what the subject's law predicts of the structure that was built, and
	// RateLo to RateHi the values that the law allows. Of what is no filter it is the
	// error that the question asks about.
	Rate   float64 `json:"rate"`
	RateLo float64 `json:"rate-lo"`
	RateHi float64 `json:"rate-hi"`
	Law    string  `json:"law"` // that predicts the rate, "" where only the builder's promise is known
	Powers Powers  `json:"powers"`
	// Built is the number of keys that the builder was given. Where it is less than
	// Keys, the size is scaled from it.
	Built int `json:"built"`
}

// Powers are what a structure can do besides answering, as seen on one that was
// built.
type Powers struct {
	Add             bool `json:"add"`              // takes keys after it was built
	Remove          bool `json:"remove"`           // forgets keys
	Grow            bool `json:"grow"`             // keeps its rate far beyond its capacity
	Merge           bool `json:"merge"`            // takes in another
	CountDuplicates bool `json:"count-duplicates"` // a key added often stays until it is removed as often
	Keyed           bool `json:"keyed"`            // its hash function takes a secret, or it never errs
	Serialize       bool `json:"serialize"`        // can be written and read again
	Batch           bool `json:"batch"`            // answers for many keys at once
	Bytes           bool `json:"bytes"`            // takes byte strings
}

// doubled is the candidate for 2^shift times as many keys. Memory goes with the
// keys, and so what a builder rounds up to a power of two stays what it was; the rate
// does not change.
func (c Candidate) doubled(shift int) Candidate {
	scale := func(n int64) int64 {
		if shift < 0 {
			return max(n>>-shift, 1)
		}
		return n << shift
	}
	c.Keys, c.Bytes = int(scale(int64(c.Keys))), scale(c.Bytes)
	return c
}
