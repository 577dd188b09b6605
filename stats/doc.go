// Package stats turns counts into intervals and intervals into verdicts.
//
// The unit of replication is the trial: one freshly built structure. Every
// method says what data it is for, under what stopping rule its error
// probability holds, and is covered by a simulation test on such data.
package stats
