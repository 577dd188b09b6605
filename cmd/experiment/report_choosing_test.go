package main

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestChoosingTables(t *testing.T) {
	if tables, err := choosingTables(fstest.MapFS{}); err != nil || tables != nil {
		t.Errorf("of nothing: %v, %v", tables, err)
	}
	phase := "set,keys,work,winner,cost,second,second_cost,margin,pays\n" +
		"stay,1000,1e-08,a,1,b,2,1,false\nstay,1000,1e-06,a,1,b,2,0.3,true\nstay,2000,1e-06,b,1,a,2,0.2,true\nstay,2000,1e-05,b,1,a,2,0.1,true\nadded,1000,1e-06,a,1,,,,true\n"
	regret := "regret,predicted_seconds,seconds,predicted_bytes,bytes,keys\n0,1e-8,1e-8,100,100,1000\n0.5,1e-8,2e-8,101,100,30000\n"
	tables, err := choosingTables(fstest.MapFS{
		"speed/phase.csv":    {Data: []byte(phase)},
		"choose/regret.csv":  {Data: []byte(regret)},
		"choose/summary.txt": {Data: []byte("as run\nmachine\n")},
	})
	if err != nil || len(tables) != 2 || tables[0].File != "speed/phase.png" || tables[1].Command != "as run" {
		t.Fatalf("%+v, %v", tables, err)
	}
	for i, want := range [][][]string{
		{
			{"stay", "b", "2 of 4", "2k", "1 us to 10 us", "10.0 %"},
			{"stay", "no filter pays", "1 of 4", "1k", "10 ns", ""},
			{"stay", "a", "1 of 4", "1k", "1 us", "30.0 %"},
			{"added", "a", "1 of 1", "1k", "1 us", "+Inf %"},
		},
		{
			{"regret, median", "0.0 %", "5.0 %"},
			{"regret, 95th percentile", "50.0 %", "15.0 %"},
			{"time of a look-up off what was predicted, median", "0.0 %", "25.0 %"},
			{"bytes off what was predicted, 95th percentile", "1.0 %", "2.0 %"},
		},
	} {
		if d := cmp.Diff(want, tables[i].Rows); d != "" {
			t.Errorf("%s: %s", tables[i].Title, d)
		}
	}
	for name, text := range map[string]string{"speed/phase.csv": "a\n1\n", "choose/regret.csv": "a\n1\n"} {
		if _, err := choosingTables(fstest.MapFS{name: {Data: []byte(text)}}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("a torn %s: %v", name, err)
		}
	}
}
