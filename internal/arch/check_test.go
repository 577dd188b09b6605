package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

const table = "internal/arch/rules_test.go"

// covers reports whether pattern names pkg; see layer.
func covers(pattern, pkg string) bool {
	if below, ok := strings.CutSuffix(pattern, "..."); ok {
		return strings.HasPrefix(pkg+"/", below)
	}
	return pattern == pkg
}

func coveredBy(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return covers(p, pkg) })
}

// layerOf returns the row of a package, nil when the plan does not know it.
func layerOf(pkg string) *layer {
	i := slices.IndexFunc(layers, func(l layer) bool { return covers(l.pkg, pkg) })
	if i < 0 {
		return nil
	}
	return &layers[i]
}

// ours returns the name of an import path relative to our module.
func ours(importPath string) (pkg string, ok bool) {
	if importPath == modulePath {
		return ".", true
	}
	return strings.CutPrefix(importPath, modulePath+"/")
}

// A source is one parsed file of package pkg.
type source struct {
	pkg, name string
	test      bool
	file      *ast.File
	fset      *token.FileSet
}

func (s source) at(pos token.Pos, format string, args ...any) string {
	return fmt.Sprintf("%s:%d: ", s.name, s.fset.Position(pos).Line) + fmt.Sprintf(format, args...)
}

// check parses all Go files of a module and returns every breach of the tables,
// one line each with its place, in the order of the files.
func check(module fs.FS) ([]string, error) {
	packages, order, err := parse(module)
	if err != nil {
		return nil, err
	}
	var breaches []string
	for _, pkg := range order {
		breaches = append(breaches, checkPackage(pkg, packages[pkg])...)
		for _, s := range packages[pkg] {
			breaches = append(breaches, checkFile(s)...)
		}
	}
	return breaches, nil
}

// parse reads the Go files of a module by package. It leaves out what the go
// command leaves out of ./...: testdata, hidden folders and nested modules.
func parse(module fs.FS) (packages map[string][]source, order []string, err error) {
	packages = map[string][]source{}
	fset := token.NewFileSet()
	err = fs.WalkDir(module, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if leftOut(module, name) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" || hidden(path.Base(name)) {
			return nil
		}
		text, err := fs.ReadFile(module, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg := path.Dir(name)
		if packages[pkg] == nil {
			order = append(order, pkg)
		}
		packages[pkg] = append(packages[pkg], source{pkg, name, strings.HasSuffix(name, "_test.go"), file, fset})
		return nil
	})
	return packages, order, err
}

func hidden(base string) bool { return strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") }

func leftOut(module fs.FS, dir string) bool {
	if dir == "." {
		return false
	}
	base := path.Base(dir)
	_, err := fs.Stat(module, path.Join(dir, "go.mod"))
	return hidden(base) || base == "testdata" || base == "vendor" || err == nil
}

func checkPackage(pkg string, sources []source) []string {
	var breaches []string
	docName := "doc.go"
	if l := layerOf(pkg); l == nil {
		breaches = append(breaches, fmt.Sprintf(
			"%s: a package the plan does not know: add it to layers in %s with what it may import", pkg, table))
	} else if l.doc != "" {
		docName = l.doc
	}
	doc := slices.IndexFunc(sources, func(s source) bool { return path.Base(s.name) == docName })
	switch {
	case doc < 0:
		breaches = append(breaches, fmt.Sprintf("%s: no %s: it holds the package comment", pkg, docName))
	case strings.TrimSpace(sources[doc].file.Doc.Text()) == "":
		breaches = append(breaches, fmt.Sprintf("%s: no package comment above the package clause", sources[doc].name))
	}
	if word := emptyWord(path.Base(pkg)); word != "" {
		breaches = append(breaches, fmt.Sprintf("%s: a folder named %s says nothing of what is inside", pkg, word))
	}
	return breaches
}

func checkFile(s source) []string {
	var breaches []string
	stem := strings.TrimSuffix(strings.TrimSuffix(path.Base(s.name), ".go"), "_test")
	if word := emptyWord(stem); word != "" {
		breaches = append(breaches, fmt.Sprintf("%s: a file named %s says nothing of what is inside", s.name, word))
	}
	if word := emptyWord(s.file.Name.Name); word != "" {
		breaches = append(breaches, s.at(s.file.Package, "a package named %s says nothing of what is inside", word))
	}
	for _, spec := range s.file.Imports {
		breaches = append(breaches, checkImport(s, spec)...)
	}
	breaches = append(breaches, checkBody(s)...)
	for _, group := range s.file.Comments {
		for _, c := range group.List {
			for _, mark := range unfinished {
				if slices.Contains(words(c.Text), mark) {
					breaches = append(breaches, s.at(c.Pos(), "%s: finish it, or file it as an issue", mark))
				}
			}
		}
	}
	return breaches
}

// words splits text at everything that is neither a letter nor a digit.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func emptyWord(name string) string {
	for _, w := range words(strings.ToLower(name)) {
		if slices.Contains(emptyNames, w) {
			return w
		}
	}
	return ""
}

func checkImport(s source, spec *ast.ImportSpec) []string {
	imported, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return []string{s.at(spec.Pos(), "import %s: %v", spec.Path.Value, err)}
	}
	if to, ok := ours(imported); ok {
		return checkOurs(s, spec, to)
	}
	for _, r := range reservations {
		if !covers(r.path+"/...", imported) {
			continue
		}
		if coveredBy(r.only, s.pkg) || s.test && r.tests {
			return nil
		}
		return []string{s.at(spec.Pos(), "%s must not import %s: it is kept to %s", s.pkg, imported, r.owners())}
	}
	if strings.Contains(strings.Split(imported, "/")[0], ".") && s.pkg != structures {
		return []string{s.at(spec.Pos(), "%s must not import %s: libraries on trial are imported by %s alone; "+
			"if it is not one, add it to reservations in %s", s.pkg, imported, structures, table)}
	}
	return nil
}

func (r reservation) owners() string {
	owners := slices.Clone(r.only)
	if r.tests {
		owners = append(owners, "tests")
	}
	if len(owners) == 0 {
		return "nobody"
	}
	return strings.Join(owners, ", ")
}

func checkOurs(s source, spec *ast.ImportSpec, to string) []string {
	// An external test package imports the package it tests.
	if to == s.pkg {
		return nil
	}
	l := layerOf(s.pkg)
	if l == nil {
		return nil // reported once, for the package
	}
	may := slices.Clone(l.may)
	if s.test {
		may = append(may, l.tests...)
	}
	if coveredBy(may, to) {
		return nil
	}
	allowed := strings.Join(may, ", ")
	if allowed == "" {
		allowed = "none"
	}
	return []string{s.at(spec.Pos(), "%s must not import %s: of our packages it may import %s", s.pkg, to, allowed)}
}

// checkBody looks for what imports do not show: init functions and selectors.
func checkBody(s source) []string {
	if s.test {
		return nil
	}
	var breaches []string
	for _, d := range s.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			breaches = append(breaches, s.at(f.Pos(), "func init: what happens at start is called by name, from main"))
		}
	}
	for _, sel := range selectors {
		local := localName(s.file, sel.path)
		if local == "" || coveredBy(sel.only, s.pkg) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if pos := uses(n, local, sel.name); pos.IsValid() {
				breaches = append(breaches, s.at(pos, "%s must not use %s.%s: it is kept to %s",
					s.pkg, sel.path, sel.name, strings.Join(sel.only, ", ")))
			}
			return true
		})
	}
	return breaches
}

// localName is the name under which a file knows an imported package: "." for a
// dot import, "" when it does not import it.
func localName(file *ast.File, importPath string) string {
	for _, spec := range file.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err != nil || p != importPath {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return path.Base(importPath)
	}
	return ""
}

// uses returns the place where n is local.name, or the bare name when local is a
// dot import.
func uses(n ast.Node, local, name string) token.Pos {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		if x, ok := n.X.(*ast.Ident); ok && x.Name == local && n.Sel.Name == name {
			return n.Pos()
		}
	case *ast.Ident:
		if local == "." && n.Name == name {
			return n.Pos()
		}
	}
	return token.NoPos
}
