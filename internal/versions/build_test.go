package versions

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// harness is a source tree as small as one can be: its program prints what its
// adapters say, and those say what a library says.
var harness = map[string]string{
	"go.mod":                 "module " + ModulePath + "\n\ngo 1.26\n",
	"go.sum":                 "",
	"cmd/experiment/main.go": "package main\n\nimport \"" + ModulePath + "/adapters\"\n\nfunc main() { println(adapters.Word()) }\n",
	"adapters/lib.go":        "package adapters\n\n// Word is no library's.\nfunc Word() string { return \"none\" }\n",
	generationsFolder + "/example.com/lib/any/lib.go": "package adapters\n\nimport \"example.com/lib\"\n\n// Word is the library's.\nfunc Word() string { return lib.Word }\n",
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestBuildLeavesTheTreeAlone(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	source := write(t, harness)
	before := contents(t, source)
	lib := write(t, map[string]string{"go.mod": "module example.com/lib\n", "lib.go": "package lib\n\nconst Word = \"here\"\n"})
	program, err := Build(context.Background(), source, t.TempDir(), Target{Module: "example.com/lib", Dir: lib})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program).CombinedOutput()
	if err != nil || string(out) != "here\n" {
		t.Errorf("the program says %q, %v", out, err)
	}
	if after := contents(t, source); !maps.Equal(before, after) {
		t.Errorf("the tree was changed:\n%v\nbefore\n%v", after, before)
	}
}

func TestBuildSaysWhatDoesNotCompile(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	source := write(t, harness)
	lib := write(t, map[string]string{"go.mod": "module example.com/lib\n", "lib.go": "package lib\n\nconst Wort = \"hier\"\n"})
	_, err := Build(context.Background(), source, t.TempDir(), Target{Module: "example.com/lib", Dir: lib})
	if err == nil || !strings.Contains(err.Error(), "undefined: lib.Word") || !strings.Contains(err.Error(), "do not build against example.com/lib="+lib) {
		t.Errorf("error %v", err)
	}
}

func TestResolveSaysWhatCannotBeHad(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-modcacherw")
	t.Setenv("GOMODCACHE", t.TempDir())
	_, err := Resolve(context.Background(), Target{Module: "example.com/lib", Version: "v1.0.0"})
	if err == nil || !strings.Contains(err.Error(), "example.com/lib@v1.0.0 cannot be had") || !strings.Contains(err.Error(), "GOPROXY=off") {
		t.Errorf("error %v", err)
	}
}
