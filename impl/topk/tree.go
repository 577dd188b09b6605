package topk

// The buckets are a search tree by count, and by rank a heap: a treap (Aragon and
// Seidel 1989). A bucket has no child on the side of its neighbour in the list,
// or that neighbour none on its side, so a new bucket needs no search; both to
// plant and to uproot one takes two rotations at most on average.

// floor is the last bucket of at most a count, 0 if there is none.
func (s *summary) floor(count uint64) int32 {
	found := int32(0)
	for b := s.root; b != 0; {
		if s.buckets[b].count <= count {
			found, b = b, s.buckets[b].right
		} else {
			b = s.buckets[b].left
		}
	}
	return found
}

// plant puts a new bucket between its neighbours.
func (s *summary) plant(n, prev, next int32) {
	switch {
	case s.root == 0:
		s.root = n
		return
	case prev != 0 && s.buckets[prev].right == 0:
		s.buckets[prev].right, s.buckets[n].parent = n, prev
	default:
		s.buckets[next].left, s.buckets[n].parent = n, next
	}
	for p := s.buckets[n].parent; p != 0 && s.buckets[p].rank < s.buckets[n].rank; p = s.buckets[n].parent {
		s.lift(n)
	}
}

func (s *summary) uproot(b int32) {
	for {
		left, right := s.buckets[b].left, s.buckets[b].right
		if left == 0 || right == 0 {
			s.instead(b, left+right)
			return
		}
		if s.buckets[left].rank > s.buckets[right].rank {
			s.lift(left)
		} else {
			s.lift(right)
		}
	}
}

// instead puts a bucket, or none, in another's place under its parent.
func (s *summary) instead(b, other int32) {
	p := s.buckets[b].parent
	switch {
	case p == 0:
		s.root = other
	case s.buckets[p].left == b:
		s.buckets[p].left = other
	default:
		s.buckets[p].right = other
	}
	if other != 0 {
		s.buckets[other].parent = p
	}
}

// lift rotates a bucket above its parent.
func (s *summary) lift(n int32) {
	p := s.buckets[n].parent
	s.instead(p, n)
	if s.buckets[p].left == n {
		child := s.buckets[n].right
		s.buckets[p].left, s.buckets[n].right = child, p
		if child != 0 {
			s.buckets[child].parent = p
		}
	} else {
		child := s.buckets[n].left
		s.buckets[p].right, s.buckets[n].left = child, p
		if child != 0 {
			s.buckets[child].parent = p
		}
	}
	s.buckets[p].parent = n
}
