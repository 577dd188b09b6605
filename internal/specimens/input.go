package specimens

import (
	"slices"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// An Input is what a structure is built from, and what it is asked for then.
type Input struct {
	Name   string
	Keys   []uint64 // in the order of addition, with repeats
	Absent []uint64 // never among Keys
}

// absents is the number of absent keys to ask for: at a rate of one in 256 some
// of them are found, and two versions that hash differently find others.
const absents = 4096

// randomKey is key number i of a seed; distinct numbers give distinct keys.
func randomKey(seed uint64, i int) uint64 {
	return hashing.Mix(hashing.Mix(seed) + uint64(i+1)*hashing.Gamma)
}

// Inputs are all inputs, the smallest first. Their sizes lie at the edges of what
// an implementation may treat apart; few repeats among many keys are what a
// caller brings by mistake.
func Inputs(seed uint64) []Input {
	random := func(n int) []uint64 {
		keys := make([]uint64, n)
		for i := range keys {
			keys[i] = randomKey(seed, i)
		}
		return keys
	}
	sequential := make([]uint64, 1000)
	for i := range sequential {
		sequential[i] = uint64(i)
	}
	thousand, many := random(1000), random(20_000)
	list := []Input{
		{Name: "no key"},
		{Name: "1 key", Keys: random(1)},
		{Name: "2 keys", Keys: random(2)},
		{Name: "3 keys", Keys: random(3)},
		{Name: "2 keys that are the same", Keys: []uint64{thousand[0], thousand[0]}},
		{Name: "1000 keys", Keys: thousand},
		{Name: "1000 keys from 0 on", Keys: sequential},
		{Name: "1000 keys, one of them twice", Keys: slices.Concat(thousand[:999], thousand[:1])},
		{Name: "500 keys, each of them twice", Keys: slices.Concat(thousand[:500], thousand[:500])},
		{Name: "20000 keys", Keys: many},
	}
	for i := range list {
		list[i].Absent = make([]uint64, absents)
		for j := range list[i].Absent {
			list[i].Absent[j] = randomKey(seed, len(many)+j)
		}
	}
	return list
}

// inputNamed finds an input by its name.
func inputNamed(name string, seed uint64) (Input, bool) {
	for _, in := range Inputs(seed) {
		if in.Name == name {
			return in, true
		}
	}
	return Input{}, false
}

// times is how often each key was added, and every key once, in order.
func (in Input) times() (distinct []uint64, often map[uint64]uint64) {
	often = make(map[uint64]uint64, len(in.Keys))
	for _, k := range in.Keys {
		if often[k]++; often[k] == 1 {
			distinct = append(distinct, k)
		}
	}
	return distinct, often
}
