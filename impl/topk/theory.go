package topk

// SpaceSavingError bounds the smallest of k full counters, and so every error:
// N/k (Metwally, Agrawal, El Abbadi 2005, Theorem 1: the k counts add up to N).
func SpaceSavingError(n float64, k int) float64 { return n / float64(k) }

// MisraGriesError bounds how much k counters were lowered: (N - sum)/(k+1), sum
// that of their values, for each step takes one from k counters and the newcomer
// (Misra and Gries 1982; Agarwal et al. 2012, section 2).
func MisraGriesError(n, sum float64, k int) float64 { return (n - sum) / float64(k+1) }

// ResidualError bounds the smallest of k Space-Saving counters by what is left
// of the stream without its j heaviest keys, j < k: rest/(k-j) (Berinde,
// Cormode, Indyk, Strauss 2010, Theorem 2 and appendix).
func ResidualError(rest float64, j, k int) float64 { return rest / float64(k-j) }
