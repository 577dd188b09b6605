package experiments

import (
	"encoding/binary"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// The same counts under the two laws that a filter under attack may follow, and
// the rate of a filter whose keys were chosen.
var (
	alwaysFooled = engine.Metric{
		Name: "hits/forged-key", Method: stats.Rate,
		Law: "forged.always", Source: "Gerbet, Kumar, Lauradoux 2015: a forged key is found for certain",
	}
	seedStops = engine.Metric{
		Name: alwaysFooled.Name, Method: stats.Rate,
		Law: "forged.seed", Source: "the subject's own law: a key chosen without the seed is any absent key",
	}
	keyStops = engine.Metric{
		Name: alwaysFooled.Name, Method: stats.Rate,
		Law: "forged.key", Source: "Aumasson & Bernstein 2012, and the subject's own law",
	}
	pollutedRate = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: "bloom.pollution", Source: "Gerbet, Kumar, Lauradoux 2015: (kn/m)^k for keys that share no bit",
	}
	honestRate = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: adapters.BloomExact.Name, Source: adapters.BloomExact.Source,
	}
)

var bloomSalt = engine.Experiment{
	Name:     "bloom/salt",
	Question: "Can who knows the hash raise the rate, and does a secret prevent it?",
	Claims: []engine.Claim{
		{
			Text:   "an attacker who knows the hash can craft elements that collide",
			Source: "Bloom Filter; Probabilistic Structures: Bloom Filters, Count-Min, HyperLogLog, Sampling and Consistent Hashing",
			Metric: alwaysFooled.Name, Law: alwaysFooled.Law,
		},
		{
			Text:   "mitigation: keyed hash functions (SipHash)",
			Source: "Bloom Filter",
			Metric: keyStops.Name, Law: keyStops.Law,
		},
		{
			Text:   "mitigation: salt the filter at construction; hostile input needs a secret seed",
			Source: "Bloom Filter; Probabilistic Structures: Bloom Filters, Count-Min, HyperLogLog, Sampling and Consistent Hashing",
			Metric: seedStops.Name, Law: seedStops.Law,
		},
		{
			Text:   "chosen keys fill a filter faster than random ones, to a rate of (kn/m)^k",
			Source: "Gerbet, Kumar, Lauradoux 2015",
			Metric: pollutedRate.Name, Law: pollutedRate.Law,
		},
		{
			Text:   "keys chosen without the secret fill it like any others",
			Source: "Bloom Filter",
			Metric: honestRate.Name, Law: honestRate.Law,
		},
	},
	Method: "The attack \"search\" knows the code, the seed and the set: it tries random keys on a filter of its own until enough are found, which " +
		"costs one over the rate a key, and replays them against the filter (known-seed), one of the same set under another seed " +
		"(secret-seed), and one under a secret 128-bit key (siphash). They may hit the second and third no more than 1.3 times as often as an " +
		"ordinary absent key. The attack \"twins\" knows one thing, that the hash is XXH64, and no seed: of a key of sixteen bytes it makes the " +
		"one that XXH64 maps to the same 64 bits under every seed. The first eight bytes enter by exclusive or, a rotation by 27 and a " +
		"multiplication by an odd number: to change the bit that lands on top changes the top bit alone, and the last eight bytes cancel it. So a " +
		"secret seed is no secret key: every added key of this length has a twin that is found, at any rate, in every subject that hashes by " +
		"XXH64, and breaks the claim about seeds. The one subject of ours that hashes by XXH3 (splitblock) is not fooled by this, which does not make " +
		"that a keyed hash; SipHash is made against it, and every filter of ours takes its key. In the attack \"insertion\" a key is added only if all of its " +
		"bits are new, up to nine tenths of the design load: the last tenth costs a search of thousands of keys for each. Rates below two in a thousand are left out: there a search is slow.",
	Plan: planSalt,
}

func planSalt(s engine.Scale) []engine.Cell {
	var cells []engine.Cell
	for _, subject := range adapters.Filters {
		rate := rateOf(subject, saltRate)
		if isExact(subject) || rate < rareRate || s < engine.CI && !isBloom(subject) {
			continue
		}
		cells = append(cells, searchCell(subject, rate, "known-seed", subject.Build, alwaysFooled))
		if isSeeded(subject) {
			cells = append(cells, searchCell(subject, rate, "secret-seed", subject.Build, seedStops))
			if subject.Module == "" && takesBytes(subject) {
				cells = append(cells, twinsCell(subject, "secret-seed", subject.Build, seedStops))
			}
		}
		if subject.Keyed {
			cells = append(cells, searchCell(subject, rate, "siphash", keyedBuild(subject), keyStops),
				twinsCell(subject, "siphash", keyedBuild(subject), keyStops))
		}
	}
	if s >= engine.CI {
		cells = append(cells, insertionCell("known-seed", hashing.XX, pollutedRate), insertionCell("siphash", secretKey, honestRate))
	}
	return cells
}

const (
	saltRate = 0.05 // a forged key costs twenty tries
	saltKeys = 400
	forgers  = 100 // forged keys of a trial
)

type buildFilter = func(sketchproof.FilterSpec) (sketchproof.Filter, error)

// keyedBuild builds a subject under a secret that follows from the seed.
func keyedBuild(subject adapters.Filter) buildFilter {
	return func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		binary.LittleEndian.PutUint64(spec.Secret[:8], parts(spec.Seed, 100))
		binary.LittleEndian.PutUint64(spec.Secret[8:], parts(spec.Seed, 101))
		return subject.Build(spec)
	}
}

// secretKey is SipHash under a key that nobody knows.
func secretKey(seed uint64) hashing.Hasher {
	h, err := hashing.FromParts(hashing.SipHash, parts(seed, 100), parts(seed, 101))
	if err != nil {
		panic(err) // it takes any key
	}
	return h
}

func saltCell(subject adapters.Filter, attack, filter string, tries int, metric engine.Metric, run func(t *engine.T) error) engine.Cell {
	price := cost(subject.Module, tries+4*saltKeys, 2*saltKeys)
	trials := planned(price)
	if metric == alwaysFooled {
		trials = 128
	}
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "attack", attack, "filter", filter, "n", saltKeys, "eps", saltRate),
		Module:  adapters.At(subject.Module),
		Metrics: []engine.Metric{metric},
		Trials:  trials,
		Cost:    price,
		Run:     run,
	}
}

// searchCell replays keys that were searched for on the filter of a known seed.
func searchCell(subject adapters.Filter, rate float64, name string, build buildFilter, metric engine.Metric) engine.Cell {
	tries, band := int(forgers/rate), attackBand(subject, metric, false)
	return saltCell(subject, "search", name, tries, metric, func(t *engine.T) error {
		keys := keys(parts(t.Seed, 0))
		spec := sketchproof.FilterSpec{Keys: keys.slice(0, saltKeys), Capacity: saltKeys, Epsilon: saltRate, Seed: parts(t.Seed, 1)}
		copied, err := subject.Build(spec) // the attacker's own
		if err != nil {
			return err
		}
		var forged []uint64
		for i := saltKeys; len(forged) < forgers && i < saltKeys+4*tries; i++ {
			if k := keys.at(i); copied.Contains(k) {
				forged = append(forged, k)
			}
		}
		if metric != alwaysFooled {
			spec.Seed = parts(t.Seed, 2)
		}
		victim, err := build(spec)
		if err != nil {
			return err
		}
		hits := int64(0)
		for _, k := range forged {
			if victim.Contains(k) {
				hits++
			}
		}
		t.Read(metric, hits, int64(len(forged)), band())
		return nil
	})
}

// attackBand is what the law of the metric allows.
func attackBand(subject adapters.Filter, metric engine.Metric, later bool) func() stats.Band {
	if metric == alwaysFooled {
		return func() stats.Band { return stats.Between(1, 0.99, 1) }
	}
	usual := usualRate(subject, saltRate, saltKeys, later, 0)
	return func() stats.Band {
		rate := usual().Predicted
		return stats.Between(rate, math.Inf(-1), 1.3*rate)
	}
}

// twinsCell asks for the twins of added keys, of which there is one for each.
func twinsCell(subject adapters.Filter, name string, build buildFilter, metric engine.Metric) engine.Cell {
	band := attackBand(subject, metric, true)
	return saltCell(subject, "twins", name, saltKeys, metric, func(t *engine.T) error {
		pair := keys(parts(t.Seed, 0))
		key := func(i int) [2]uint64 { return [2]uint64{pair.at(2 * i), pair.at(2*i + 1)} }
		spec := sketchproof.FilterSpec{Capacity: saltKeys, Epsilon: saltRate, Seed: parts(t.Seed, 1)}
		secret := subject
		secret.Build = build
		victim, err := holdingBytes(secret, spec, saltKeys, func(i int) []byte { return sixteen(key(i)) })
		if err != nil {
			return err
		}
		hits := int64(0)
		for i := range saltKeys {
			if victim.ContainsBytes(sixteen(twin(key(i)))) {
				hits++
			}
		}
		t.Read(metric, hits, saltKeys, band())
		return nil
	})
}

// insertionCell adds keys to a Bloom filter that set k new bits each in the
// attacker's copy, which is of the known seed.
func insertionCell(name string, secret func(seed uint64) hashing.Hasher, metric engine.Metric) engine.Cell {
	const n, added, probes = 100, 90, 20000
	price := cost("", 10*13000+probes, 4*n) // 13 000 keys are looked at, each in a copy
	return engine.Cell{
		Labels:  record.L("subject", "bloom", "attack", "insertion", "filter", name, "n", added, "eps", realRate),
		Metrics: []engine.Metric{metric},
		Trials:  512,
		Cost:    price,
		Run: func(t *engine.T) error {
			seed := parts(t.Seed, 1)
			copied, err := bloom.ForRate(n, realRate, bloom.Exact, hashing.XX(seed))
			if err != nil {
				return err
			}
			victim, err := bloom.ForRate(n, realRate, bloom.Exact, secret(seed))
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			next := pollute(copied, victim, keys, added)
			rate := math.Pow(float64(copied.K())*added/float64(copied.M()), float64(copied.K()))
			if metric == honestRate {
				rate = bloom.FPRExact(victim.M(), victim.K(), added)
			}
			t.Read(metric, keys.foundIn(victim, next, next+probes), probes, stats.Within(rate, 0.1))
			return nil
		},
	}
}

// pollute adds n keys of the stream that set as many new bits as they can in the
// attacker's copy, and returns the number of the first key that was not looked at.
func pollute(copied, victim *bloom.Filter, keys keys, n int) (next int) {
	for added, i := 0, 0; ; i++ {
		if added == n {
			return i
		}
		trial := copied.Clone()
		_ = trial.Add(keys.at(i)) // a Bloom filter takes every key
		if trial.BitsSet() == copied.BitsSet()+copied.K() {
			_ = victim.Add(keys.at(i))
			copied, added = trial, added+1
		}
	}
}
