package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/sketchproof/sketchproof/choose"
	"github.com/sketchproof/sketchproof/record"
)

// duelFolder is what phase writes of the contest.
func duelFolder(t *testing.T) fstest.MapFS {
	t.Helper()
	market := timedAs(contest())
	all, err := duels(context.Background(), market)
	if err != nil {
		t.Fatal(err)
	}
	var rows bytes.Buffer
	raw := make([][]string, len(all))
	for i, d := range all {
		raw[i] = d.strings()
	}
	if err := record.WriteRaw(&rows, duelHeader, raw); err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{
		"speed/" + duelRowsName:    {Data: rows.Bytes()},
		"speed/" + duelMachineName: {Data: market.Clock.Machine.Encode()},
	}
}

func TestDuelTable(t *testing.T) {
	table, err := duelTable(duelFolder(t))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"cuckoo filter", "against", "keys there", "both fit L1", "both fit L2", "larger"}, table.Header); d != "" {
		t.Error(d)
	}
	// L1 has 1500 bytes, 12 bits for each of 1000 keys. Cuckoo has 1096 slots for them, so
	// that its tags of 7, 8 and 10 bits fit, and those of 12 to 17 do not.
	want := [][]string{
		{"cuckoo", "bloom", "0 %", "bloom 3 (3.33 times)", "bloom 4 (3.33 times)", ""},
		{"cuckoo", "bloom", "50 %", "undecided 3", "undecided 4", ""},
		{"cuckoo", "bloom", "100 %", "cuckoo 3 (2.00 times)", "cuckoo 4 (2.00 times)", ""},
		{"cuckoo", "splitblock", "0 %", "splitblock 3 (3.33 times)", "splitblock 4 (3.33 times)", ""},
	}
	if len(table.Rows) != 12 {
		t.Fatalf("%d rows", len(table.Rows))
	}
	if d := cmp.Diff(want, table.Rows[:4]); d != "" {
		t.Error(d)
	}
	if got := table.Rows[9]; got[0] != "cuckoo-semisorted" || got[1] != "splitblock" {
		t.Errorf("%v", got)
	}
	for _, part := range []string{
		`"Bloom Filter", section 11`, "Fan et al. 2014", "with 50 % of the keys there, undecided 7; with 100 % of the keys there, cuckoo 7 (2.00 times). Where both fit L1: cuckoo 3 (2.00 times), bloom 3 (3.33 times), undecided 3.",
		"Bloom needs counters: cuckoo 21 (3.00 times); cuckoo has 2", "if asked for 0.1 % or less", "c, 1 cores",
	} {
		if !strings.Contains(table.Note, part) {
			t.Errorf("%q is not in %s", part, table.Note)
		}
	}
	if table.File != "speed/"+duelFigureName {
		t.Error(table.File)
	}
}

func TestTheLargerFilterSaysWhichLevelHoldsBoth(t *testing.T) {
	levels := []memoryLevel{{"L1", 1500}, {"beyond", 1 << 62}}
	all := []duel{
		{keys: 1000, one: contender{bits: 8}, other: contender{bits: 16}},
		{keys: 1000, one: contender{bits: 16}, other: contender{bits: 8}},
		{keys: 1000, one: contender{bits: 12}, other: contender{bits: 8}},
	}
	if got := atDuelLevel(all, levels, 0); len(got) != 1 || got[0].one.bits != 12 {
		t.Errorf("%+v fit", got)
	}
	if got := atDuelLevel(all, levels, 1); len(got) != 2 {
		t.Errorf("%+v do not fit", got)
	}
}

func TestDuelTableOfLess(t *testing.T) {
	folder := duelFolder(t)
	lacks := func(name string) fstest.MapFS {
		less := fstest.MapFS{}
		for n, f := range folder {
			if n != "speed/"+name {
				less[n] = f
			}
		}
		return less
	}
	if _, err := duelTable(lacks(duelRowsName)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without rows: %v", err)
	}
	if _, err := duelTable(lacks(duelMachineName)); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a machine: %v; there are rows, so that a table is missing", err)
	}
	rows := string(folder["speed/"+duelRowsName].Data)
	for _, torn := range []string{strings.ReplaceAll(rows, countingBloom, "none"), strings.Replace(rows, ",1000,", ",many,", 1), "a\n1\n"} {
		f := lacks(duelRowsName)
		f["speed/"+duelRowsName] = &fstest.MapFile{Data: []byte(torn)}
		if _, err := duelTable(f); err == nil || !strings.Contains(err.Error(), duelRowsName) {
			t.Errorf("torn: %v", err)
		}
	}
}

func TestErrsLess(t *testing.T) {
	at := func(rate, one, other float64) duel {
		return duel{rate: rate, one: contender{rate: one}, other: contender{rate: other}}
	}
	all := []duel{at(0.1, 0.06, 0.05), at(0.01, 0.007, 0.008), at(0.01, 0.007, 0.0071), at(0.001, 0.0009, 0.001)}
	if got := errsLess(all); !strings.HasSuffix(got, "asked for "+choose.Share(0.01)+" or less") {
		t.Error(got)
	}
	all = append(all, at(0.01, 0.007, 0.006)) // of another number of keys
	if got := errsLess(all); !strings.HasSuffix(got, "asked for "+choose.Share(0.001)+" or less") {
		t.Error(got)
	}
	if got := errsLess(all[:1]); !strings.Contains(got, "none of these rates") {
		t.Error(got)
	}
}
