//go:build !linux

package speed

import "time"

var began = time.Now()

// threadTime is the time on the wall, where no clock of the thread is known.
func threadTime() time.Duration { return time.Since(began) }
