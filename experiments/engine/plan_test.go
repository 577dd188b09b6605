package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Plan selects what Select does of all cells, whatever it leaves unplanned.
func TestPlanSelectsAsSelectDoes(t *testing.T) {
	for _, s := range []Selection{
		{},
		{Only: []string{"coin/rate"}},
		{Only: []string{"coin"}},
		{Only: []string{"coin/r*"}},
		{Only: []string{"*/percent=20*"}},
		{Only: []string{"coin/shown/subject=coin/percent=1?*", "coin/faults"}},
		{Cell: "coin/rate/subject=coin/percent=20/promised=20"},
		{Only: []string{"coin/rates"}},
		{Cell: "coin/rate/subject=none"},
		{Only: []string{"coin/rate"}, Shard: Shard{1, 2}},
	} {
		want, wantErr := s.Select(Cells(coins, CI))
		got, err := s.Plan(coins, CI)
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Errorf("%+v: %v, want %v", s, err, wantErr)
		}
		if d := cmp.Diff(cellNames(want), cellNames(got)); d != "" {
			t.Errorf("%+v:\n%s", s, d)
		}
	}
}

func cellNames(cells []Cell) []string {
	var names []string
	for _, c := range cells {
		names = append(names, c.Name())
	}
	return names
}
