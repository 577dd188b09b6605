// Package specimens builds small structures from set inputs and says what became
// of each: refused, faulty, or built, with its answers and its bytes. Two
// programs that hold two versions of a library compare what they build from the
// same input, and read each other's bytes.
//
// Nothing here knows a library. A key that was accepted must be found, a count
// is never below the truth, and what was read answers as what was written.
package specimens
