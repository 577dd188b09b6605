package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sketchproof/sketchproof/stats"
)

func TestJournalSurvivesTearingAtEveryByte(t *testing.T) {
	dir := t.TempDir()
	j, _, err := openJournal(dir, "me", true)
	if err != nil {
		t.Fatal(err)
	}
	want := []entry{
		{Cell: "a", From: 0, Trials: []Trial{{Readings: []Reading{{0, 3, 10, stats.AtMost(1)}}}}},
		{Cell: "b", From: 32, Trials: []Trial{{Fault: "gone"}}},
	}
	for _, e := range want {
		if err := j.append(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, journalName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole := 0
	for n := 0; n <= len(data); n++ {
		if err := os.WriteFile(path, data[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		j, got, err := openJournal(dir, "me", false)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) > len(want) || (len(got) > 0 && !cmp.Equal(got, want[:len(got)])) {
			t.Fatalf("cut at %d: %+v", n, got)
		}
		whole = max(whole, len(got))
		if err := j.close(); err != nil {
			t.Fatal(err)
		}
	}
	if whole != len(want) {
		t.Errorf("the whole journal gave %d entries, want %d", whole, len(want))
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	j, got, err := openJournal(dir, "another program", false)
	if err != nil || len(got) != 0 {
		t.Errorf("another program's journal was taken: %v, %v", got, err)
	}
	_ = j.close()
}
