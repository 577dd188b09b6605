package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes this test program the command when it is called by the name
// experiment, as scripts and workers call it.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"experiment": main})
}

// slow are the scripts that run trials more than a few times.
var slow = []string{"choose.txtar", "disk.txtar", "merge.txtar", "trace.txtar", "workers.txtar"}

func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	if testing.Short() {
		files = slices.DeleteFunc(files, func(f string) bool { return slices.Contains(slow, filepath.Base(f)) })
	}
	testscript.Run(t, testscript.Params{
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"same":   same,
			"tamper": tamper,
		},
	})
}

// exits CODE COMMAND... runs a command that must end with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// same A B compares two folders of results, names and bytes.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: same FOLDER FOLDER")
	}
	a, err := tree(ts.MkAbs(args[0]))
	ts.Check(err)
	b, err := tree(ts.MkAbs(args[1]))
	ts.Check(err)
	if len(a) == 0 {
		ts.Fatalf("%s is empty", args[0])
	}
	if d := cmp.Diff(a, b); (d == "") == neg {
		ts.Fatalf("%s and %s, %v for the same:\n%.4000s", args[0], args[1], !neg, d)
	}
}

// tamper FILE changes the last digit of a file to another.
func tamper(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: tamper FILE")
	}
	file := ts.MkAbs(args[0])
	data, err := os.ReadFile(file)
	ts.Check(err)
	for i, c := range slices.Backward(data) {
		if c >= '0' && c <= '9' {
			data[i] = '0' + (c-'0'+1)%10
			ts.Check(os.WriteFile(file, data, 0o644))
			return
		}
	}
	ts.Fatalf("%s has no digit", args[0])
}

// tree reads every file below a folder, by its path.
func tree(dir string) (map[string]string, error) {
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(data)
		return err
	})
	return files, err
}
