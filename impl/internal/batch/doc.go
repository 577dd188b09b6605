// Package batch makes the batches of keys and of byte strings out of a
// structure's batches of hashes: it hashes some at a time into a buffer that
// stays in the first cache, and hands that on.
package batch
