package versions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write makes a tree of files, by their path with slashes.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestParse(t *testing.T) {
	lib := write(t, map[string]string{"go.mod": "module example.com/lib/v2\n", "none/a.go": "package a\n"})
	for _, c := range []struct {
		in   string
		want Target
		err  string
	}{
		{in: "example.com/lib@v1.2.3", want: Target{Module: "example.com/lib", Version: "v1.2.3"}},
		{in: "example.com/lib@v2.0.0+incompatible", want: Target{Module: "example.com/lib", Version: "v2.0.0+incompatible"}},
		{in: "example.com/lib@latest", want: Target{Module: "example.com/lib", Version: "latest"}},
		{in: lib, want: Target{Module: "example.com/lib/v2", Dir: lib}},
		{in: "example.com/fork=" + lib, want: Target{Module: "example.com/fork", Dir: lib}},
		{in: "example.com/lib", err: "neither"},
		{in: "", err: "neither"},
		{in: "example.com/lib@", err: "no version"},
		{in: "example.com/lib@v1@v2", err: "no version"},
		{in: "example.com/lib@-x", err: "no version"},
		{in: "Not A Path@v1.0.0", err: "malformed module path"},
		{in: "bad path=" + lib, err: "malformed module path"},
		{in: filepath.Join(lib, "none"), err: "holds no go.mod"},
		{in: filepath.Join(lib, "nowhere"), err: "holds no go.mod"},
	} {
		got, err := Parse(c.in)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("Parse(%q): error %v, want one with %q", c.in, err, c.err)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("Parse(%q) = %+v, %v; want %+v", c.in, got, err, c.want)
		}
	}
}

func TestPairIsOfOneModule(t *testing.T) {
	if _, _, err := Pair("example.com/a@v1.0.0", "example.com/b@v1.0.0"); err == nil || !strings.Contains(err.Error(), "two modules") {
		t.Errorf("two modules: %v", err)
	}
	a, b, err := Pair("example.com/a@v1.0.0", "example.com/a@v1.1.0")
	if err != nil || a.Version != "v1.0.0" || b.Version != "v1.1.0" {
		t.Errorf("Pair = %v, %v, %v", a, b, err)
	}
}

func TestSource(t *testing.T) {
	own := write(t, map[string]string{"go.mod": "module " + ModulePath + "\n", "a/b/c.go": "package b\n"})
	other := write(t, map[string]string{"go.mod": "module example.com/other\n", "a/c.go": "package a\n"})
	if got, err := Source("", filepath.Join(own, "a", "b")); err != nil || got != own {
		t.Errorf("from below: %q, %v", got, err)
	}
	if got, err := Source(own, other); err != nil || got != own {
		t.Errorf("as given: %q, %v", got, err)
	}
	if _, err := Source("", filepath.Join(other, "a")); err == nil || !strings.Contains(err.Error(), "git clone") {
		t.Errorf("elsewhere: %v", err)
	}
	if _, err := Source(other, own); err == nil || !strings.Contains(err.Error(), "example.com/other") {
		t.Errorf("given another module: %v", err)
	}
}
