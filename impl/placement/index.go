package placement

import (
	"math/bits"
	"sort"
)

// An index finds points on the circle. It cuts the circle into equal arcs, about
// as many as there are points, which are spread evenly: a search in an arc is a
// step or two long, where halving all of 10 000 points takes 14, each a coin toss
// for the processor.
type index struct {
	shift uint     // a place's arc is place >> shift
	first []uint32 // of each arc: the number of the first point in it or after it; then the number of points
}

func newIndex(points []point) index {
	if len(points) == 0 {
		return index{}
	}
	log := bits.Len(uint(len(points)))
	x := index{shift: uint(64 - log), first: make([]uint32, 1<<log+1)}
	arc := 0
	for i, p := range points {
		for ; arc <= int(p.place>>x.shift); arc++ {
			x.first[arc] = uint32(i)
		}
	}
	for ; arc < len(x.first); arc++ {
		x.first[arc] = uint32(len(points))
	}
	return x
}

// crowded is the number of points in an arc from which on it is halved: with
// spread points practically never, with points that collide always.
const crowded = 16

// after is the number of the first point strictly after a place, going around.
func (x *index) after(points []point, place uint64) int {
	arc := place >> x.shift
	i, end := int(x.first[arc]), int(x.first[arc+1])
	if end-i > crowded {
		i += sort.Search(end-i, func(j int) bool { return points[i+j].place > place })
	} else {
		for i < end && points[i].place <= place {
			i++
		}
	}
	if i == len(points) {
		return 0
	}
	return i
}
