package experiments

import (
	"fmt"
	"strconv"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/placement"
	"github.com/sketchproof/sketchproof/impl/reservoir"
)

// printedSample samples k of 0 to n-1 under the document's hash.
func printedSample(n, k int, seed uint64) (*reservoir.R[int], error) {
	hash, err := printedHash(seed)
	if err != nil {
		return nil, err
	}
	r, err := reservoir.WithDraw[int](k, reservoir.Hashed(hash))
	if err != nil {
		return nil, err
	}
	for i := range n {
		r.Add(i)
	}
	return r, nil
}

func replayReservoir() (map[string]any, error) {
	figures := map[string]any{"k ln(n/k)": decimals(reservoir.PrintedReplacements(10, 2000), 2)}
	for name, n := range map[string]int{"range100 k5 seed1": 100, "range3 k5 seed1": 3, "empty k5 seed1": 0} {
		r, err := printedSample(n, 5, 1)
		if err != nil {
			return nil, err
		}
		figures[name] = []any{append([]int{}, r.Sample()...), r.Replacements()} // the empty list is printed too
	}
	counts := make([]int, 10)
	for seed := range uint64(3000) {
		r, err := printedSample(len(counts), 3, seed)
		if err != nil {
			return nil, err
		}
		for _, item := range r.Sample() {
			counts[item]++
		}
	}
	figures["counts range10 k3 seeds0-2999"] = counts
	var replaced uint64
	for seed := range uint64(100) {
		r, err := printedSample(2000, 10, seed)
		if err != nil {
			return nil, err
		}
		replaced += r.Replacements()
	}
	figures["mean replacements range2000 k10 seeds0-99"] = float64(replaced) / 100
	return figures, nil
}

// printedOwners says which of the servers owns key0 to key9999.
func printedOwners(hash hashing.Hasher, virtual int, servers ...string) ([]string, error) {
	r, err := placement.NewRing(placement.RingParams{VirtualNodes: virtual, Hash: hash})
	if err != nil {
		return nil, err
	}
	for _, s := range servers {
		if err := r.Add(s); err != nil {
			return nil, err
		}
	}
	owners := make([]string, 10000)
	for i := range owners {
		if owners[i], err = r.OwnerBytes(fmt.Append(nil, "key", i)); err != nil {
			return nil, err
		}
	}
	return owners, nil
}

func replayRing() (map[string]any, error) {
	hash, err := printedHash(7)
	if err != nil {
		return nil, err
	}
	loads := map[string]map[string]int{}
	var before []string
	for _, virtual := range []int{1, 10, 100} {
		if before, err = printedOwners(hash, virtual, "A", "B", "C", "D"); err != nil {
			return nil, err
		}
		load := map[string]int{}
		for _, owner := range before {
			load[owner]++
		}
		loads[strconv.Itoa(virtual)] = load
	}
	after, err := printedOwners(hash, 100, "A", "B", "C", "D", "E")
	if err != nil {
		return nil, err
	}
	moved, allToE, modulo := 0, true, 0
	for i, owner := range after {
		if owner != before[i] {
			moved++
			allToE = allToE && owner == "E"
		}
		if place := hash.Bytes(fmt.Append(nil, "key", i)); place%4 != place%5 {
			modulo++
		}
	}
	return map[string]any{
		"loads": loads, "moved A-D to A-E at 100": moved, "all moved to E": allToE, "moved by modulo 4 to 5": modulo,
	}, nil
}
