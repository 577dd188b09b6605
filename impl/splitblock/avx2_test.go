//go:build amd64 && !purego

package splitblock

// withoutAVX2 runs something on the portable code.
func withoutAVX2(run func()) {
	was := useAVX2
	useAVX2 = false
	defer func() { useAVX2 = was }()
	run()
}
