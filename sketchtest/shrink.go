package sketchtest

// shrink returns a smaller list that still fails, by leaving out ever smaller
// stretches (Zeller, Hildebrandt 2002). It asks at most tries times, and returns
// the list itself where that does not fail.
func shrink[T any](list []T, tries int, fails func([]T) bool) []T {
	if tries <= 0 || !fails(list) {
		return list
	}
	for size := (len(list) + 1) / 2; size > 0; {
		smaller := false
		for from := 0; from < len(list) && tries > 0; tries-- {
			to := min(from+size, len(list))
			rest := append(append(make([]T, 0, len(list)-(to-from)), list[:from]...), list[to:]...)
			if fails(rest) {
				list, smaller = rest, true
			} else {
				from = to
			}
		}
		switch {
		case tries <= 0:
			return list
		case !smaller || size > len(list):
			size /= 2
		}
	}
	return list
}
