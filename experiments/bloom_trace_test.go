package experiments

import (
	"testing"

	"github.com/sketchproof/sketchproof/experiments/engine"
)

func traced(t *testing.T, d drawing) engine.Reading {
	t.Helper()
	trial := engine.NewT(1, []engine.Metric{sameFigure})
	if err := d.trace(trial); err != nil {
		t.Fatal(err)
	}
	return trial.Readings()[0]
}

func TestTrace(t *testing.T) {
	for _, d := range drawings {
		want := int64(d.m)*int64(len(d.added)) + int64(len(d.asked))
		if got := traced(t, d); got.Num != 0 || got.Den != want {
			t.Errorf("%s: %d of %d differ, of %d", d.name, got.Num, got.Den, want)
		}
	}
	d := drawings[0]
	d.asked = []drawnWord{{positions: []uint64{1, 5, 9}, found: true}}
	if got := traced(t, d); got.Num != 1 {
		t.Errorf("a wrong answer counts %d times", got.Num)
	}
	d.added = []drawnWord{{positions: []uint64{2, 7, 13}, bits: "1010000100000100"}}
	if got := traced(t, d); got.Num != 2 {
		t.Errorf("a wrong answer and a wrong bit count %d times", got.Num)
	}
}

func TestHashForRefusesPositionsOutOfReach(t *testing.T) {
	d := drawings[2]
	d.asked = []drawnWord{{positions: []uint64{8, 0}}}
	if err := d.trace(engine.NewT(1, []engine.Metric{sameFigure})); err == nil {
		t.Error("bit 8 of 8 was found")
	}
}
