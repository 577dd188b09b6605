package speed

import (
	"math"
	"testing"
)

func TestTimeOnce(t *testing.T) {
	lap, ok, err := TimeOnce(Overhead, 2000, 1)
	if err != nil || !ok || len(lap.Ops) == 0 || len(lap.Ops) != len(lap.Seconds) {
		t.Errorf("%+v, %v, %v", lap, ok, err)
	}
	if _, ok, err := TimeOnce("nobody", 2000, 1); ok || err != nil {
		t.Errorf("an unknown subject: %v, %v", ok, err)
	}
}

func TestRatios(t *testing.T) {
	var first, second []Lap
	for i := range 7 {
		noise := 1 + float64(i) // the machine slows down for both
		first = append(first, Lap{"s", []string{"add", "old"}, []float64{noise, 1}})
		second = append(second, Lap{"s", []string{"new", "add"}, []float64{1, 3 * noise}})
	}
	got := Ratios(first, second)
	if len(got) != 1 || got[0].Op != "add" || got[0].Median != 3 || got[0].Lo != 3 || got[0].Hi != 3 || got[0].Rounds != 7 || got[0].Confidence < 0.95 {
		t.Errorf("%+v", got)
	}
	if got[0].SecondsFirst != 4 || got[0].Seconds != 12 {
		t.Errorf("medians %v and %v", got[0].SecondsFirst, got[0].Seconds)
	}
	first[0].Seconds[0] = 0
	if got := Ratios(first, second); !math.IsNaN(got[0].Median) {
		t.Errorf("a time of zero: %+v", got)
	}
	if got := Ratios(first, second[1:]); got != nil {
		t.Errorf("unlike numbers of rounds: %+v", got)
	}
}
