package placement

import (
	"errors"
	"fmt"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

var (
	// ErrEmpty is returned when a placement without nodes is asked for an owner.
	ErrEmpty = errors.New("placement: no nodes")
	// ErrDuplicate is returned when a node is added that is there.
	ErrDuplicate = errors.New("placement: node is there already")
	// ErrUnknown is returned when a node is removed that is not there, or a key
	// released that was not placed.
	ErrUnknown = errors.New("placement: not there")
	// ErrName is returned for a name of more than MaxName bytes.
	ErrName = errors.New("placement: name too long")
)

// MaxName is the length of the longest name of a node, in bytes. Any string up to
// that is a name, the empty one too.
const MaxName = 1<<16 - 1

func checkHash(h hashing.Hasher) error {
	if err := h.Check(); err != nil {
		return fmt.Errorf("placement: %w", err)
	}
	return nil
}

func checkName(node string) error {
	if len(node) > MaxName {
		return fmt.Errorf("%w: %d bytes, must be at most %d", ErrName, len(node), MaxName)
	}
	return nil
}

func duplicate(node string) error { return fmt.Errorf("%w: %q", ErrDuplicate, node) }

func unknown(node string) error { return fmt.Errorf("%w: node %q", ErrUnknown, node) }
