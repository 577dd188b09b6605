package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// A Manifest says which run wrote a folder of results, and proves every
// accuracy file by its digest. It holds no clock and no timing: the same seed
// under the same versions gives the same manifest.
type Manifest struct {
	Scale   string            `json:"scale"`
	Seed    uint64            `json:"seed"`
	Shard   string            `json:"shard,omitempty"` // "i/n" of a part, "" of the whole
	Only    []string          `json:"only,omitempty"`  // the selection, empty for all
	Trace   *Trace            `json:"trace,omitempty"` // the requests that were given, nil for none
	Go      string            `json:"go"`
	Arch    string            `json:"arch"`    // GOARCH and its level, as amd64/v1
	Modules map[string]string `json:"modules"` // path to version
	Files   map[string]string `json:"files"`   // path below the folder, with slashes, to SHA-256
}

// A Trace is a file of requests, as far as rows that were read from it need it.
type Trace struct {
	Name     string `json:"name"`     // of the file, without its folder
	SHA256   string `json:"sha256"`   // of the file, in hexadecimal
	Requests int    `json:"requests"` // that it holds
}

// ReadManifest reads a manifest.json.
func ReadManifest(data []byte) (Manifest, error) {
	var m Manifest
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, fmt.Errorf("record: manifest: %w", err)
	}
	return m, nil
}

// Encode returns the bytes of a manifest.json.
func (m Manifest) Encode() []byte {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return append(data, '\n')
}

// Digest returns the SHA-256 of a file in hexadecimal.
func Digest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
