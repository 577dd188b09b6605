package arch

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// tree is a small module without a breach, plus the given files by name.
func tree(files map[string]string) fstest.MapFS {
	module := fstest.MapFS{
		"go.mod":   {Data: []byte("module " + modulePath + "\n")},
		"notes.md": {Data: []byte("TODO in a text that is not Go\n")},
	}
	for _, pkg := range []string{
		".", "stats", "impl/bloom", "adapters", "record", "sketchtest", "results", "experiments/engine",
		"experiments", "plots", "check", "choose", "report", "cmd/experiment", "internal/conversation",
	} {
		file := "doc.go"
		if pkg == "results" {
			file = "results.go"
		}
		module[path.Join(pkg, file)] = &fstest.MapFile{
			Data: []byte("// Package x is here.\npackage " + packageName(pkg) + "\n"),
		}
	}
	for name, text := range files {
		module[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return module
}

func packageName(pkg string) string {
	if pkg == "." {
		return "sketchproof"
	}
	return path.Base(pkg)
}

// importing is the text of a file of pkg that imports one path.
func importing(pkg, importPath string) string {
	return fmt.Sprintf("package %s\n\nimport _ %q\n", packageName(pkg), importPath)
}

func breachesOf(t *testing.T, files map[string]string) []string {
	t.Helper()
	breaches, err := check(tree(files))
	if err != nil {
		t.Fatal(err)
	}
	return breaches
}

func TestCleanTree(t *testing.T) {
	if got := breachesOf(t, nil); len(got) != 0 {
		t.Errorf("a clean tree has breaches: %q", got)
	}
}

// TestDirections walks the picture in the design, edge by edge, written down here
// a second time: a slip in the table must not pass for the plan.
func TestDirections(t *testing.T) {
	packages := []string{
		".", "stats", "impl/bloom", "impl/hashing", "adapters", "record", "sketchtest", "results",
		"experiments/engine", "experiments", "plots", "check", "choose", "report", "cmd/experiment", "internal/conversation",
	}
	allowed := map[string][]string{
		".":                     {"stats"},
		"stats":                 {},
		"impl/bloom":            {".", "stats", "impl/hashing"},
		"adapters":              {".", "stats", "impl/bloom", "impl/hashing"},
		"record":                {"stats"},
		"sketchtest":            {".", "stats", "record"},
		"results":               {},
		"experiments/engine":    {"record", "stats", "impl/hashing", "internal/conversation"},
		"experiments":           {".", "stats", "record", "impl/bloom", "impl/hashing", "adapters", "sketchtest", "experiments/engine"},
		"plots":                 {"record", "stats"},
		"check":                 {"record", "stats"},
		"choose":                {"record", "stats"},
		"report":                {".", "record", "stats", "experiments", "experiments/engine"},
		"cmd/experiment":        packages,
		"internal/conversation": {},
	}
	for from, may := range allowed {
		for _, to := range packages {
			if from == to {
				continue
			}
			file := path.Join(from, "x.go")
			got := breachesOf(t, map[string]string{file: importing(from, path.Join(modulePath, to))})
			switch {
			case slices.Contains(may, to) && len(got) != 0:
				t.Errorf("%s may import %s, got %q", from, to, got)
			case !slices.Contains(may, to) && !one(got, file+":3: "+from+" must not import "+to+":"):
				t.Errorf("%s must not import %s, got %q", from, to, got)
			}
		}
	}
}

// one reports whether there is a single breach and it starts with want.
func one(breaches []string, want string) bool {
	return len(breaches) == 1 && strings.HasPrefix(breaches[0], want)
}

func TestOneBreach(t *testing.T) {
	bloomLibrary := "github.com/bits-and-blooms/bloom/v3"
	for _, c := range []struct{ name, file, text, want string }{
		{"structure in an experiment", "experiments/x.go", importing("experiments", bloomLibrary), "experiments/x.go:3: experiments must not import " + bloomLibrary},
		{"structure in a test", "stats/x_test.go", importing("stats", "github.com/axiomhq/hyperloglog"), "stats/x_test.go:3: stats must not import github.com/axiomhq/hyperloglog"},
		{"structure below a native", "impl/bloom/x.go", importing("impl/bloom", "github.com/seiflotfy/cuckoofilter"), "impl/bloom/x.go:3: impl/bloom must not import github.com/seiflotfy/cuckoofilter"},
		{"plot outside plots", "report/x.go", importing("report", "gonum.org/v1/plot/vg"), "report/x.go:3: report must not import gonum.org/v1/plot/vg: it is kept to plots"},
		{"plot in an adapter", "adapters/x.go", importing("adapters", "gonum.org/v1/plot"), "adapters/x.go:3: adapters must not import gonum.org/v1/plot: it is kept to plots"},
		{"cobra in the engine", "experiments/engine/x.go", importing("experiments/engine", "github.com/spf13/cobra"), "experiments/engine/x.go:3: experiments/engine must not import github.com/spf13/cobra: it is kept to cmd/..."},
		{"pflag in choose", "choose/x.go", importing("choose", "github.com/spf13/pflag"), "choose/x.go:3: choose must not import github.com/spf13/pflag"},
		{"flag in a library", "record/x.go", importing("record", "flag"), "record/x.go:3: record must not import flag: it is kept to cmd/..."},
		{"flag in a test", "record/x_test.go", importing("record", "flag"), "record/x_test.go:3: record must not import flag"},
		{"test library outside tests", "stats/x.go", importing("stats", "pgregory.net/rapid"), "stats/x.go:3: stats must not import pgregory.net/rapid: it is kept to tests"},
		{"cgo", "impl/bloom/x.go", "package bloom\n\nimport \"C\"\n", "impl/bloom/x.go:3: impl/bloom must not import C: it is kept to nobody"},
		{"import behind a build tag", "stats/x.go", "//go:build plan9\n\n" + importing("stats", "flag"), "stats/x.go:5: stats must not import flag"},
		{"tests obey the directions", "stats/x_test.go", importing("stats", modulePath+"/record"), "stats/x_test.go:3: stats must not import record: of our packages it may import none"},
		{"the kit is for tests", "impl/bloom/x.go", importing("impl/bloom", modulePath+"/sketchtest"), "impl/bloom/x.go:3: impl/bloom must not import sketchtest"},
		{"our tools", "stats/x.go", importing("stats", modulePath+"/tools"), "stats/x.go:3: stats must not import tools"},
		{"unknown package", "extra/doc.go", "// Package extra is new.\npackage extra\n", "extra: a package the plan does not know: add it to layers in internal/arch/rules_test.go"},
		{"unknown package that begins like a known one", "statsx/doc.go", "// Package statsx is new.\npackage statsx\n", "statsx: a package the plan does not know"},
		{"no doc.go", "impl/cuckoo/x.go", "// Package cuckoo is told elsewhere.\npackage cuckoo\n", "impl/cuckoo: no doc.go"},
		{"results.go without a comment", "results/results.go", "package results\n", "results/results.go: no package comment"},
		{"empty doc.go", "impl/cuckoo/doc.go", "package cuckoo\n", "impl/cuckoo/doc.go: no package comment"},
		{"detached comment", "impl/cuckoo/doc.go", "// Package cuckoo is lost.\n\npackage cuckoo\n", "impl/cuckoo/doc.go: no package comment"},
		{"folder's name", "impl/helper/doc.go", "// Package x is a heap of things.\npackage x\n", "impl/helper: a folder named helper"},
		{"package's name", "impl/x/doc.go", "// Package util is a heap of things.\npackage util\n", "impl/x/doc.go:2: a package named util"},
		{"file's name", "stats/bits_common.go", "package stats\n", "stats/bits_common.go: a file named common"},
		{"test file's name", "stats/helpers_test.go", "package stats\n", "stats/helpers_test.go: a file named helpers"},
		{"init", "stats/x.go", "package stats\n\nfunc init() {}\n", "stats/x.go:3: func init"},
		{"work put off", "stats/x.go", "package stats\n\n// TODO(later): the tail.\n", "stats/x.go:3: TODO"},
		{"work put off in a test", "stats/x_test.go", "package stats\n\n/* a\nFIXME */\n", "stats/x_test.go:3: FIXME"},
		{"arguments", "stats/x.go", "package stats\n\nimport \"os\"\n\nvar a = os.Args[1:]\n", "stats/x.go:5: stats must not use os.Args: it is kept to cmd/..."},
		{"arguments by another name", "stats/x.go", "package stats\n\nimport sys \"os\"\n\nvar a = sys.Args\n", "stats/x.go:5: stats must not use os.Args"},
		{"arguments by no name", "stats/x.go", "package stats\n\nimport . \"os\"\n\nvar a = Args\n", "stats/x.go:5: stats must not use os.Args"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := breachesOf(t, map[string]string{c.file: c.text}); !one(got, c.want) {
				t.Errorf("got  %q\nwant one breach: %s", got, c.want)
			}
		})
	}
}

// TestNoBreach is the other side of the rules: what stands close to a breach and
// is none.
func TestNoBreach(t *testing.T) {
	for _, c := range []struct{ name, file, text string }{
		{"structure in adapters", "adapters/x.go", importing("adapters", "github.com/bits-and-blooms/bloom/v3")},
		{"plot in plots", "plots/x.go", importing("plots", "gonum.org/v1/plot/plotter")},
		{"flags in the command", "cmd/experiment/x.go", importing("cmd/experiment", "flag")},
		{"cobra in the command", "cmd/experiment/x.go", importing("cmd/experiment", "github.com/spf13/cobra")},
		{"test library in a test", "stats/x_test.go", importing("stats", "github.com/google/go-cmp/cmp")},
		{"kit in a test", "adapters/x_test.go", importing("adapters", modulePath+"/sketchtest")},
		{"external test", "stats/x_test.go", "package stats_test\n\nimport _ \"" + modulePath + "/stats\"\n"},
		{"standard library", "stats/x.go", importing("stats", "math/rand/v2")},
		{"arguments of the command", "cmd/experiment/x.go", "package experiment\n\nimport \"os\"\n\nvar a = os.Args\n"},
		{"arguments in a test", "stats/x_test.go", "package stats\n\nimport \"os\"\n\nvar a = os.Args\n"},
		{"another field Args", "stats/x.go", "package stats\n\nimport _ \"os\"\n\nvar a = cmd.Args\n"},
		{"init as a method", "stats/x.go", "package stats\n\nfunc (t *table) init() {}\n"},
		{"a mark in a string", "stats/x.go", "package stats\n\nconst s = \"TODO\"\n"},
		{"a mark inside a word", "stats/x.go", "package stats\n\n// TODOS is a list.\n"},
		{"testdata", "stats/testdata/util/x.go", "package util\n\nimport _ \"flag\"\n"},
		{"vendored", "vendor/util/x.go", "package util\n"},
		{"hidden folder", ".git/x.go", "package x\n"},
		{"hidden file", "stats/_x.go", importing("stats", "flag")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := breachesOf(t, map[string]string{c.file: c.text}); len(got) != 0 {
				t.Errorf("breaches %q, want none", got)
			}
		})
	}
}

// TestReservations tries every row of the table from every package of the tree: it
// must be let in where the row says so and nowhere else.
func TestReservations(t *testing.T) {
	packages, order, err := parse(tree(nil))
	if err != nil || len(packages) != 15 { // the folders listed in tree
		t.Fatalf("%d packages, error %v", len(packages), err)
	}
	for _, r := range reservations {
		files := map[string]string{}
		var want []string // the start of each breach
		for _, pkg := range order {
			for _, file := range []string{path.Join(pkg, "x.go"), path.Join(pkg, "x_test.go")} {
				files[file] = importing(pkg, r.path)
				if free := coveredBy(r.only, pkg) || r.tests && strings.HasSuffix(file, "_test.go"); !free {
					want = append(want, file+":3: "+pkg+" must not import "+r.path+": it is kept to")
				}
			}
		}
		got := breachesOf(t, files)
		if len(want) == 0 || len(got) != len(want) {
			t.Errorf("%s: %d breaches %q, want %d, at least one", r.path, len(got), got, len(want))
		}
		for _, w := range want {
			if !slices.ContainsFunc(got, func(g string) bool { return strings.HasPrefix(g, w) }) {
				t.Errorf("%s: no breach %q in %q", r.path, w, got)
			}
		}
	}
}

func TestNestedModuleIsLeftOut(t *testing.T) {
	files := map[string]string{"tools/go.mod": "module tools\n", "tools/x.go": importing("tools", "flag")}
	if got := breachesOf(t, files); len(got) != 0 {
		t.Errorf("breaches %q, want none", got)
	}
	delete(files, "tools/go.mod")
	if got := breachesOf(t, files); len(got) == 0 {
		t.Error("without its go.mod the folder is part of the module, want breaches")
	}
}

func TestFileThatDoesNotParse(t *testing.T) {
	_, err := check(tree(map[string]string{"stats/x.go": "package\n"}))
	if err == nil || !strings.Contains(err.Error(), "stats/x.go:1") {
		t.Errorf("error %v, want one that names stats/x.go:1", err)
	}
}
