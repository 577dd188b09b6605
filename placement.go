package sketchproof

// A Placer says which node a key belongs to, so that few keys move when nodes
// come and go. It depends on the set of its nodes alone, unless it says
// otherwise.
type Placer interface {
	// Add adds a node. It returns an error, and changes nothing, when the node is
	// there already.
	Add(node string) error
	// Remove removes a node. It returns an error, and changes nothing, when the
	// node is not there or cannot be removed.
	Remove(node string) error
	// Owner is the node of a key. It returns an error when there is no node.
	Owner(key uint64) (string, error)
}

// PlacerSpec asks for a placement over the nodes.
type PlacerSpec struct {
	Nodes []string
	Seed  uint64
}
