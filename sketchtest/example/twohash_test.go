package twohash

import (
	"encoding/binary"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/sketchtest"
)

func TestPromises(t *testing.T) {
	sketchtest.Filter(t, func(s sketchproof.FilterSpec) (sketchproof.Filter, error) {
		f, err := New(max(1, s.Size()), s.Epsilon)
		return onTrial{f}, err
	}, sketchtest.FilterOptions{})
}

// onTrial is the filter as the kit asks for it: numbers as their eight bytes.
type onTrial struct{ *Filter }

func (f onTrial) Add(key uint64) error { return f.AddBytes(binary.LittleEndian.AppendUint64(nil, key)) }

func (f onTrial) Contains(key uint64) bool      { return f.Has(binary.LittleEndian.AppendUint64(nil, key)) }
func (f onTrial) AddBytes(key []byte) error     { f.Filter.Add(key); return nil }
func (f onTrial) ContainsBytes(key []byte) bool { return f.Has(key) }
func (f onTrial) SizeBytes() int                { return 8 * len(f.bits) }
