package event

// TurnMeasured is published when a turn is over and was heard; Measured.
const TurnMeasured Kind = "turn_measured"

// What the stages of a Measured are counted from.
const (
	SinceSpeechEnd = "speech_end" // somebody stopped speaking
	SinceFinal     = "final"      // the words came; when they ended is not known
	SinceArrival   = "arrival"    // a written message came
)

// Measured is the payload of TurnMeasured: where the time of one turn went. Each
// stage is in milliseconds after Since, so Wake is negative; one that there was
// not (no wake in a follow-up, no sound in a chat, no model asked) is absent.
type Measured struct {
	TurnID        string `json:"turn_id"`
	Channel       string `json:"channel"`
	Since         string `json:"since"`
	Wake          *int64 `json:"wake_ms,omitempty"`           // the wake word was noticed
	Endpoint      *int64 `json:"endpoint_ms,omitempty"`       // the utterance was found to be over
	Final         *int64 `json:"final_ms,omitempty"`          // its words came
	Request       *int64 `json:"request_ms,omitempty"`        // the first request to the model went out
	FirstToken    *int64 `json:"first_token_ms,omitempty"`    // the first words of the reply came
	FirstSentence *int64 `json:"first_sentence_ms,omitempty"` // its first sentence was whole
	FirstAudio    *int64 `json:"first_audio_ms,omitempty"`    // its sound was handed to the loudspeaker
	Done          *int64 `json:"done_ms,omitempty"`           // it was heard to its end, or broken off
	Prompt        *int   `json:"prompt_tokens,omitempty"`     // of all requests of the turn
	Cached        *int   `json:"cached_tokens,omitempty"`     // of those, from the provider's cache
}

// Stages are the stages that there were, in their order, with their names.
func (m Measured) Stages() (names []string, ms []int64) {
	for _, s := range []struct {
		name string
		at   *int64
	}{
		{"wake", m.Wake}, {"endpoint", m.Endpoint}, {"final", m.Final}, {"request", m.Request}, {"first_token", m.FirstToken},
		{"first_sentence", m.FirstSentence}, {"first_audio", m.FirstAudio}, {"done", m.Done},
	} {
		if s.at != nil {
			names, ms = append(names, s.name), append(ms, *s.at)
		}
	}
	return names, ms
}

// LogArgs are the keys and values of a log line.
func (m Measured) LogArgs() []any {
	args := []any{"turn", m.TurnID, "channel", m.Channel, "since", m.Since}
	names, ms := m.Stages()
	for i, n := range names {
		args = append(args, n, ms[i])
	}
	if m.Cached != nil {
		args = append(args, "prompt", *m.Prompt, "cached", *m.Cached)
	}
	return args
}
