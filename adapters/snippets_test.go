package adapters

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// allSubjects are the names of the catalogue.
func allSubjects() (names []string) {
	for _, s := range Filters {
		names = append(names, s.Name)
	}
	for _, s := range Cardinalities {
		names = append(names, s.Name)
	}
	for _, s := range Frequencies {
		names = append(names, s.Name)
	}
	for _, s := range TopKs {
		names = append(names, s.Name)
	}
	for _, s := range Signatures {
		names = append(names, s.Name)
	}
	for _, s := range Samplers {
		names = append(names, s.Name)
	}
	for _, s := range Placers {
		names = append(names, s.Name)
	}
	return names
}

// Every subject has a snippet. All are compiled into one program, a file and a
// function each, and run; the last that it names is the one that did not end well.
func TestSnippetsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	overlay := map[string]string{}
	place := func(name, text string) {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay[filepath.Join(root, "internal", "snippetsbuilt", name)] = file
	}
	var calls strings.Builder
	count := 0
	add := func(subject string, spec SnippetSpec) {
		code, err := Snippet(subject, spec)
		if err != nil {
			t.Error(err)
			return
		}
		name := fmt.Sprintf("snippet%d", count)
		count++
		place(name+".go", strings.Replace(code, "func main()", "func "+name+"()", 1))
		fmt.Fprintf(&calls, "\tprintln(%q)\n\t%s()\n", subject, name)
	}
	spec := SnippetSpec{Keys: 1000, Epsilon: 0.01, Precision: 10, Width: 100, Depth: 4, K: 16}
	text := spec
	text.Text, text.Secret = true, true
	for _, subject := range allSubjects() {
		add(subject, spec)
	}
	for _, s := range Filters {
		add(s.Name, text)
	}
	place("main.go", "package main\n\nfunc main() {\n"+calls.String()+"}\n")
	data, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "run", "-overlay", file, "./internal/snippetsbuilt")
	run.Dir = root
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
