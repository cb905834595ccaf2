package voice

import "homebot/internal/text"

// maxUnanswered is how many follow-up windows in a row may pass without words
// that were understood: then the device stops asking (V3).
const maxUnanswered = 2

// After says whether the device listens after a reply (V3): as the model
// proposed; without a proposal only if the last sentence is a question that is
// not a courtesy, and unless unanswered such questions in a row, two or more,
// brought nothing. reply is without the marker. Voice and text channel share it.
func After(next Next, reply string, unanswered int) bool {
	switch next {
	case Continue:
		return true
	case End:
		return false
	}
	return unanswered < maxUnanswered &&
		text.EndsWithQuestion(reply) && !text.IsCourtesy(text.LastSentence(reply))
}
