// Package onnxtest writes tiny ONNX models for tests: of the right shape for
// sherpa-onnx, a few kilobytes large, and with an answer that is known in
// advance. They hear loudness, not words.
//
// The format is protobuf, written by hand: only what these models need.
package onnxtest

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// message is a protobuf message in the making.
type message []byte

func (m message) varint(field int, v uint64) message {
	m = binary.AppendUvarint(m, uint64(field)<<3)
	return binary.AppendUvarint(m, v)
}

func (m message) bytes(field int, v []byte) message {
	m = binary.AppendUvarint(m, uint64(field)<<3|2)
	m = binary.AppendUvarint(m, uint64(len(v)))
	return append(m, v...)
}

func (m message) text(field int, v string) message { return m.bytes(field, []byte(v)) }

// Element types.
const (
	Float = 1
	Int32 = 6
	Int64 = 7
)

// Model is one network: nodes in order, named values between them.
type Model struct {
	graph message
	meta  message
	names int
}

// Value is a name in a Model's graph.
type Value string

// Input adds an input of a type; a negative dimension is any.
func (m *Model) Input(name string, kind int, dims ...int64) Value {
	m.graph = m.graph.bytes(11, valueInfo(name, kind, dims))
	return Value(name)
}

// Output names what v is outside.
func (m *Model) Output(v Value, name string, kind int, dims ...int64) {
	m.node("Identity", name, v)
	m.graph = m.graph.bytes(12, valueInfo(name, kind, dims))
}

func valueInfo(name string, kind int, dims []int64) message {
	var shape message
	for i, d := range dims {
		var dim message
		if d < 0 {
			dim = dim.text(2, name+string(rune('a'+i)))
		} else {
			dim = dim.varint(1, uint64(d))
		}
		shape = shape.bytes(1, dim)
	}
	tensor := message(nil).varint(1, uint64(kind)).bytes(2, shape)
	return message(nil).text(1, name).bytes(2, message(nil).bytes(1, tensor))
}

// Floats adds a constant.
func (m *Model) Floats(dims []int64, v ...float32) Value {
	var raw []byte
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return m.constant(Float, dims, raw)
}

// Ints adds a constant vector.
func (m *Model) Ints(v ...int64) Value {
	var raw []byte
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(x))
	}
	return m.constant(Int64, []int64{int64(len(v))}, raw)
}

func (m *Model) constant(kind int, dims []int64, raw []byte) Value {
	name := m.name()
	var t message
	for _, d := range dims {
		t = t.varint(1, uint64(d))
	}
	m.graph = m.graph.bytes(5, t.varint(2, uint64(kind)).text(8, name).bytes(9, raw))
	return Value(name)
}

func (m *Model) name() string {
	m.names++
	return "v" + string(rune('A'+m.names/26)) + string(rune('A'+m.names%26))
}

// attr is a whole number, or several, of an operation.
type attr struct {
	name string
	one  int64
	many []int64
}

func (m *Model) node(op, out string, in ...Value) { m.nodeWith(op, out, nil, in...) }

func (m *Model) nodeWith(op, out string, attrs []attr, in ...Value) {
	var n message
	for _, v := range in {
		n = n.text(1, string(v))
	}
	n = n.text(2, out).text(4, op)
	for _, a := range attrs {
		b := message(nil).text(1, a.name)
		if a.many == nil {
			b = b.varint(3, uint64(a.one)).varint(20, 2)
		} else {
			for _, i := range a.many {
				b = b.varint(8, uint64(i))
			}
			b = b.varint(20, 7)
		}
		n = n.bytes(5, b)
	}
	m.graph = m.graph.bytes(1, n)
}

// Op adds an operation without attributes and returns its output.
func (m *Model) Op(op string, in ...Value) Value {
	out := m.name()
	m.node(op, out, in...)
	return Value(out)
}

// Cast converts the type of v.
func (m *Model) Cast(v Value, kind int) Value {
	out := m.name()
	m.nodeWith("Cast", out, []attr{{name: "to", one: int64(kind)}}, v)
	return Value(out)
}

// Mean is the mean over an axis, which stays with length 1 if keep.
func (m *Model) Mean(v Value, axis int64, keep bool) Value {
	out, k := m.name(), int64(0)
	if keep {
		k = 1
	}
	m.nodeWith("ReduceMean", out, []attr{{name: "axes", many: []int64{axis}}, {name: "keepdims", one: k}}, v)
	return Value(out)
}

// Gather picks from v along axis 0.
func (m *Model) Gather(v, index Value) Value {
	out := m.name()
	m.nodeWith("Gather", out, []attr{{name: "axis", one: 0}}, v, index)
	return Value(out)
}

// Concat joins values along an axis.
func (m *Model) Concat(axis int64, v ...Value) Value {
	out := m.name()
	m.nodeWith("Concat", out, []attr{{name: "axis", one: axis}}, v...)
	return Value(out)
}

// Meta adds a property.
func (m *Model) Meta(key, value string) {
	m.meta = m.meta.bytes(14, message(nil).text(1, key).text(2, value))
}

// Bytes is the model as a file.
func (m *Model) Bytes() []byte {
	opset := message(nil).varint(2, 13)
	graph := append(message(nil).text(2, "test"), m.graph...)
	return append(message(nil).varint(1, 7).bytes(7, graph).bytes(8, opset), m.meta...)
}

// Write writes a file of a test.
func Write(tb testing.TB, path string, data []byte) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		tb.Fatal(err)
	}
}

// Pad makes a model's file exactly size bytes long and leaves what the model does
// as it is: where a store knows how long a file has to be.
func Pad(tb testing.TB, path string, size int64) {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	const documentation = 6
	for head := 2; head < 12; head++ { // of the field: its length is written in as many bytes as it takes
		fill := int(size) - len(data) - head
		if padded := message(data).bytes(documentation, make([]byte, max(fill, 0))); int64(len(padded)) == size {
			Write(tb, path, padded)
			return
		}
	}
	tb.Fatalf("a model of %d bytes cannot be made %d long", len(data), size)
}
