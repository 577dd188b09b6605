package sketchtest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A module that has never heard of us goes through the kit, and takes nothing in by
// that but our own packages: no library on trial, no figures.
func TestAModuleApart(t *testing.T) {
	if testing.Short() {
		t.Skip("builds another module")
	}
	command := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = "example"
		cmd.Env = append(os.Environ(), "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	for pkg := range strings.Lines(command("list", "-deps", "-test", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".")) {
		if !strings.HasPrefix(pkg, "example.org/twohash") && !strings.HasPrefix(pkg, "github.com/sketchproof/sketchproof") {
			t.Errorf("it builds %s", pkg)
		}
	}
	command("test", "-short", ".")
}
