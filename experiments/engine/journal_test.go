package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sketchproof/sketchproof/stats"
)

// me and another are identities of two programs.
const (
	me      = "0123456789abcdef-me"
	another = "fedcba9876543210-another"
)

// mustOpen opens a journal and returns what it tells.
func mustOpen(t *testing.T, dir, identity string) (*journal, []entry) {
	t.Helper()
	var got []entry
	j, err := openJournal(dir, identity, false, func(e entry) { got = append(got, e) })
	if err != nil {
		t.Fatal(err)
	}
	return j, got
}

func TestJournalSurvivesTearingAtEveryByte(t *testing.T) {
	dir := t.TempDir()
	j, _ := mustOpen(t, dir, me)
	want := []entry{
		{Cell: "a", From: 0, Trials: []Trial{{Readings: []Reading{{Num: 3, Den: 10, Band: stats.AtMost(1), Input: "ten"}}}}},
		{Cell: "b", From: 32, Trials: []Trial{{Fault: "gone"}}},
	}
	path := filepath.Join(dir, journalName(me))
	var ends []int64 // of the entries
	for _, e := range want {
		if err := j.append(e); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, info.Size())
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n <= len(data); n++ {
		if err := os.WriteFile(path, data[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		whole := 0
		for whole < len(ends) && ends[whole] <= int64(n) {
			whole++
		}
		j, got := mustOpen(t, dir, me)
		if len(got) != whole || whole > 0 && !cmp.Equal(got, want[:whole]) {
			t.Fatalf("cut at %d: %+v, want %d entries", n, got, whole)
		}
		if err := j.close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	noise := "This is no journal, and its first bytes are a length of two gigabytes."
	for _, bad := range []string{string(data), noise} {
		if err := os.WriteFile(path, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		j, got := mustOpen(t, dir, me)
		if len(got) >= len(want) {
			t.Errorf("corrupt bytes went by: %+v", got)
		}
		_ = j.close()
	}
}

func TestJournalsOfTwoProgramsDoNotTouch(t *testing.T) {
	dir := t.TempDir()
	j, _ := mustOpen(t, dir, me)
	if err := j.append(entry{Cell: "a"}); err != nil {
		t.Fatal(err)
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	k, got := mustOpen(t, dir, another)
	if len(got) != 0 {
		t.Errorf("another program's journal was taken: %+v", got)
	}
	if err := k.remove(); err != nil {
		t.Fatal(err)
	}
	j, got = mustOpen(t, dir, me)
	if len(got) != 1 {
		t.Errorf("my journal is lost: %+v", got)
	}
	_ = j.close()
}
