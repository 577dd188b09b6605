package sketchtest

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/sketchproof/sketchproof"
)

// shortKeys looks at numbers in a row as 1, 2 and 3 bytes, beside those of 4: hashes
// take other ways where there is less than a word to read. It shows a hash that does
// not read them, or that fills them up with zeros, by which nearly all absent ones are
// found, or nearly all with a zero behind; there are too few of the shortest to tell
// rates.
func (t filterTrial) shortKeys(seed uint64, r *Reading) error {
	for length := 1; length <= 3; length++ {
		list := make([]key, min(3000, 1<<(8*length)))
		for i := range list {
			number := binary.BigEndian.AppendUint32(nil, uint32(id(seed, i))<<(8*(4-length)))
			list[i] = key{isText: true, text: number[:length]}
		}
		held, absent := list[:len(list)/2], list[len(list)/2:]
		spec := sketchproof.FilterSpec{Capacity: len(held), Epsilon: usualRate, Seed: part(seed, 1)}
		l, err := t.load(spec, held)
		if err != nil {
			return err
		}
		padded := slices.Clone(held)
		for i, k := range padded {
			padded[i].text = append(slices.Clone(k.text), 0)
		}
		for _, others := range [][]key{absent, padded} {
			if found := len(others) - len(lost(l.f, others)); 10*found > 9*len(others) {
				r.Num++
				r.Input = fmt.Sprintf("%s (numbers in a row as bytes, %d each): %d of %d others, such as %v, are found", described(spec, held), length, found, len(others), others[0])
				return nil
			}
		}
	}
	return nil
}
