package versions

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/mod/modfile"
)

// root is the source tree that this test lies in.
const root = "../.."

func TestGenerationFor(t *testing.T) {
	tree := fstest.MapFS{
		generationsFolder + "/example.com/lib/before-v0.10.0/a.go":   {},
		generationsFolder + "/example.com/lib/before-v0.9.0/a.go":    {},
		generationsFolder + "/example.com/lib/v2/any/a.go":           {},
		generationsFolder + "/example.com/lib/v2/before-v2.1.0/a.go": {},
	}
	for _, c := range []struct {
		target Target
		want   string
	}{
		{Target{Module: "example.com/lib", Version: "v0.8.5"}, "before-v0.9.0"},
		{Target{Module: "example.com/lib", Version: "v0.9.0"}, "before-v0.10.0"},
		{Target{Module: "example.com/lib", Version: "v0.10.0"}, ""},
		{Target{Module: "example.com/lib", Version: "v0.10.0-rc.1"}, "before-v0.10.0"},
		{Target{Module: "example.com/lib", Version: "v0.0.0-20240715131351-a2f2c23f1771"}, "before-v0.9.0"},
		{Target{Module: "example.com/lib", Dir: "/somewhere"}, ""},
		{Target{Module: "example.com/lib/v2", Version: "v2.0.1"}, "before-v2.1.0"},
		{Target{Module: "example.com/lib/v2", Version: "v2.1.0"}, "any"},
		{Target{Module: "example.com/lib/v2", Dir: "/somewhere"}, "any"},
		{Target{Module: "example.com/other", Version: "v1.0.0"}, ""},
	} {
		g, ok, err := generationFor(tree, c.target)
		if err != nil || ok != (c.want != "") || ok && filepath.Base(g.dir) != c.want {
			t.Errorf("%v: %+v, %v, %v; want %q", c.target, g, ok, err, c.want)
		}
	}
	if got, err := Compared(tree); err != nil || !slices.Equal(got, []string{"example.com/lib/v2"}) {
		t.Errorf("Compared = %v, %v", got, err)
	}
}

func TestGenerationRefusesWhatIsNoFolder(t *testing.T) {
	tree := fstest.MapFS{generationsFolder + "/example.com/lib/a.go": {}}
	if _, _, err := generationFor(tree, Target{Module: "example.com/lib", Version: "v1.0.0"}); err == nil {
		t.Error("a file beside the generations was passed over")
	}
	g := generation{dir: "g"}
	if _, err := g.requirements(fstest.MapFS{"g/requires.txt": {Data: []byte("example.com/a v1 more\n")}}); err == nil {
		t.Error("a line of three words was taken")
	}
}

func TestPointMovesOneModule(t *testing.T) {
	source := write(t, map[string]string{
		generationsFolder + "/example.com/new/any/new.go":       "package adapters\n",
		generationsFolder + "/example.com/new/any/requires.txt": "example.com/needed v1.5.0\nexample.com/lib v9.9.9\n",
	})
	const before = "module m\n\ngo 1.26\n\nrequire example.com/lib v1.0.0\n\nrequire example.com/other v1.1.0\n\nreplace example.com/lib => ../lib\n"
	file, err := modfile.Parse("go.mod", []byte(before), nil)
	if err != nil {
		t.Fatal(err)
	}
	if stands, err := point(file, source, Target{Module: "example.com/lib", Version: "v0.9.0"}); err != nil || len(stands) > 0 {
		t.Fatalf("%v, %v", stands, err)
	}
	stands, err := point(file, source, Target{Module: "example.com/new", Version: "v2.0.0+incompatible"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		filepath.Join(source, "adapters", "new.go"): filepath.Join(source, generationsFolder, "example.com/new/any/new.go"),
	}
	if !maps.Equal(stands, want) {
		t.Errorf("stand-ins %v, want %v", stands, want)
	}
	file.Cleanup()
	text, err := file.Format()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"example.com/lib v1.0.0", "example.com/other v1.1.0", "example.com/new v2.0.0+incompatible", "example.com/needed v1.5.0",
		"example.com/lib => example.com/lib v0.9.0",
	} {
		if !strings.Contains(string(text), line) {
			t.Errorf("go.mod lacks %q:\n%s", line, text)
		}
	}
	for _, line := range []string{"../lib", "v9.9.9"} {
		if strings.Contains(string(text), line) {
			t.Errorf("go.mod has %q:\n%s", line, text)
		}
	}
}

func TestNominal(t *testing.T) {
	for module, want := range map[string]string{
		"example.com/lib": "v0.0.0-00010101000000-000000000000", "example.com/lib/v3": "v3.0.0-00010101000000-000000000000",
		"example.com/vox": "v0.0.0-00010101000000-000000000000",
	} {
		if got := nominal(Target{Module: module, Dir: "/x"}); got != want {
			t.Errorf("nominal(%s) = %s, want %s", module, got, want)
		}
	}
}

// TestGenerationsDeclareWhatTheAdaptersUse holds every generation of this tree
// against its adapters: a name that another file uses must be declared by what
// stands in for the file that declared it.
func TestGenerationsDeclareWhatTheAdaptersUse(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(root, generationsFolder, "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no generations: %v", err)
	}
	adapters, err := filepath.Glob(filepath.Join(root, adaptersFolder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	declared, used := map[string][]string{}, map[string]map[string]bool{}
	for _, file := range adapters {
		if !strings.HasSuffix(file, "_test.go") {
			declared[filepath.Base(file)], used[filepath.Base(file)] = scan(t, file)
		}
	}
	generations := 0
	err = filepath.WalkDir(filepath.Join(root, generationsFolder), func(dir string, d os.DirEntry, err error) error {
		files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || !d.IsDir() || len(files) == 0 {
			return err
		}
		generations++
		var gone, stand []string
		replaced := map[string]bool{}
		for _, file := range files {
			replaced[filepath.Base(file)] = true
			gone = append(gone, declared[filepath.Base(file)]...)
			now, _ := scan(t, file)
			stand = append(stand, now...)
		}
		for _, name := range gone {
			for file, uses := range used {
				if uses[name] && !replaced[file] && !slices.Contains(stand, name) {
					t.Errorf("%s does not declare %s, which adapters/%s uses", dir, name, file)
				}
			}
		}
		return nil
	})
	if err != nil || generations < 2 {
		t.Errorf("%d generations: %v", generations, err)
	}
}

// scan lists the package-level names that a file declares, without methods, and
// all names that occur in it.
func scan(t *testing.T, file string) (declared []string, used map[string]bool) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "init" {
				declared = append(declared, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					declared = append(declared, s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						declared = append(declared, n.Name)
					}
				}
			}
		}
	}
	used = map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	return declared, used
}
