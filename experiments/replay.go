package experiments

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// printedOutputs are the figures that the programs of a source document print.
//
//go:embed golden/printed-outputs.json
var printedOutputs []byte

// sameFigure is the law of a replay: the same hash, the same figures.
var sameFigure = engine.Metric{
	Name: "mismatches/figure", Method: stats.Invariant,
	Law: "replay", Source: "the printed figure, to its last digit",
}

var replay = engine.Experiment{
	Name:     "replay",
	Question: "Do our structures print the figures that the source document prints?",
	Claims: []engine.Claim{{
		Text:   "every figure that the programs print",
		Source: "Probabilistic Structures: Bloom Filters, Count-Min, HyperLogLog, Sampling and Consistent Hashing",
		Metric: sameFigure.Name, Law: sameFigure.Law,
	}},
	Method: "Our structures get the document's hash, the first eight bytes of SHA-256 over seed and item, and its rule for positions, the " +
		"remainder by m. Every printed number, word and truth value is compared as it is written. Nothing is drawn, so there is one trial.",
	Plan: func(engine.Scale) []engine.Cell {
		cells := make([]engine.Cell, len(replayBlocks))
		for i, b := range replayBlocks {
			cells[i] = b.cell()
		}
		return cells
	},
}

// A replayBlock is one block of printed figures.
type replayBlock struct {
	subject, name string
	// given are the keys of the block that say what was run, not what came out.
	given []string
	// figures computes the others, in the same form.
	figures func() (map[string]any, error)
}

// replayBlocks are all blocks of printedOutputs.
var replayBlocks = []replayBlock{
	{"sha256", "hash", nil, replayHash},
	{"bloom", "bloom16", []string{"seeds"}, replayBloom16},
	{"bloom", "bloom_measured", []string{"keys", "columns"}, replayBloomMeasured},
	{"bloom", "bloom_sizes", []string{"columns"}, replayBloomSizes},
	{"bloom", "naive_delete16", []string{"added", "cleared"}, replayNaiveDelete},
	{"counting", "counting16", []string{"added", "removed"}, replayCounting16},
	{"countmin", "countmin", []string{"stream", "row_hash", "columns"}, replayCountMin},
	{"sha256", "max_leading_zeros", []string{"seed", "keys"}, replayLeadingZeros},
	{"hll", "hll10", []string{"seed", "index", "rank", "alpha", "estimator", "keys"}, replayHLL10},
	{"reservoir", "reservoir", []string{"draw"}, replayReservoir},
	{"ring", "ring", []string{"seed", "point", "owner", "keys"}, replayRing},
}

func (b replayBlock) cell() engine.Cell {
	return engine.Cell{
		Labels:  record.L("subject", b.subject, "block", b.name),
		Metrics: []engine.Metric{sameFigure},
		Trials:  1,
		Cost:    engine.Cost{Seconds: 0.05},
		Run: func(t *engine.T) error {
			var blocks map[string]json.RawMessage
			if err := readNumbers(printedOutputs, &blocks); err != nil {
				return err
			}
			var printed map[string]any
			if err := readNumbers(blocks[b.name], &printed); err != nil {
				return err
			}
			figures, err := b.figures()
			if err != nil {
				return err
			}
			mismatches, compared, err := compareFigures(figures, printed, b.given)
			if err != nil {
				return err
			}
			t.Read(sameFigure, mismatches, compared, never)
			return nil
		},
	}
}

// readNumbers decodes JSON and keeps numbers as they are written.
func readNumbers(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(to)
}

// compareFigures counts the printed figures that differ from ours, and all
// printed ones. A figure that we did not compute differs.
func compareFigures(ours, printed map[string]any, given []string) (mismatches, compared int64, err error) {
	text, err := json.Marshal(ours)
	if err != nil {
		return 0, 0, err
	}
	var written map[string]any
	if err := readNumbers(text, &written); err != nil {
		return 0, 0, err
	}
	for key, want := range printed {
		if !slices.Contains(given, key) {
			different, all := differences(written[key], want)
			mismatches, compared = mismatches+different, compared+all
		}
	}
	if compared == 0 {
		return 0, 0, fmt.Errorf("nothing is printed to compare with")
	}
	return mismatches, compared, nil
}

// differences compares two JSON values leaf by leaf. A null was not printed. An
// empty list is one figure.
func differences(ours, want any) (mismatches, compared int64) {
	add := func(a, b any) {
		different, all := differences(a, b)
		mismatches, compared = mismatches+different, compared+all
	}
	switch want := want.(type) {
	case nil:
	case map[string]any:
		mine, _ := ours.(map[string]any)
		for key, value := range want {
			add(mine[key], value)
		}
	case []any:
		mine, isList := ours.([]any)
		for i, value := range want {
			var at any
			if i < len(mine) {
				at = mine[i]
			}
			add(at, value)
		}
		if len(mine) > len(want) || len(want) == 0 {
			compared++
			if !isList || len(mine) > len(want) {
				mismatches++
			}
		}
	default:
		compared = 1
		if ours != want {
			mismatches = 1
		}
	}
	return mismatches, compared
}

// printedHash is the document's hash under a seed.
func printedHash(seed uint64) (hashing.Hasher, error) { return hashing.New(hashing.SHA256, seed) }
