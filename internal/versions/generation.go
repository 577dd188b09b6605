package versions

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

const (
	adaptersFolder    = "adapters"
	generationsFolder = "adapters/_generations"
	requiresName      = "requires.txt"
	anyName           = "any"
	beforePrefix      = "before-"
)

// A generation is a folder of files that stand in for those of the adapters.
type generation struct {
	dir    string // below the source tree, with slashes
	before string // it serves the versions below this one; "" for all
}

// generationsOf lists the generations of a module in a source tree, the oldest
// first and the one for all versions last.
func generationsOf(source fs.FS, modulePath string) ([]generation, error) {
	dir := path.Join(generationsFolder, modulePath)
	entries, err := fs.ReadDir(source, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var found []generation
	for _, e := range entries {
		before, bounded := strings.CutPrefix(e.Name(), beforePrefix)
		switch {
		case !e.IsDir():
			return nil, fmt.Errorf("%s: a file among folders of generations", path.Join(dir, e.Name()))
		case e.Name() == anyName:
			found = append(found, generation{path.Join(dir, e.Name()), ""})
		case bounded && semver.IsValid(before):
			found = append(found, generation{path.Join(dir, e.Name()), before})
		}
		// Else it is the next part of another module's path.
	}
	slices.SortFunc(found, func(a, b generation) int {
		switch {
		case a.before == "":
			return 1
		case b.before == "":
			return -1
		}
		return semver.Compare(a.before, b.before)
	})
	return found, nil
}

// generationFor picks the generation that serves a target: the oldest whose bound
// lies above the version. A folder is taken for the newest version. ok is false
// where the adapters as they are serve it.
func generationFor(source fs.FS, t Target) (g generation, ok bool, err error) {
	all, err := generationsOf(source, t.Module)
	if err != nil {
		return generation{}, false, err
	}
	for _, g := range all {
		if g.before == "" || t.Dir == "" && semver.Compare(t.Version, g.before) < 0 {
			return g, true, nil
		}
	}
	return generation{}, false, nil
}

// replacements maps files of the source tree's adapters to those that stand in
// for them, both absolute.
func (g generation) replacements(source string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(source, filepath.FromSlash(g.dir), "*.go"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s holds no Go file", g.dir)
	}
	replace := map[string]string{}
	for _, file := range files {
		replace[filepath.Join(source, adaptersFolder, filepath.Base(file))] = file
	}
	return replace, nil
}

// requirements are the modules that a generation needs besides.
func (g generation) requirements(source fs.FS) ([]module.Version, error) {
	text, err := fs.ReadFile(source, path.Join(g.dir, requiresName))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []module.Version
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) != 2 {
			return nil, fmt.Errorf("%s/%s: %q is not a path and a version", g.dir, requiresName, lines.Text())
		}
		list = append(list, module.Version{Path: fields[0], Version: fields[1]})
	}
	return list, lines.Err()
}
