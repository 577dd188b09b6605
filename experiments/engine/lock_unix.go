//go:build unix

package engine

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockFolder keeps two runs out of one folder: the trials of one would lie under
// the manifest of the other. The lock ends with the process, however it ends.
func lockFolder(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("another run writes to %s: %w", dir, err), f.Close())
	}
	return func() { _ = f.Close() }, nil // which unlocks
}
