//go:build !unix

package engine

// lockFolder does nothing where folders cannot be locked.
func lockFolder(string) (unlock func(), err error) { return func() {}, nil }
