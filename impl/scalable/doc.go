// Package scalable is the scalable Bloom filter of Almeida, Baquero, Preguiça
// and Hutchison (2007): a chain of Bloom filters that grows as keys come, for
// callers who do not know how many will.
//
// Link i is sized for the first capacity times s^i keys at the rate p0 r^i, s
// being the growth and r the tightening. With p0 = p (1-r) the rates of all
// links, however many, add up to less than p.
//
// A link is full when as many of its bits are set as give the rate it was sized
// for, as in the paper, whose links are full at half fill. So each filter keeps
// its promise by its own bits, not just on average; what a link holds is its
// capacity, give or take one part in a hundred at 1000 keys. A key that is found
// already sets nothing and takes no room: duplicates are free, at the price
// that adding looks through the chain.
//
// There is no Merge. Two chains are full of different keys in links of the same
// size, and what either way of joining them makes is no chain of this kind: the
// bitwise or of two full links errs far more often than the link may, and one
// chain behind the other has twice the rate that was promised.
//
// A filter may be read by many goroutines at once. Adding and decoding want it
// alone.
package scalable
