module example.org/twohash

go 1.26.0

require github.com/sketchproof/sketchproof v0.0.0

replace github.com/sketchproof/sketchproof => ../..
