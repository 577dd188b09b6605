// Package impl holds the structures written for this project, one folder each.
// They know nothing of the harness that judges them. What they agree on:
//
//   - Params say what to make, and New makes it. Params of a structure gives them
//     back, Hash its hash function, Len the number of keys it knows it holds.
//   - The hash function is always the caller's. The zero hashing.Hasher is refused:
//     a seed that nobody chose is one that everybody knows, and a secret key that
//     was forgotten would go unnoticed.
//   - Parameters out of range are an error that says what is allowed, before
//     anything is allocated.
//   - Merge and comparison of two that were not built alike return ErrMismatch of the
//     package, which is one for all, and change nothing.
//   - The zero value is good for UnmarshalBinary. It has no serialized form.
//   - Questions may be asked side by side. What changes a structure wants it alone,
//     unless its package says otherwise.
//   - Batches are as many single calls.
package impl
