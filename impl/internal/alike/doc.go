// Package alike is what structures say when two of them cannot be merged or
// compared because they were not built alike.
package alike
