package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
)

// A Calibration is what one operation costs one subject on one machine. It is a
// line of calibration.csv.
type Calibration struct {
	Kind            string  // filter, cardinality, frequency, topk, sampler, placer, signature, or KindMachine
	Subject, Module string  // Module is path@version, "" for our own
	Epsilon         float64 // rate asked for at the build, 0 for kinds without
	Keys            int     // keys held
	Bytes           int64   // told by the structure; for KindMachine the footprint
	Op              string  // as experiments/speed calls it: add, build, hit, miss, miss-bytes, hit-batch, estimate ...
	KeyBytes        int     // length of byte keys, 0 for numbers and hashes
	Rounds          int
	Seconds         float64 // per operation; for build, per key: the lower quartile of rounds
	Lo, Hi          float64 // the interval of their median, which has the quartile in it
	Confidence      float64 // of the interval
	Err             string  // why the subject could not be timed, if it could not
}

// KindMachine is the kind of the rows that speak of the machine alone: what one
// dependent read of a random cache line takes in a footprint of Bytes
// (OpLatency), and what one byte takes that is read in order (OpBandwidth).
const (
	KindMachine = "machine"
	OpLatency   = "latency"
	OpBandwidth = "bandwidth"
)

// CalibrationName and MachineName are the files of a folder that holds a
// calibration.
const (
	CalibrationName = "calibration.csv"
	MachineName     = "machine.json"
)

// CalibrationHeader is the header of every calibration.csv.
var CalibrationHeader = []string{
	"kind", "subject", "module", "eps", "keys", "bytes", "op", "key_bytes", "rounds",
	"seconds", "lo", "hi", "confidence", "err",
}

// Strings is the CSV line.
func (c Calibration) Strings() []string {
	return []string{
		c.Kind, c.Subject, c.Module, Float(c.Epsilon), strconv.Itoa(c.Keys), strconv.FormatInt(c.Bytes, 10), c.Op,
		strconv.Itoa(c.KeyBytes), strconv.Itoa(c.Rounds), Float(c.Seconds), Float(c.Lo), Float(c.Hi), Float(c.Confidence), c.Err,
	}
}

// WriteCalibrations writes a calibration.csv.
func WriteCalibrations(w io.Writer, rows []Calibration) error {
	raw := make([][]string, len(rows))
	for i, c := range rows {
		raw[i] = c.Strings()
	}
	return WriteRaw(w, CalibrationHeader, raw)
}

// ReadCalibrations reads a calibration.csv. An error names the line. A time that
// is not there is NaN, and an end of an interval infinite.
func ReadCalibrations(r io.Reader) ([]Calibration, error) {
	header, raw, err := ReadRaw(r)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(header, CalibrationHeader) {
		return nil, fmt.Errorf("record: the header is %q, want %q", header, CalibrationHeader)
	}
	rows := make([]Calibration, len(raw))
	for i, line := range raw {
		if rows[i], err = parseCalibration(line); err != nil {
			return nil, fmt.Errorf("record: line %d: %w", i+2, err)
		}
	}
	return rows, nil
}

func parseCalibration(f []string) (Calibration, error) {
	c := Calibration{Kind: f[0], Subject: f[1], Module: f[2], Op: f[6], Err: f[13]}
	var errs []error
	number := func(to *float64, text string, missing float64) {
		var err error
		*to, err = ParseFloat(text, missing)
		errs = append(errs, err)
	}
	whole := func(text string) int64 {
		n, err := strconv.ParseInt(text, 10, 64)
		errs = append(errs, err)
		return n
	}
	number(&c.Epsilon, f[3], 0)
	number(&c.Seconds, f[9], math.NaN())
	number(&c.Lo, f[10], math.Inf(-1))
	number(&c.Hi, f[11], math.Inf(1))
	number(&c.Confidence, f[12], math.NaN())
	c.Keys, c.Bytes, c.KeyBytes, c.Rounds = int(whole(f[4])), whole(f[5]), int(whole(f[7])), int(whole(f[8]))
	return c, errors.Join(errs...)
}

// A Machine is where, when and with what a calibration was taken. It is a
// machine.json.
type Machine struct {
	Taken      string            `json:"taken"` // day, UTC
	CPU        string            `json:"cpu"`
	Cores      int               `json:"cores"`
	L1D        int               `json:"l1d"` // bytes, 0 where the processor does not say; likewise the others
	L2         int               `json:"l2"`
	L3         int               `json:"l3"`
	OS         string            `json:"os"`
	Arch       string            `json:"arch"` // GOARCH and its level, as amd64/v1
	Go         string            `json:"go"`
	GOMAXPROCS int               `json:"gomaxprocs"`
	Modules    map[string]string `json:"modules"`  // path to version of every library on trial
	MaxKeys    int               `json:"max_keys"` // the largest structures that were timed
}

// SameAs reports whether times taken on one machine hold on the other: the same
// processor, system, compiler and libraries, whatever the day and the sizes.
func (m Machine) SameAs(other Machine) bool {
	return m.CPU == other.CPU && m.L1D == other.L1D && m.L2 == other.L2 && m.L3 == other.L3 &&
		m.OS == other.OS && m.Arch == other.Arch && m.Go == other.Go && maps.Equal(m.Modules, other.Modules)
}

// ReadMachine reads a machine.json.
func ReadMachine(data []byte) (Machine, error) {
	var m Machine
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, fmt.Errorf("record: machine: %w", err)
	}
	return m, nil
}

// Encode returns the bytes of a machine.json.
func (m Machine) Encode() []byte {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return append(data, '\n')
}

// Calibrated is a calibration with where it was taken. Rows hold the times of
// all subjects, and the machine's own curves under KindMachine.
type Calibrated struct {
	Machine Machine
	Rows    []Calibration
}
