// Package hashing is the one place where structures get their hash functions:
// named families, seeded, the name and seed written into every serialized form.
package hashing
