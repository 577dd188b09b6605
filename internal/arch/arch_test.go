package arch

import (
	"os"
	"testing"
)

// TestModule holds the module itself against the tables.
func TestModule(t *testing.T) {
	module := os.DirFS("../..")
	packages, _, err := parse(module)
	if err != nil {
		t.Fatal(err)
	}
	// A walk that starts in the wrong folder would find nothing to complain about.
	for _, pkg := range []string{".", "stats", "internal/arch"} {
		if packages[pkg] == nil {
			t.Fatalf("package %s was not found: is this test two folders below go.mod?", pkg)
		}
	}
	breaches, err := check(module)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range breaches {
		t.Error(b)
	}
}
