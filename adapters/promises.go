package adapters

import "github.com/sketchproof/sketchproof"

// Promises are what the documentation of libraries says, by the name of the subject.
func Promises() map[string][]sketchproof.Promise {
	all := map[string][]sketchproof.Promise{}
	gather(all, AllFilters())
	gather(all, AllCardinalities())
	gather(all, Frequencies)
	gather(all, AllTopKs())
	gather(all, AllSignatures())
	gather(all, AllSamplers())
	gather(all, AllPlacers())
	return all
}

func gather[S, Spec any](all map[string][]sketchproof.Promise, subjects []sketchproof.Subject[S, Spec]) {
	for _, s := range subjects {
		if len(s.Promises) > 0 {
			all[s.Name] = s.Promises
		}
	}
}
