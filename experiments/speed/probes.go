package speed

import "github.com/sketchproof/sketchproof/impl/hashing"

// keys are distinct random keys, made as they are needed: a table of them would
// compete for the caches.
type keys uint64

func (k keys) at(i int) uint64 { return hashing.Mix(uint64(k) + uint64(i+1)*hashing.Gamma) }

// probes make the keys that a structure is asked for.
type probes struct {
	keys  keys
	held  int // keys number 0 to held-1 are in the structure
	asked int // keys from held on that were asked for already
}

// present fills dst with the probes from number from on, keys that are held, in
// an order that is not that of the additions: 7919 is prime and no number of
// keys here is a multiple of it.
func (p *probes) present(dst []uint64, from int) {
	for i := range dst {
		dst[i] = p.keys.at(int(uint64(from+i) * 7919 % uint64(p.held)))
	}
}

// absent fills dst with keys that were never seen before.
func (p *probes) absent(dst []uint64, _ int) {
	for i := range dst {
		dst[i] = p.keys.at(p.held + p.asked + i)
	}
	p.asked += len(dst)
}
