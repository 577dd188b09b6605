// Package ring places keys on nodes by consistent hashing (Karger et al. 1997):
// each node has v points on a circle of 2^64 places, its virtual nodes, and a
// key belongs to the node whose point comes next after the key's own place.
//
// When a node joins S others, a key moves only if a new point comes between
// the key and its old owner's point. So keys move to the new node alone, none
// moves between old ones, and 1/(S+1) of the keys move on average. More virtual
// nodes make the shares more even.
package ring
