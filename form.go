package sketchproof

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"encoding/json"
	"io"
)

// A Form is a way to write a structure and to read it again.
type Form[S any] struct {
	Name   string // "binary", "json"
	Encode func(S) ([]byte, error)
	Decode func([]byte) (S, error)
	// Into reads into a structure that is in use, which then is what was written: nil
	// where reading makes a new one.
	Into func(S, []byte) error
}

// FormsOf finds the forms that a type T offers by its methods: binary, text, JSON,
// gob, and WriteTo with ReadFrom. A form is read into a zero value. unwrap and wrap
// lead from a subject to its T and back.
func FormsOf[S, T any](unwrap func(S) *T, wrap func(*T) S) []Form[S] {
	var forms []Form[S]
	for _, m := range methodsOf[T]() {
		if !m.writes || !m.reads {
			continue
		}
		forms = append(forms, Form[S]{
			Name:   m.name,
			Encode: func(s S) ([]byte, error) { return m.write(unwrap(s)) },
			Into:   func(s S, data []byte) error { return m.read(unwrap(s), data) },
			Decode: func(data []byte) (S, error) {
				t := new(T)
				if err := m.read(t, data); err != nil {
					var none S
					return none, err
				}
				return wrap(t), nil
			},
		})
	}
	return forms
}

// methods are a pair by which *T writes and reads a form, if it has them.
type methods[T any] struct {
	name          string
	write         func(*T) ([]byte, error)
	read          func(*T, []byte) error
	writes, reads bool
}

func methodsOf[T any]() []methods[T] {
	return []methods[T]{
		{
			name: "binary", writes: has[encoding.BinaryMarshaler, T](), reads: has[encoding.BinaryUnmarshaler, T](),
			write: func(t *T) ([]byte, error) { return any(t).(encoding.BinaryMarshaler).MarshalBinary() },
			read:  func(t *T, data []byte) error { return any(t).(encoding.BinaryUnmarshaler).UnmarshalBinary(data) },
		},
		{
			name: "text", writes: has[encoding.TextMarshaler, T](), reads: has[encoding.TextUnmarshaler, T](),
			write: func(t *T) ([]byte, error) { return any(t).(encoding.TextMarshaler).MarshalText() },
			read:  func(t *T, data []byte) error { return any(t).(encoding.TextUnmarshaler).UnmarshalText(data) },
		},
		{
			name: "json", writes: has[json.Marshaler, T](), reads: has[json.Unmarshaler, T](),
			write: func(t *T) ([]byte, error) { return json.Marshal(t) },
			read:  func(t *T, data []byte) error { return json.Unmarshal(data, t) },
		},
		{
			name: "json-value", writes: has[json.Marshaler, T](), reads: has[json.Unmarshaler, T](),
			write: func(t *T) ([]byte, error) { return json.Marshal(*t) },
			read:  func(t *T, data []byte) error { return json.Unmarshal(data, t) },
		},
		{
			name:   "gob",
			writes: has[gob.GobEncoder, T]() || has[encoding.BinaryMarshaler, T](),
			reads:  has[gob.GobDecoder, T]() || has[encoding.BinaryUnmarshaler, T](),
			write:  func(t *T) ([]byte, error) { return toGob(t) },
			read:   func(t *T, data []byte) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(t) },
		},
		{
			name: "stream", writes: has[io.WriterTo, T](), reads: has[io.ReaderFrom, T](),
			write: func(t *T) ([]byte, error) {
				var b bytes.Buffer
				_, err := any(t).(io.WriterTo).WriteTo(&b)
				return b.Bytes(), err
			},
			read: func(t *T, data []byte) error {
				_, err := any(t).(io.ReaderFrom).ReadFrom(bytes.NewReader(data))
				return err
			},
		},
	}
}

// has reports whether *T has the methods of an interface.
func has[I, T any]() bool {
	_, ok := any(new(T)).(I)
	return ok
}

func toGob(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}
