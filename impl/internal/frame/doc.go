// Package frame is the envelope of every serialized structure: magic, which
// structure and version, hash function, geometry, payload, checksum.
//
// Layout, little endian: "SKPF", a 4-byte structure name, version (1 byte),
// hash family (1 byte), number of geometry words g (2 bytes), hash key (16
// bytes), g geometry words (8 bytes each), payload length (8 bytes), payload,
// XXH64 of everything before it (8 bytes).
package frame
