//go:build cgo && linux && (amd64 || arm64) && !nosherpa

package sherpa

// The libraries lie in the module cache, which a moved binary does not have:
// they are looked for beside it first.

// #cgo LDFLAGS: -Wl,-rpath,$ORIGIN/lib -Wl,-rpath,$ORIGIN
import "C"

import sherpa "github.com/k2-fsa/sherpa-onnx-go-linux"

// Version of the library, for doctor.
func Version() string { return sherpa.GetVersion() + " onnxruntime " + sherpa.GetOnnxruntimeVersion() }
