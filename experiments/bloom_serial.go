package experiments

import (
	"bytes"
	"encoding/binary"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// serialMetric is a law of serialized filters, none of which has an exception.
func serialMetric(name, law, source string) engine.Metric {
	return engine.Metric{Name: name, Method: stats.Invariant, Law: "serial." + law, Source: source}
}

const serialSource = "the format says what the reader must know"

var (
	serialRoundTrip  = serialMetric("other-answers/lookup", "round-trip", "what is read answers as what was written")
	serialFlips      = serialMetric("accepted/flipped-bit", "flips-refused", serialSource)
	serialLosses     = serialMetric("lossy/flipped-bit", "no-silent-loss", serialSource)
	serialCuts       = serialMetric("accepted/truncation", "truncations-refused", serialSource)
	serialPanics     = serialMetric("panics/damage", "never-panics", "encoding.BinaryUnmarshaler returns an error")
	serialForgeries  = serialMetric("accepted/false-claim", "claims-checked", "another structure, version or hash family is named, under a right checksum")
	serialWrongSeed  = serialMetric("accepted/unlike-seed", "seeds-compared", "filters of two seeds hold no common bits")
	serialMisreading = engine.Metric{
		Name: "found/present", Method: stats.Rate,
		Law: "serial.misread", Source: "under another seed an added key is any absent key",
	}
)

var bloomSerial = engine.Experiment{
	Name:     "bloom/serial",
	Question: "Does a serialized filter say what its reader must know, and is it refused when it was damaged?",
	Claims: []engine.Claim{
		{
			Text:   "serializing it is trivial: what is read answers as what was written",
			Source: "Bloom Filter", Metric: serialRoundTrip.Name, Law: serialRoundTrip.Law,
		},
		{
			Text:   "the trap: the hash function of writer and reader must match",
			Source: "Bloom Filter", Metric: serialMisreading.Name, Law: serialMisreading.Law,
		},
		{
			Text:   "codify the hash family and seed in the on-disk format",
			Source: "Bloom Filter", Metric: serialForgeries.Name, Law: serialForgeries.Law,
		},
		{
			Text:   "damage is noticed: every flipped bit is refused",
			Source: "this harness", Metric: serialFlips.Name, Law: serialFlips.Law,
		},
		{
			Text:   "no flipped bit loses a key in silence",
			Source: "this harness", Metric: serialLosses.Name, Law: serialLosses.Law,
		},
		{
			Text:   "every truncation is refused",
			Source: "this harness", Metric: serialCuts.Name, Law: serialCuts.Law,
		},
	},
	Method: "A filter of 100 keys is written, and read again: as it is, with one bit flipped, and cut short. An accepted flip loses keys in silence " +
		"if one of the 100 is no longer found. A form without a checksum has to take a flipped bit for another filter: a 0 that turns 1 adds " +
		"false positives, a 1 that turns 0 loses keys. Of a library's form, the first 64 bytes are spared from flips: a length in them is " +
		"believed, and a reader that makes room for what it announces ends the process (fatal: out of memory). Our own forms are tried bit by bit from the first. They " +
		"are further given false names, versions and hash families under a right checksum, and the seed of another hash function: then " +
		"the reader cannot know better, and finds an added key no more often than any absent one, which is what a form that does not state " +
		"its seed risks.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Filters {
			if subject.Encode == nil || subject.Decode == nil || s < engine.CI && !isBloom(subject) {
				continue
			}
			cells = append(cells, serialCell(subject))
			if subject.Module == "" && rateOf(subject, saltRate) >= rareRate {
				cells = append(cells, misreadCell(subject))
			}
		}
		return cells
	},
}

const (
	serialKeys = 100
	// serialHeader are the first bytes of a library's form, where lengths are.
	serialHeader = 64
)

func serialCell(subject adapters.Filter) engine.Cell {
	metrics := []engine.Metric{serialRoundTrip, serialFlips, serialLosses, serialCuts, serialPanics}
	if subject.Module == "" {
		metrics = append(metrics, serialForgeries)
		if subject.Merge != nil {
			metrics = append(metrics, serialWrongSeed)
		}
	}
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "n", serialKeys, "eps", realRate),
		Module:  adapters.At(subject.Module),
		Metrics: metrics,
		Trials:  32, // one exception decides
		Cost:    cost(subject.Module, 40000, 1<<12),
		Run: func(t *engine.T) error {
			keys := keys(parts(t.Seed, 0))
			spec := sketchproof.FilterSpec{Keys: keys.slice(0, serialKeys), Epsilon: realRate, Seed: parts(t.Seed, 1)}
			f, err := subject.Build(spec)
			if err != nil {
				return err
			}
			data, err := subject.Encode(f)
			if err != nil {
				return err
			}
			data = bytes.Clone(data)
			if err := readRoundTrip(t, subject, f, data, keys); err != nil {
				return err
			}
			d := damage{subject: subject, data: data, keys: keys}
			d.flips(parts(t.Seed, 2))
			t.Read(serialFlips, d.accepted, d.tried, never)
			t.Read(serialLosses, d.lossy, d.tried, never)
			panics, tried := d.panics, d.tried
			d = damage{subject: subject, data: data, keys: keys}
			for n := range data {
				d.try(data[:n:n])
			}
			t.Read(serialCuts, d.accepted, d.tried, never)
			t.Read(serialPanics, panics+d.panics, tried+d.tried, never)
			if subject.Module != "" {
				return nil
			}
			d = damage{subject: subject, data: data, keys: keys}
			d.falseClaims()
			t.Read(serialForgeries, d.accepted, d.tried, never)
			return readUnlikeSeeds(t, subject, f, spec)
		},
	}
}

// readRoundTrip compares answers for the keys added and nine times as many
// others, and the bytes that are written again.
func readRoundTrip(t *engine.T, subject adapters.Filter, f sketchproof.Filter, data []byte, keys keys) error {
	g, err := subject.Decode(bytes.Clone(data))
	if err != nil {
		return err
	}
	again, err := subject.Encode(g)
	if err != nil {
		return err
	}
	differs, tried := int64(0), int64(1)
	if !bytes.Equal(again, data) {
		differs++
	}
	for i := range 10 * serialKeys {
		tried++
		if f.Contains(keys.at(i)) != g.Contains(keys.at(i)) {
			differs++
		}
	}
	t.Read(serialRoundTrip, differs, tried, never)
	return nil
}

// A damage reads damaged bytes and counts what comes of it.
type damage struct {
	subject                        adapters.Filter
	data                           []byte
	keys                           keys
	tried, accepted, lossy, panics int64
}

// try reads bytes that nobody wrote.
func (d *damage) try(data []byte) {
	d.tried++
	defer func() {
		if recover() != nil {
			d.panics++
		}
	}()
	f, err := d.subject.Decode(data)
	if err != nil {
		return
	}
	d.accepted++
	if d.keys.foundIn(f, 0, serialKeys) < serialKeys {
		d.lossy++
	}
}

// flips flips one bit at a time, 256 of them at random and those of the header.
func (d *damage) flips(seed uint64) {
	flip := func(bit int) {
		bad := bytes.Clone(d.data)
		bad[bit/8] ^= 1 << (bit % 8)
		d.try(bad)
	}
	from := 0
	if d.subject.Module != "" {
		from = serialHeader
	} else {
		for bit := range min(8*serialHeader, 8*len(d.data)) {
			flip(bit)
		}
	}
	bits := 8 * (len(d.data) - from)
	for i := range min(256, bits) {
		flip(8*from + int(hashing.Reduce(keys(seed).at(i), uint64(bits))))
	}
}

// The places of our own form: see impl/internal/frame.
const (
	frameName    = 4
	frameVersion = 8
	frameFamily  = 9
	frameSeed    = 12
)

// sealed renews the checksum of our own form: XXH64 of all before it.
func sealed(data []byte) []byte {
	body := data[:len(data)-8]
	return binary.LittleEndian.AppendUint64(body, hashing.XX(0).Bytes(body))
}

// falseClaims names another structure, version and hash family.
func (d *damage) falseClaims() {
	claim := func(at int, value byte) {
		bad := bytes.Clone(d.data)
		if bad[at] != value {
			bad[at] = value
			d.try(sealed(bad))
		}
	}
	for i := range 4 {
		claim(frameName+i, '_')
	}
	for v := range 256 {
		claim(frameVersion, byte(v))
		if !hashing.Family(v).Valid() {
			claim(frameFamily, byte(v))
		}
	}
}

// readUnlikeSeeds merges filters of two seeds.
func readUnlikeSeeds(t *engine.T, subject adapters.Filter, f sketchproof.Filter, spec sketchproof.FilterSpec) error {
	if subject.Merge == nil {
		return nil
	}
	spec.Seed = parts(t.Seed, 3)
	other, err := subject.Build(spec)
	if err != nil {
		return err
	}
	accepted := int64(0)
	if subject.Merge(f, other) == nil {
		accepted++
	}
	t.Read(serialWrongSeed, accepted, 1, never)
	return nil
}

// misreadCell writes a filter and states another seed.
func misreadCell(subject adapters.Filter) engine.Cell {
	const n = 1000
	price, band := cost(subject.Module, 4*n, 4*n), usualRate(subject, saltRate, n, false, 0.1)
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "n", n, "eps", saltRate, "seed", "misstated"),
		Module:  adapters.At(subject.Module),
		Metrics: []engine.Metric{serialMisreading},
		Trials:  4096,
		Cost:    price,
		Run: func(t *engine.T) error {
			keys := keys(parts(t.Seed, 0))
			spec := sketchproof.FilterSpec{Keys: keys.slice(0, n), Epsilon: saltRate, Seed: parts(t.Seed, 1)}
			f, err := subject.Build(spec)
			if err != nil {
				return err
			}
			data, err := subject.Encode(f)
			if err != nil {
				return err
			}
			data = bytes.Clone(data)
			binary.LittleEndian.PutUint64(data[frameSeed:], parts(t.Seed, 2))
			g, err := subject.Decode(sealed(data))
			if err != nil {
				return err
			}
			t.Read(serialMisreading, keys.foundIn(g, 0, n), n, band())
			return nil
		},
	}
}
