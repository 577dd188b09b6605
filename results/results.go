// Package results holds the committed results of the experiments, for programs
// that are far from the repository.
package results

import (
	"embed"
	"io/fs"
)

// Trials are left out: they are large, and the manifest proves them by digest.
//
//go:embed manifest.json */summary.csv */*/summary.csv */*/inputs.csv */*/unseeded.csv
var files embed.FS

// FS returns the committed manifest.json, and the judgements with the inputs that
// show them, at their places below the results folder. They are those of the source tree that the program
// was built from.
func FS() fs.FS { return files }
