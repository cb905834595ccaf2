package sherpa

// Kinds of models, as the manifest names them.
const (
	KindZipformer  = "zipformer"  // streaming transducer
	KindSenseVoice = "sensevoice" // one utterance at a time
	KindMatcha     = "matcha"
	KindVITS       = "vits"
)

// What the library is told where nobody says otherwise. Boost and threshold of a
// keyword are the library's own defaults; the others are the figures of its
// examples. None was tuned here: there were no weights to tune with.
const (
	defaultBoost     = 1.0
	defaultThreshold = 0.25
	hotwordScore     = 1.5
	silenceScale     = 0.2 // of the pauses a voice makes
)
