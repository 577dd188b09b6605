package experiments

import (
	"bytes"
	"testing"

	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func TestTwinsShareTheirHashUnderEverySeed(t *testing.T) {
	for i := range 1000 {
		words := [2]uint64{keys(1).at(i), keys(2).at(i)}
		a, b, seed := sixteen(words), sixteen(twin(words)), keys(3).at(i)
		if bytes.Equal(a, b) {
			t.Fatal("a twin is the key itself")
		}
		if hashing.XX(seed).Bytes(a) != hashing.XX(seed).Bytes(b) {
			t.Fatalf("seed %x: %x and %x differ", seed, a, b)
		}
		if hashing.XX3(seed).Bytes(a) == hashing.XX3(seed).Bytes(b) || secretKey(seed).Bytes(a) == secretKey(seed).Bytes(b) {
			t.Fatal("twins of another hash")
		}
		if twin(twin(words)) != words {
			t.Fatal("a twin's twin is another key")
		}
	}
}

func TestPolluteSetsNewBitsAlone(t *testing.T) {
	f, err := bloom.ForRate(50, realRate, bloom.Exact, hashing.XX(1))
	if err != nil {
		t.Fatal(err)
	}
	victim := f.Clone()
	next := pollute(f, victim, keys(7), 50)
	if got := victim.BitsSet(); got != 50*victim.K() || f.BitsSet() != 0 {
		t.Errorf("%d bits set by 50 keys of %d", got, victim.K())
	}
	if next < 50 {
		t.Errorf("only %d keys were looked at", next)
	}
}
