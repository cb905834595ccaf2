// Package sherpa is the recogniser and the voice that need models of their own:
// any wake phrase, free speech in Mandarin and English, a human voice and who is
// speaking, all on the device, with sherpa-onnx.
//
// What the library does is behind small interfaces (backend.go), so that the
// rest builds and is tested everywhere; the library itself is in files built
// only with cgo and without the tag nosherpa. It ends the process on some
// damaged models: each is loaded in a child first (Probe).
package sherpa
