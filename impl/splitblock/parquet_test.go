package splitblock

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// What parquet-mr wrote, by Spark, for the strings a0 to a9 and for the 64-bit
// integers 0 to 9 (published as test data of several Parquet readers).
var (
	ofStrings = []byte{
		200, 1, 80, 20, 64, 68, 8, 109, 6, 37, 4, 67, 144, 80, 96, 32,
		8, 132, 43, 33, 0, 5, 99, 65, 2, 0, 224, 44, 64, 78, 96, 4,
	}
	ofIntegers = []byte{
		24, 130, 24, 8, 134, 8, 68, 6, 2, 101, 128, 10, 64, 2, 38, 78,
		114, 1, 64, 38, 1, 192, 194, 152, 64, 70, 0, 36, 56, 121, 64, 0,
	}
	header32 = []byte{21, 64, 28, 28, 0, 0, 28, 28, 0, 0, 28, 28, 0, 0, 0}
)

func TestParquetGolden(t *testing.T) {
	strings, integers := must(t, Params{Blocks: 1, Hash: hashing.XX(0)}), must(t, Params{Blocks: 1, Hash: hashing.XX(0)})
	for i := range 10 {
		_ = strings.AddBytes(fmt.Appendf(nil, "a%d", i))
		_ = integers.Add(uint64(i))
	}
	if got := strings.ParquetBitset(); !bytes.Equal(got, ofStrings) {
		t.Errorf("strings: %v", got)
	}
	if got := integers.ParquetBitset(); !bytes.Equal(got, ofIntegers) {
		t.Errorf("integers: %v", got)
	}
	loaded, err := FromParquet(ofStrings)
	if err != nil || !loaded.Equal(strings) || loaded.Contains(11) || !loaded.ContainsBytes([]byte("a3")) {
		t.Errorf("loaded: %v", err)
	}
	written, err := integers.AppendParquet([]byte("PAR1"))
	if want := slices.Concat([]byte("PAR1"), header32, ofIntegers); err != nil || !bytes.Equal(written, want) {
		t.Errorf("written: %v, %v", written, err)
	}
	read, n, err := ReadParquet(append(written[4:], "more of the file"...))
	if err != nil || n != 47 || !read.Equal(integers) {
		t.Errorf("read %d bytes: %v", n, err)
	}
}

// The mask of a key is this, worked out by hand from the specification: the salts
// themselves for the low half 1, so their top five bits.
func TestParquetByHand(t *testing.T) {
	f := must(t, Params{Blocks: 3, Hash: hashing.XX(0)})
	_ = f.AddHash(1<<63 | 1) // block 3/2
	want := make([]byte, 96)
	for lane, bit := range []int{0x47 >> 3, 0x44 >> 3, 0x88 >> 3, 0xa2 >> 3, 0x70 >> 3, 0x2d >> 3, 0x9e >> 3, 0x5c >> 3} {
		want[32+4*lane+bit/8] = 1 << (bit % 8)
	}
	if got := f.ParquetBitset(); !bytes.Equal(got, want) {
		t.Errorf("%v\n%v", got, want)
	}
}

func TestReadParquetOtherHeaders(t *testing.T) {
	for name, header := range map[string][]byte{
		"numbers in full":   {0x05, 2, 64, 0x0c, 4, 0x1c, 0, 0, 0x0c, 6, 0x1c, 0, 0, 0x0c, 8, 0x1c, 0, 0, 0},
		"another order":     {0x0c, 8, 28, 0, 0, 0x0c, 4, 28, 0, 0, 0x05, 2, 64, 0x0c, 6, 28, 0, 0, 0},
		"a new field":       {21, 64, 28, 28, 0, 0, 28, 28, 0, 0, 28, 28, 0, 0, 0x18, 3, 'n', 'e', 'w', 0x11, 0x13, 9, 0x16, 0x80, 1, 0x17, 1, 2, 3, 4, 5, 6, 7, 8, 0},
		"a field in BLOCK":  {21, 64, 28, 28, 21, 6, 0, 0, 28, 28, 0, 0, 28, 28, 0, 0, 0},
		"a struct, skipped": {21, 64, 28, 28, 0, 0, 28, 28, 0, 0, 28, 28, 0, 0, 28, 28, 21, 2, 0, 0, 0},
	} {
		f, n, err := ReadParquet(slices.Concat(header, ofStrings))
		if err != nil || n != len(header)+32 || !bytes.Equal(f.ParquetBitset(), ofStrings) {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
}

func TestParquetRefusals(t *testing.T) {
	for name, data := range map[string][]byte{
		"nothing":             nil,
		"short header":        header32[:10],
		"short bitset":        slices.Concat(header32, ofStrings[:31]),
		"no bitset":           {21, 0, 28, 28, 0, 0, 28, 28, 0, 0, 28, 28, 0, 0, 0},
		"negative":            {21, 63, 28, 28, 0, 0, 28, 28, 0, 0, 28, 28, 0, 0, 0},
		"not 31 bits":         {21, 0xff, 0xff, 0xff, 0xff, 0x7f, 28, 28, 0, 0, 28, 28, 0, 0, 28, 28, 0, 0, 0},
		"not 64 bits":         {21, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 28, 28, 0, 0, 28, 28, 0, 0, 28, 28, 0, 0, 0},
		"odd bytes":           append([]byte{21, 66, 28, 28, 0, 0, 28, 28, 0, 0, 28, 28, 0, 0, 0}, make([]byte, 33)...),
		"another algorithm":   slices.Concat([]byte{21, 64, 28, 44, 0, 0, 28, 28, 0, 0, 28, 28, 0, 0, 0}, ofStrings),
		"another hash":        slices.Concat([]byte{21, 64, 28, 28, 0, 0, 28, 44, 0, 0, 28, 28, 0, 0, 0}, ofStrings),
		"another compression": slices.Concat([]byte{21, 64, 28, 28, 0, 0, 28, 28, 0, 0, 28, 44, 0, 0, 0}, ofStrings),
		"an empty union":      slices.Concat([]byte{21, 64, 28, 0, 28, 28, 0, 0, 28, 28, 0, 0, 0}, ofStrings),
		"twice":               slices.Concat([]byte{21, 64, 0x05, 2, 64, 0x0c, 4, 28, 0, 0, 28, 28, 0, 0, 28, 28, 0, 0, 0}, ofStrings),
		"missing":             slices.Concat([]byte{21, 64, 28, 28, 0, 0, 28, 28, 0, 0, 0}, ofStrings),
		"wrong types":         slices.Concat([]byte{22, 64, 21, 0, 28, 28, 0, 0, 28, 28, 0, 0, 0}, ofStrings),
		"a list":              slices.Concat([]byte{21, 64, 28, 28, 0, 0, 28, 28, 0, 0, 28, 28, 0, 0, 0x19, 0, 0}, ofStrings),
		"very deep":           slices.Concat(bytes.Repeat([]byte{0x5c}, 100), make([]byte, 200)),
	} {
		if f, n, err := ReadParquet(data); !errors.Is(err, ErrParquet) || f != nil || n != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, n := range []int{0, 1, 31, 33} {
		if _, err := FromParquet(make([]byte, n)); !errors.Is(err, ErrParquet) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for _, h := range []hashing.Hasher{hashing.XX(1), hashing.XX3(0)} {
		if b, err := must(t, Params{Blocks: 1, Hash: h}).AppendParquet([]byte("x")); err == nil || string(b) != "x" {
			t.Errorf("%v was written", h)
		}
	}
}

func FuzzReadParquet(f *testing.F) {
	f.Add(slices.Concat(header32, ofStrings))
	f.Add([]byte{0x0c, 8, 28, 0, 0, 0x0c, 4, 28, 0, 0, 0x05, 2, 64, 0x0c, 6, 28, 0, 0, 0x18, 1, 'x', 0})
	f.Add(bytes.Repeat([]byte{0x5c}, 1000))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, n, err := ReadParquet(data)
		if err != nil {
			return
		}
		if n > len(data) || got.SizeBytes() > len(data) || got.SizeBytes() > math.MaxInt32 {
			t.Fatalf("%d bytes of %d make %d", n, len(data), got.SizeBytes())
		}
		again, err := got.AppendParquet(nil)
		if err != nil || !bytes.HasSuffix(data[:n], again[len(again)-got.SizeBytes():]) {
			t.Fatalf("written back: %v", err)
		}
	})
}
