package speech

import "errors"

// Stable codes of Failure (docs/PROTOCOL.md says what each means and whether
// the connection lives on).
const (
	CodeLost        = "lost"        // client only: no connection; Ready when it is back
	CodeRefused     = "refused"     // client only: token or origin refused; it keeps trying
	CodeOverrun     = "overrun"     // audio was dropped: the recogniser is slower than the audio
	CodeTooSlow     = "too_slow"    // too much was dropped; closed
	CodeSlowReader  = "slow_reader" // the client does not read; closed
	CodeBadMessage  = "bad_message" // not JSON, or fields of the wrong kind; closed
	CodeBadHello    = "bad_hello"   // hello missing, late, twice or out of limits; closed
	CodeBadFrame    = "bad_frame"   // audio of odd length or too long; closed
	CodeEngine      = "engine"      // the recogniser failed; closed
	CodeShutdown    = "shutdown"    // the server ends; closed
	CodeUnavailable = "unavailable" // no recogniser to be had; closed
)

// ErrLost is what Client's methods return while there is no connection.
var ErrLost = errors.New("speech server not connected")
