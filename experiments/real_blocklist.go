package experiments

import (
	"encoding/binary"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/data"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// answeredLocally is the share of benign look-ups that the filter answers with
// "no", so that nobody need be asked.
var answeredLocally = engine.Metric{
	Name: "answered-locally/lookup", Method: stats.Share,
	Law: "most-locally", Source: "Bloom Filters & Probabilistic Data Structures: only a maybe makes a call",
}

var bloomBlocklist = engine.Experiment{
	Name:     "bloom/blocklist",
	Question: "Does a local filter answer most look-ups of a blocklist without a call?",
	Claims: []engine.Claim{
		{
			Text:   "only if the local filter says maybe is a network call made",
			Source: "Bloom Filters & Probabilistic Data Structures; Bloom Filter",
			Metric: answeredLocally.Name, Law: answeredLocally.Law,
		},
		{
			Text:   "what is on the list is never let through",
			Source: "all five documents",
			Metric: falseNegatives.Name, Law: falseNegatives.Law,
		},
		{
			Text:   "the rate on real names is that of the formula",
			Source: "Probabilistic Structures: Bloom Filters, Count-Min, HyperLogLog, Sampling and Consistent Hashing",
			Metric: sketchproof.MetricFPR,
		},
	},
	Method: "A random half of 121 570 throw-away mail domains is added, sized for 1 %. Absent are the other half, 11 313 domains of free mail " +
		"services and 6 855 hosts of Debian's homepages, each once. The benign look-ups are the free mail domains, each once, and the hosts as " +
		"often as they occur: a third of those are one host, so in one filter of a hundred all of them go out. Such bursts, not the rate, make " +
		"the share vary, so the share is held against one half alone. Every key begins with eight bytes that belong to the trial, in place " +
		"of a seed: one list and a hash without a seed would else be the same draw in every trial.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Filters {
			if s >= engine.CI && takesBytes(subject) && (ourKind(subject) || subject.Module != "") {
				cells = append(cells, blocklistCell(subject))
			}
		}
		return cells
	},
}

func blocklistCell(subject adapters.Filter) engine.Cell {
	const operations, bytes = 200000, 1 << 18
	price := cost(subject.Module, operations, bytes)
	trials := planned(price)
	if isExact(subject) {
		trials = 64 // the fewest that show a share above one half
	}
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "list", "disposable-domains", "eps", realRate),
		Module:  adapters.At(subject.Module),
		Metrics: append([]engine.Metric{falseNegatives, answeredLocally}, ratesOf(subject)...),
		Trials:  trials,
		Cost:    price,
		Run:     func(t *engine.T) error { return blocklistTrial(t, subject) },
	}
}

func blocklistTrial(t *engine.T, subject adapters.Filter) error {
	blocked, others := split(data.DisposableDomains(), 2, parts(t.Seed, 0))
	key := newSalt(parts(t.Seed, 2))
	spec := sketchproof.FilterSpec{Capacity: len(blocked), Epsilon: realRate}
	names, err := holdingBytes(subject, spec, len(blocked), func(i int) []byte { return key.of(blocked[i]) })
	if err != nil {
		return err
	}
	missed := int64(0)
	for _, name := range blocked {
		if !names.ContainsBytes(key.of(name)) {
			missed++
		}
	}
	t.Read(falseNegatives, missed, int64(len(blocked)), never)

	var found, absent, local, lookups int64
	look := func(name string, times int64) {
		hit := names.ContainsBytes(key.of(name))
		absent++
		lookups += times
		if hit {
			found++
		} else {
			local += times
		}
	}
	for _, name := range others {
		look(name, 0)
	}
	for _, name := range data.FreeMailDomains() {
		look(name, 1)
	}
	for _, host := range data.DebianHosts() {
		look(host.Name, int64(host.Count))
	}
	t.Read(answeredLocally, local, lookups, stats.AtLeast(0.5)) // "most" is more than half
	readRates(t, subject, names, spec, len(blocked), found, absent)
	return nil
}

// salt makes the keys of a trial from real names: eight bytes of the trial's own
// come first.
type salt []byte

func newSalt(seed uint64) *salt {
	s := salt(binary.LittleEndian.AppendUint64(make([]byte, 0, 256), seed))
	return &s
}

// of is the key of a name. It is good until the next call.
func (s *salt) of(name string) []byte {
	*s = append((*s)[:8], name...)
	return *s
}
