package infini

import "testing"

func TestZeroFilterHasNoBytes(t *testing.T) {
	if data, err := new(Filter).MarshalBinary(); err == nil {
		t.Errorf("%d bytes", len(data))
	}
}
