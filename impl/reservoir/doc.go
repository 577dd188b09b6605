// Package reservoir draws a fair sample of k items from a stream whose length
// nobody knows.
//
// [R] is algorithm R, which Vitter (1985) credits to Waterman. The first k items
// fill the sample. Every later item, the i-th, gets in with probability k/i, in the
// place of a random item of the sample. After any i items each of them is in the
// sample with probability k/i exactly, if the draws are fair.
//
// [L] has the same law, draws numbers only for items that get in, and may be
// merged. [Weighted] prefers heavy items. [Combine] makes one fair sample of
// samples that were drawn apart.
package reservoir
