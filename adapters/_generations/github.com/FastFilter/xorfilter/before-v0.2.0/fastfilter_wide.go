package adapters

import "github.com/sketchproof/sketchproof"

// fastfilterWide is empty: these versions have no wider fingerprints.
var fastfilterWide []Filter

// fastfilterPromises are those of all filters of the library.
var fastfilterPromises = []sketchproof.Promise{
	{Of: sketchproof.Membership, Text: "It will always return true if v was part of the initial construction", Where: "README"},
	{Of: sketchproof.Concurrency, Text: "An xor filter is immutable, it is concurrent.", Where: "README"},
}
