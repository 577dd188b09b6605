package experiments

import (
	"sync/atomic"
	"testing"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/rotating"
)

func TestHotSwapReadsAFixedNumberOfLookUps(t *testing.T) {
	for _, writers := range []int{1, 3} {
		cell := hotSwapCell(writers, 2, 10)
		trial := engine.NewT(1, cell.Metrics)
		if err := cell.Run(trial); err != nil {
			t.Fatal(err)
		}
		if r := trial.Readings(); len(r) != 1 || r[0].Num != 0 || r[0].Den != 9*2*1000 {
			t.Errorf("%d writers: %+v", writers, r)
		}
	}
	if err := hotSwapCell(1, 1, 2).Run(engine.NewT(1, []engine.Metric{missedInSwap})); err == nil {
		t.Error("a trial without a swap is no fault")
	}
}

// A filter whose periods are shorter than a round loses keys, and readers see it.
func TestHotSwapSeesMisses(t *testing.T) {
	f, err := rotating.New(rotating.Params{M: 512, K: 4, Hash: hashing.XX(0)})
	if err != nil {
		t.Fatal(err)
	}
	var missed atomic.Int64
	keys := keys(5)
	if err := keys.addTo(f, 0, 600); err != nil {
		t.Fatal(err)
	}
	swapRound(f, keys, 600, 600, 1, 2, 1000, 7, &missed)
	if missed.Load() == 0 {
		t.Error("keys of earlier periods were found")
	}
}
