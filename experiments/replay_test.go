package experiments

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/sketchproof/sketchproof/experiments/engine"
)

func readPrinted(t *testing.T) map[string]any {
	t.Helper()
	var printed map[string]any
	if err := readNumbers(printedOutputs, &printed); err != nil {
		t.Fatal(err)
	}
	delete(printed, "about")
	return printed
}

func TestReplayCoversEveryBlock(t *testing.T) {
	var names []string
	for _, b := range replayBlocks {
		names = append(names, b.name)
	}
	if printed := slices.Sorted(maps.Keys(readPrinted(t))); !slices.Equal(slices.Sorted(slices.Values(names)), printed) {
		t.Errorf("blocks %v, printed are %v", names, printed)
	}
}

// Every figure agrees, and none is skipped by being called given: what is given
// holds no number but seeds.
func TestReplay(t *testing.T) {
	printed := readPrinted(t)
	for _, b := range replayBlocks {
		trial := engine.NewT(1, []engine.Metric{sameFigure})
		if err := b.cell().Run(trial); err != nil {
			t.Errorf("%s: %v", b.name, err)
			continue
		}
		if r := trial.Readings()[0]; r.Num != 0 || r.Den < 2 {
			t.Errorf("%s: %d of %d figures differ", b.name, r.Num, r.Den)
		}
		for _, key := range b.given {
			value, ok := printed[b.name].(map[string]any)[key]
			if _, isNumber := value.(interface{ Int64() (int64, error) }); !ok || isNumber && key != "seed" {
				t.Errorf("%s: %q is given as %v", b.name, key, value)
			}
		}
	}
}

// A replay that changes any one leaf of any block must be seen.
func TestEveryFigureIsCompared(t *testing.T) {
	printed := readPrinted(t)
	for _, b := range replayBlocks {
		block := printed[b.name].(map[string]any)
		_, compared, err := compareFigures(block, block, b.given)
		if err != nil {
			t.Fatal(err)
		}
		for leaf := range compared {
			changed, left := change(block, b.given, leaf)
			if left >= 0 {
				t.Fatalf("%s has no figure %d", b.name, leaf)
			}
			if got, _, err := compareFigures(changed.(map[string]any), block, b.given); err != nil || got != 1 {
				t.Errorf("%s: figure %d changed and %d differ (%v)", b.name, leaf, got, err)
			}
		}
	}
}

// change returns a copy in which the figure number at is another. What is left
// of the number is negative when it was reached.
func change(value any, given []string, at int64) (changed any, left int64) {
	switch v := value.(type) {
	case nil:
		return nil, at
	case map[string]any:
		out := maps.Clone(v)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if at >= 0 && !slices.Contains(given, key) {
				out[key], at = change(v[key], nil, at)
			}
		}
		return out, at
	case []any:
		out := slices.Clone(v)
		if len(v) == 0 {
			if at == 0 {
				out = []any{"more"}
			}
			return out, at - 1
		}
		for i := range v {
			if at >= 0 {
				out[i], at = change(v[i], nil, at)
			}
		}
		return out, at
	default:
		if at == 0 {
			return "something else", -1
		}
		return v, at - 1
	}
}

func TestDifferences(t *testing.T) {
	type list = []any
	for i, c := range []struct {
		ours, want           any
		mismatches, compared int64
	}{
		{list{"a"}, list{"a", "b"}, 1, 2},
		{list{"a", "b"}, list{"a"}, 1, 2}, // one too many is one more to compare
		{list{}, list{}, 0, 1},
		{nil, list{}, 1, 1},
		{list{"a"}, list{}, 1, 1},
		{"a", list{"a"}, 1, 1},
		{map[string]any{}, map[string]any{"a": true}, 1, 1},
		{false, nil, 0, 0},
	} {
		if m, n := differences(c.ours, c.want); m != c.mismatches || n != c.compared {
			t.Errorf("case %s: %d of %d, want %d of %d", strconv.Itoa(i), m, n, c.mismatches, c.compared)
		}
	}
}
