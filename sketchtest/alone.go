package sketchtest

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// A trial that may end its process, as one that reads damaged bytes, is carried out
// by the test binary run once more: it reads these variables.
const (
	aloneCase = "SKETCHTEST_CASE" // kind and name of the case
	aloneSeed = "SKETCHTEST_SEED" // of the trial
	aloneFile = "SKETCHTEST_FILE" // where the reading goes
)

// A parcel is a reading on its way between the two processes.
type parcel struct {
	Reading Reading
	Err     string
}

// alone runs a trial in a process of its own, and returns how that ended.
func (c *call) alone(t testing.TB, one Case, seed uint64) (Reading, error) {
	file, err := os.CreateTemp(t.TempDir(), "reading")
	if err != nil {
		return Reading{}, err
	}
	if err := file.Close(); err != nil {
		return Reading{}, err
	}
	program, err := os.Executable()
	if err != nil {
		return Reading{}, err
	}
	cmd := exec.Command(program, "-test.run", pattern(c.test), "-test.timeout", patience.String(), "-test.count=1", "-test.short="+strconv.FormatBool(testing.Short()))
	cmd.Env = append(os.Environ(), aloneCase+"="+c.kind+"/"+one.Name(), aloneSeed+"="+strconv.FormatUint(seed, 10), aloneFile+"="+file.Name())
	output, ended := cmd.CombinedOutput()
	data, err := os.ReadFile(file.Name())
	if err != nil {
		return Reading{}, err
	}
	if len(data) == 0 {
		if ended == nil {
			return Reading{}, fmt.Errorf("run once more, the test did not come to %s", one.Name())
		}
		return Reading{}, fmt.Errorf("the process ended: %s", cause(output, ended))
	}
	var p parcel
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&p); err != nil {
		return Reading{}, err
	}
	if p.Err != "" {
		return Reading{}, errors.New(p.Err)
	}
	return p.Reading, nil
}

// cause is the line in which the Go runtime says why it stops.
func cause(output []byte, ended error) string {
	for line := range strings.Lines(string(output)) {
		if strings.HasPrefix(line, "fatal error:") || strings.HasPrefix(line, "panic:") {
			return strings.TrimSpace(line)
		}
	}
	return fmt.Sprint(ended)
}

// sent reports whether this process is one for a single trial; then it has carried
// it out if the trial is of this call.
func (c *call) sent(t testing.TB) bool {
	name, ok := os.LookupEnv(aloneCase)
	if !ok {
		return false
	}
	for _, one := range c.cases {
		if c.kind+"/"+one.Name() != name {
			continue
		}
		seed, err := strconv.ParseUint(os.Getenv(aloneSeed), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		var p parcel
		if p.Reading, err = one.try(seed); err != nil {
			p.Err = err.Error()
		}
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(p); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(os.Getenv(aloneFile), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return true
}
