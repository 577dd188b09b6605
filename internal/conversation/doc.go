// Package conversation talks to a worker: a child process that reads requests
// from its standard input and answers on its standard output, both in gob. What
// no recover catches, a hang, a runtime's fatal error, a machine without memory,
// is then the end of a process, and the caller is told in words that are the
// same in every run.
//
// The worker's side is a loop over a gob.Decoder and a gob.Encoder. It must end
// when its input does, and keep everything else off its standard output.
package conversation
