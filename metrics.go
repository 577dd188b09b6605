package sketchproof

// The metrics that laws of sketches, signatures and placements speak about,
// besides those of every kind. Where it says so, a structure without a law of its
// own is held to what all of its kind promise: so a law is also how one says that
// it promises less.
const (
	// MetricUnder is the share of keys whose count lies below their weight. Without
	// a law, none may.
	MetricUnder = "under-truth/key"
	// MetricLost is the share of the keys above N/K, N the weight of the stream,
	// that are not among the K listed. Without a law, none may.
	MetricLost = "lost/heavy-key"
	// MetricSimilaritySpread is the root mean square of estimate - J for two sets of
	// which half of the n keys in their union are common. Without a law, it is that
	// of K independent values, √(J(1-J)/K), or less.
	MetricSimilaritySpread = "similarity-spread"
	// MetricLoadVariance is the square of a node's number of keys over the mean, less
	// 1, averaged over all nodes and placements, where n keys are placed.
	MetricLoadVariance = "squared-load-cv"
	// MetricMoved is the share of keys that move when one node joins the spec's.
	// Who states a law promises too that none moves between the others.
	MetricMoved = "moved/key"
	// MetricReordered is the share of keys that belong to another node when the same
	// nodes are added in another order. Without a law, none may.
	MetricReordered = "moved-by-order/key"
)
