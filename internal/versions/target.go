package versions

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// A Target is a module, at a version or in a folder.
type Target struct {
	Module  string // path
	Version string // "v1.2.3", or a query as "latest" until it is resolved; "" with a folder
	Dir     string // absolute, "" with a version
}

// String names a target as it is given: path@version, or path=folder.
func (t Target) String() string {
	if t.Dir != "" {
		return t.Module + "=" + t.Dir
	}
	return t.Module + "@" + t.Version
}

// At is the version, or the folder.
func (t Target) At() string {
	if t.Dir != "" {
		return t.Dir
	}
	return t.Version
}

// Parse reads a target: MODULE@VERSION, MODULE=FOLDER, or a folder alone, which
// begins with "." or "/" and holds a go.mod that names the module.
func Parse(s string) (Target, error) {
	if path, version, ok := strings.Cut(s, "@"); ok && !isFolderName(s) {
		if err := module.CheckPath(path); err != nil {
			return Target{}, err
		}
		if version == "" || strings.ContainsAny(version, "@ \t\n") || strings.HasPrefix(version, "-") {
			return Target{}, fmt.Errorf("%q has no version that could be one; expected %s@v1.2.3", s, path)
		}
		return Target{Module: path, Version: version}, nil
	}
	path, folder, ok := strings.Cut(s, "=")
	switch {
	case isFolderName(s):
		path, folder = "", s
	case !ok || folder == "":
		return Target{}, fmt.Errorf("%q is neither MODULE@VERSION nor MODULE=FOLDER nor a folder, which begins with ./ or /", s)
	default:
		if err := module.CheckPath(path); err != nil {
			return Target{}, err
		}
	}
	dir, err := filepath.Abs(folder)
	if err != nil {
		return Target{}, err
	}
	declared, err := moduleOf(dir)
	if err != nil {
		return Target{}, err
	}
	if path == "" {
		path = declared
	}
	return Target{Module: path, Dir: dir}, nil
}

// Pair reads two targets of one module.
func Pair(before, now string) (a, b Target, err error) {
	if a, err = Parse(before); err != nil {
		return a, b, err
	}
	if b, err = Parse(now); err != nil {
		return a, b, err
	}
	if a.Module != b.Module {
		return a, b, fmt.Errorf("%s and %s are two modules; only versions of one can be compared", a.Module, b.Module)
	}
	return a, b, nil
}

func isFolderName(s string) bool {
	return strings.HasPrefix(s, ".") || filepath.IsAbs(s)
}

// moduleOf is the module that a folder's go.mod names. Go replaces a module by a
// folder with a go.mod only.
func moduleOf(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("%s holds no go.mod; a library's folder needs one", dir)
	}
	if err != nil {
		return "", err
	}
	path := modfile.ModulePath(text)
	if path == "" {
		return "", fmt.Errorf("%s names no module", filepath.Join(dir, "go.mod"))
	}
	return path, nil
}
