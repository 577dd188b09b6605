package hashing

import (
	"errors"
	"testing"
)

func TestTheZeroHasherIsNoFunction(t *testing.T) {
	for _, h := range []Hasher{XX(0), XX3(0), Keyed([16]byte{}), XX(1).At(3)} {
		if err := h.Check(); err != nil {
			t.Errorf("%v: %v", h, err)
		}
	}
	if err := (Hasher{}).Check(); !errors.Is(err, ErrFamily) {
		t.Errorf("got %v, want ErrFamily", err)
	}
}
