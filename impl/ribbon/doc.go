// Package ribbon is the ribbon filter of Dillinger and Walzer (2021, "Ribbon
// filter: practically smaller than Bloom and Xor"): a static filter that stores
// the solution Z of a banded linear system over GF(2). A key hashes to a start,
// to w coefficients beginning there, and to r bits; it is found when the
// combination of the w rows of Z is those r bits.
//
// The Standard form demands that of every key, so that it may have to try
// several hash functions. The Homogeneous form has zero for every key's r bits
// and a random solution: it is built at the first try, always, needs less room
// as n grows, and pays with a slightly higher rate. r need not be whole: a share
// of the rows then has one bit more.
//
// The bytes are a function of the set of keys and the parameters. That costs
// nothing: the columns at which an echelon form has its leading ones depend on
// the space spanned by the equations alone, the rows of Z that no equation
// leads are set by rule, and the others follow.
package ribbon
