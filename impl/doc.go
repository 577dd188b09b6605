// Package impl holds the structures written for this project, one folder each.
// They know nothing of the harness that judges them.
package impl
