package versions

import (
	"errors"
	"io/fs"
	"path"
	"strings"
)

// Compared lists the modules that are here for comparisons alone: go.mod does not
// name them, and their adapters serve all versions.
func Compared(source fs.FS) ([]string, error) {
	var found []string
	err := fs.WalkDir(source, generationsFolder, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == generationsFolder {
			return fs.SkipAll
		}
		if err == nil && d.IsDir() && d.Name() == anyName {
			found = append(found, strings.TrimPrefix(path.Dir(name), generationsFolder+"/"))
		}
		return err
	})
	return found, err
}
