//go:build !cgo || !linux || !(amd64 || arm64) || nosherpa

package sherpa

// Version is the library's, for doctor; "" in a build without it.
func Version() string { return "" }

// library answers ErrNotBuilt.
var library loader = none{}

type none struct{}

func (none) detector(string) (detector, error)   { return nil, ErrNotBuilt }
func (none) embedder(string) (embedder, error)   { return nil, ErrNotBuilt }
func (none) speaker(voiceModel) (speaker, error) { return nil, ErrNotBuilt }
func (none) spotter(spotterModel) (func() spotter, func(), error) {
	return nil, nil, ErrNotBuilt
}
func (none) transcriber(transcriberModel) (func() transcriber, func(), error) {
	return nil, nil, ErrNotBuilt
}
