package versions

import (
	"fmt"
	"os"
	"path/filepath"
)

// ModulePath is the module of the harness.
const ModulePath = "github.com/sketchproof/sketchproof"

// Source finds the source tree of the harness: the folder given, else the module
// that the folder here lies in.
func Source(given, here string) (string, error) {
	if given != "" {
		dir, err := filepath.Abs(given)
		if err != nil {
			return "", err
		}
		if found, err := moduleOf(dir); err != nil {
			return "", err
		} else if found != ModulePath {
			return "", fmt.Errorf("%s is module %s, not %s", given, found, ModulePath)
		}
		return dir, nil
	}
	dir, err := filepath.Abs(here)
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			if found, err := moduleOf(dir); err == nil && found == ModulePath {
				return dir, nil
			}
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return "", fmt.Errorf("another version of a library is compiled with the source of this program, which is not here; "+
		"run it in a clone (git clone https://%s) or name one with --source", ModulePath)
}
