package adapters

import (
	"bytes"
	"fmt"
	"go/format"
	"slices"
	"strings"
	"text/template"
)

// A SnippetSpec is what the code of a snippet is written for. Of its numbers a
// subject takes those that its kind has.
type SnippetSpec struct {
	Keys      int     // capacity of a filter
	Epsilon   float64 // its rate
	Text      bool    // keys are byte strings
	Secret    bool    // keys may be chosen by an enemy
	Precision int     // of a distinct count
	Width     int     // of a frequency sketch
	Depth     int
	K         int // counters, values, sample
}

// Snippet is a Go program that uses a subject as its users do: a library by its own
// interface, not by the adapter.
func Snippet(subject string, spec SnippetSpec) (string, error) {
	i := slices.IndexFunc(recipes, func(r recipe) bool { return slices.Contains(r.subjects, subject) })
	if i < 0 {
		return "", fmt.Errorf("adapters: no snippet for %q", subject)
	}
	r := recipes[i]
	var body bytes.Buffer
	t, err := template.New(subject).Parse(r.body)
	if err == nil {
		err = t.Execute(&body, struct {
			SnippetSpec
			Subject, Bytes, Hash string
		}{spec, subject, suffixFor(spec.Text), hashFor(spec.Secret)})
	}
	if err != nil {
		return "", fmt.Errorf("adapters: snippet for %s: %w", subject, err)
	}
	code, err := format.Source([]byte(program(body.String(), r.imports)))
	if err != nil {
		return "", fmt.Errorf("adapters: snippet for %s: %w", subject, err)
	}
	return string(code), nil
}

func suffixFor(text bool) string {
	if text {
		return "Bytes"
	}
	return ""
}

func hashFor(secret bool) string {
	if secret {
		return "hashing.Keyed(secret)"
	}
	return "hashing.XX3(1)"
}

// A recipe is the body of a program for some subjects, and the packages that it
// imports beside those that can be told by their names.
type recipe struct {
	subjects []string
	imports  []string
	body     string
}

// ourPackage is the path of a package of ours.
func ourPackage(name string) string { return "github.com/sketchproof/sketchproof/impl/" + name }

// program makes a whole of a body.
func program(body string, imports []string) string {
	list := slices.Clone(imports)
	for name, path := range map[string]string{
		"fmt": "fmt", "log": "log", "math": "math", "rand": "crypto/rand", "slices": "slices",
		"binary": "encoding/binary", "hashing": ourPackage("hashing"),
	} {
		if strings.Contains(body, name+".") {
			list = append(list, path)
		}
	}
	foreign := func(path string) bool { return strings.Contains(path, ".") } // a domain
	slices.SortFunc(list, func(a, b string) int {
		if foreign(a) != foreign(b) {
			return strings.Count(a, ".") - strings.Count(b, ".")
		}
		return strings.Compare(a, b)
	})
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	for i, path := range list {
		if i > 0 && foreign(path) && !foreign(list[i-1]) {
			b.WriteString("\n")
		}
		name, bare, named := strings.Cut(path, " ")
		if named {
			fmt.Fprintf(&b, "\t%s %q\n", name, bare)
		} else {
			fmt.Fprintf(&b, "\t%q\n", path)
		}
	}
	b.WriteString(")\n\nfunc main() {\n" + body + "}\n")
	return b.String()
}

// The parts that snippets of filters share. A later one uses f.
const (
	secretPart = `{{if .Secret}}	var secret [16]byte // keep it with the filter, and from everybody else
	_, _ = rand.Read(secret[:])
{{end}}`
	keysPart = `{{if .Text}}	keys := [][]byte{[]byte("apple"), []byte("pear"), []byte("plum")} // yours
{{else}}	keys := []uint64{3, 1, 4} // yours
{{end}}`
	fatal   = "\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n"
	addPart = fatal + `	for _, key := range keys {
		if err := f.Add{{.Bytes}}(key); err != nil {
			log.Fatal(err)
		}
	}
` + askPart
	askPart = `	fmt.Println(f.Contains{{.Bytes}}(keys[0]))
`
)

// adding is a filter that takes keys later, made by an expression with an error.
func adding(pkg, make string, subjects ...string) recipe {
	return recipe{subjects, []string{ourPackage(pkg)}, secretPart + keysPart + "\tf, err := " + make + "\n" + addPart}
}

// sized is one that is made of parameters which a function finds.
func sized(pkg, size, make string, subjects ...string) recipe {
	return recipe{subjects, []string{ourPackage(pkg)}, secretPart + keysPart + "\tp, err := " + size + "\n" + fatal +
		"\tp.Hash = {{.Hash}}\n\tf, err := " + make + "\n" + addPart}
}

// static is a filter that is built of all its keys.
func static(pkg, make, fromBytes string, subjects ...string) recipe {
	return recipe{subjects, []string{ourPackage(pkg)}, secretPart + keysPart +
		"\tf, err := {{if .Text}}" + fromBytes + "{{else}}" + make + "{{end}}\n" + fatal + askPart}
}

// solved is a ribbon filter of a width and form.
func solved(width int, form, make, fromBytes, subject string) recipe {
	return recipe{[]string{subject}, []string{ourPackage("ribbon")}, secretPart + keysPart +
		fmt.Sprintf("\tp, err := ribbon.Size(len(keys), {{.Epsilon}}, %d, ribbon.%s)\n", width, form) + fatal + "\tp.Hash = {{.Hash}}\n" +
		"\tf, err := {{if .Text}}" + fromBytes + "{{else}}" + make + "{{end}}\n" + fatal + askPart}
}
