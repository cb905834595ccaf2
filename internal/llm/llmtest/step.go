package llmtest

import (
	"encoding/json"
	"time"
)

// Step is one scripted answer. Make it with Reply, ToolCall, Calls, Fail, Drop,
// Garbage or Empty and refine it with its methods, or fill it by hand; the zero
// Step is an answer that holds nothing.
type Step struct {
	Text  string // the reply, before any tool calls
	Tools []Call

	First    time.Duration // wait before the answer's head is sent
	Between  time.Duration // wait before each further chunk
	ChunkLen int           // runes a chunk of text; 0 means 6
	Shape    Shape         // how tool calls are cut up
	Usage    Usage         // the shape of the usage

	Status int    // not 0: an HTTP error with Body
	Body   string // of an error, or the raw stream when Raw
	Type   string // Content-Type; "" means what fits
	Raw    bool   // Body is sent as the stream, as it is

	DropBefore bool // close the connection without an answer
	DropAfter  int  // not 0: close it after so many chunks
	NoDone     bool // leave out [DONE]
	NoFinish   bool // leave out the finish reason
}

// Call is one tool call of a Step. An empty ID becomes call_<request>_<n>.
type Call struct{ ID, Name, Args string }

// Shape is how a server cuts tool calls into chunks.
type Shape int

// Shapes seen in the wild.
const (
	Fragments Shape = iota // id and name first, then the arguments in pieces, by index
	Whole                  // each call in one chunk, the last with the finish reason in it
	NoIndex                // pieces without an index
	IndexZero              // whole calls, each with index 0
	NoIDs                  // whole calls without index and id
)

// Usage is the shape in which a server reports tokens (R40).
type Usage int

// Usage shapes.
const (
	UsageOpenAI    Usage = iota // prompt_tokens_details.cached_tokens, in a last chunk without choices
	UsageDeepSeek               // prompt_cache_hit_tokens and prompt_cache_miss_tokens
	UsageAnthropic              // input_tokens beside cache_read_input_tokens
	UsageFlat                   // cached_tokens beside prompt_tokens
	UsageInChoice               // as UsageFlat, inside the last choice
	UsageNone                   // not at all
)

// Reply answers with text.
func Reply(text string) Step { return Step{Text: text} }

// ToolCall answers with one tool call; args is a JSON text, or anything else to
// test broken ones.
func ToolCall(name, args string) Step { return Calls(Call{Name: name, Args: args}) }

// Calls answers with several tool calls.
func Calls(calls ...Call) Step { return Step{Tools: calls} }

// Fail answers with an HTTP error status and body. A body that is not JSON is
// put into OpenAI's error object.
func Fail(status int, body string) Step {
	if !json.Valid([]byte(body)) {
		message, _ := json.Marshal(body)
		body = `{"error":{"message":` + string(message) + `,"type":"error","code":null}}`
	}
	return Step{Status: status, Body: body}
}

// Drop closes the connection without an answer.
func Drop() Step { return Step{DropBefore: true} }

// Garbage answers status 200 and sends raw as the stream.
func Garbage(raw string) Step { return Step{Raw: true, Body: raw} }

// Empty answers with a choice that holds neither text nor tool call.
func Empty() Step { return Step{} }

// After delays the answer's head.
func (s Step) After(d time.Duration) Step { s.First = d; return s }

// Every delays each further chunk.
func (s Step) Every(d time.Duration) Step { s.Between = d; return s }

// InChunks cuts the text into chunks of so many runes.
func (s Step) InChunks(runes int) Step { s.ChunkLen = runes; return s }

// In chooses how tool calls are cut up.
func (s Step) In(shape Shape) Step { s.Shape = shape; return s }

// Billed chooses the shape of the usage.
func (s Step) Billed(u Usage) Step { s.Usage = u; return s }

// DroppedAfter closes the connection after so many chunks of the answer.
func (s Step) DroppedAfter(chunks int) Step { s.DropAfter = chunks; return s }

// Script answers the requests in order; the one after the last gets an HTTP 500
// that says so.
func Script(steps ...Step) func(Request) Step {
	return func(r Request) Step {
		if r.Number >= len(steps) {
			return Fail(500, "llmtest: the script has no more steps")
		}
		return steps[r.Number]
	}
}

// Always gives every request the same answer, so a tool call goes on for ever.
func Always(s Step) func(Request) Step { return func(Request) Step { return s } }
