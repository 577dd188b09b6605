package sketchproof

// A Property is something that a structure can be held to, whoever made it. It is
// a row of the league of libraries.
type Property string

// The properties, and what keeping each of them means.
const (
	// Membership: a key that was accepted is found.
	Membership Property = "membership"
	// Rate: absent keys are found as rarely as was asked for.
	Rate Property = "rate"
	// Capacity: as many keys as it was built for fit, and one that does not fit is
	// refused with no harm done.
	Capacity Property = "capacity"
	// Deletion: a removal takes away the key, and nothing else.
	Deletion Property = "deletion"
	// Merging: the merger answers for what both held, and leaves its source alone.
	Merging Property = "merge"
	// Serialization: what was written is read again as it was, and damaged bytes are refused.
	Serialization Property = "form"
	// Robustness: damaged bytes are refused, or read without harm.
	Robustness Property = "damage"
	// Concurrency: readers side by side get the answers of one alone.
	Concurrency Property = "concurrency"
	// Accuracy: estimates lie around the truth as closely as the law says.
	Accuracy Property = "accuracy"
	// Fairness: samples and placements prefer nobody.
	Fairness Property = "fairness"
	// Isolation: to ask, to estimate or to write changes nothing; no buffer of the
	// caller is kept; no two structures share state.
	Isolation Property = "isolation"
	// Memory: what is held is what was told.
	Memory Property = "memory"
)

// A Promise is what the documentation of a library says about a property. A
// property without a promise may be measured; nobody is to blame for it.
type Promise struct {
	Of Property
	// Text is the line of the documentation.
	Text string
	// Where is where it stands: "func NewWithEstimates", "README".
	Where string
}
