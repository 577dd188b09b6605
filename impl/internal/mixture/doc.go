// Package mixture is what the laws of filters cut into blocks share: a key looks
// at one block, and the number of other keys there is random.
package mixture
