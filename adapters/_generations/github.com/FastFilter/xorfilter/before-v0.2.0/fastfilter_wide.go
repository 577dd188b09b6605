package adapters

import "github.com/sketchproof/sketchproof"

// fastfilterWide is empty: these versions have no wider fingerprints.
var fastfilterWide []Filter

// fastfilterPromises are those of all filters of the library.
var fastfilterPromises = []sketchproof.Promise{
	{Of: sketchproof.Membership, Text: "It will always return true if v was part of the initial construction", Where: "README"},
	{Of: sketchproof.Serialization, Text: "uses a portable format over different systems ... There is not data integrity check: loading from corrupted sources might result in runtime errors", Where: "README"},
	{Of: sketchproof.Concurrency, Text: "An xor filter is immutable, it is concurrent.", Where: "README"},
}
