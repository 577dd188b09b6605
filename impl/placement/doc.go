// Package placement says which node a key belongs to, so that few keys move
// when nodes come and go:
//
//   - [Ring], consistent hashing with virtual nodes (Karger et al. 1997);
//   - [Jump], jump consistent hash (Lamping and Veach 2014): no memory but the
//     names, nodes leave only at the end;
//   - [Rendezvous], highest random weight (Thaler and Ravishankar 1998; with
//     weights: Schindler and Schomaker 2005): the most even and the least moved, in
//     time proportional to the number of nodes;
//   - [Maglev], a look-up table (Eisenbud et al. 2016): one memory access, and a few
//     more keys moved than must be;
//   - [Bounded], consistent hashing with bounded loads (Mirrokni, Thorup and
//     Zadimoghaddam 2018): it knows the keys, and no node ever holds more than
//     1 + ε times the mean, rounded up.
//
// When a node joins S others, 1/(S+1) of the keys must move if the shares are to
// be equal, all of them to the new node. The hash function says where a key
// belongs: who is to agree on that needs the same function and the same nodes.
package placement
