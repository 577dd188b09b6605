package events

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A Stream is the 64-bit hashes of distinct keys: independent, uniform. It is
// told by those that are news. All of it follows from its seed. It is not for use
// from several goroutines at once.
type Stream struct {
	state uint64 // of splitmix64
	width uint   // bits behind the address
	n     uint64 // keys so far
	due   uint64 // number of the next key with news, 0 when it is yet to be drawn

	// news is nil until To needs it, and has not seen the keys of unseen.
	news   news
	empty  func(width uint) news
	unseen []run
}

// A run is keys that were inserted: all follow from the state before them.
type run struct{ state, keys uint64 }

// never is the due number of news that no key below 2^64 - 1 brings.
const never = math.MaxUint64

// news is the set of hashes that a sketch would still notice.
type news interface {
	// size is the number of hashes in it, modulo 2^64: 0 when all are.
	size() uint64
	// take is hash number r of the set in some order, r < size; it and what it
	// makes old are then news no more, and size is told anew. Called when not all
	// hashes are news.
	take(r uint64) (hash, size uint64)
	// see is take for a hash that is news or not.
	see(hash uint64)
}

// Records is the stream for sketches that keep a maximum in each of 2^p
// registers, p 1 to 32: HyperLogLog in all its forms. The first p bits of a hash
// are the register, the leading zeros of the others plus one the value. News is
// what raises a register: to 10^19 keys, 26 hashes a register at p = 12.
func Records(p int, seed uint64) *Stream { return newStream(p, seed, newRecords) }

// Firsts is the stream for sketches that may notice the first of every value
// at each of 2^p addresses, p 1 to 32: UltraLogLog with p its precision, and
// ExaLogLog, whose address is a register and t more bits, with p its precision
// plus t. Address and value are laid out as in Records. To 10^19 keys these are 51
// hashes an address at p = 12.
func Firsts(p int, seed uint64) *Stream {
	if p <= 16 {
		return newStream(p, seed, newFirsts[uint16])
	}
	return newStream(p, seed, newFirsts[uint32])
}

func newStream[N news](p int, seed uint64, empty func(width uint) N) *Stream {
	if p < 1 || p > 32 {
		panic(fmt.Sprintf("events: an address of %d bits: 1 to 32 are allowed", p))
	}
	width := 64 - uint(p)
	return &Stream{state: hashing.Mix(seed), width: width, empty: func(width uint) news { return empty(width) }}
}

// random is splitmix64, a third of the cost of a generator behind an interface.
func (s *Stream) random() uint64 { return draw(&s.state) }

func draw(state *uint64) uint64 {
	*state += hashing.Gamma
	return hashing.Mix(*state)
}

// below is a number below n. Of the 2^64 random numbers every run of k numbers is
// hit by k/n of them, give or take one.
func (s *Stream) below(n uint64) uint64 {
	high, _ := bits.Mul64(s.random(), n)
	return high
}

// N is the number of keys so far.
func (s *Stream) N() uint64 { return s.n }

// Insert gives add the hashes of the next n keys, all of them: for the
// beginning of a stream, where a sketch may hold its keys in a form that notices
// more than registers do.
func (s *Stream) Insert(n uint64, add func(hash uint64)) {
	s.unseen = append(s.unseen, run{s.state, n})
	for range n {
		add(s.random())
	}
	s.n += n
	s.due = 0
}

// catchUp makes news and lets it see what was inserted. Streams that only jump on
// from there do without.
func (s *Stream) catchUp() {
	if s.news == nil {
		s.news = s.empty(s.width)
	}
	for _, r := range s.unseen {
		for range r.keys {
			s.news.see(draw(&r.state))
		}
	}
	s.unseen = s.unseen[:0]
}

// To goes on to key number n, of 2^64 - 2 at most, and gives add the hashes of
// keys with news, in their order. Nothing happens when n keys have already come.
func (s *Stream) To(n uint64, add func(hash uint64)) {
	if n <= s.n {
		return
	}
	if s.n == 0 { // all hashes are news: 2^64 of them
		s.Insert(1, add)
	}
	s.catchUp()
	size := s.news.size()
	if s.due == 0 {
		s.due = s.next(size)
	}
	for s.due <= n && s.due < never {
		s.n = s.due
		var hash uint64
		hash, size = s.news.take(s.below(size))
		add(hash)
		s.due = s.next(size)
	}
	s.n = n
}

// next is the number of the next key with news, when so many hashes are news. Where
// To has gone past s.n without any, due is known and stays: a geometric number has no
// memory, but to draw it again would make the stream depend on where one stopped to
// look.
func (s *Stream) next(size uint64) uint64 {
	if size == 0 {
		return never
	}
	gap := 1 + math.Floor(s.exponential()/rate(size))
	if gap >= float64(never-s.n) {
		return never
	}
	return s.n + uint64(gap)
}

// rate is -ln(1 - size/2^64): an exponential number of mean 1 divided by it, and
// rounded down, is geometric with parameter size/2^64.
func rate(size uint64) float64 {
	w := float64(size) * 0x1p-64
	if w < 0x1p-9 { // the series' next term, w^6/7, is under 2^-56
		return w * (1 + w*(1./2+w*(1./3+w*(1./4+w*(1./5+w*(1./6))))))
	}
	return -math.Log1p(-w)
}
