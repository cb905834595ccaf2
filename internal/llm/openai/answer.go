package openai

import (
	"errors"
	"fmt"
	"strings"

	"homebot/internal/llm"
)

// maxCalls bounds the tool calls of one answer; more is a model gone wild.
const maxCalls = 64

// nonsense is an answer that could not be understood: llm.ErrNonsense.
type nonsense string

func (n nonsense) Error() string { return string(n) }

// refusal is an error that the server put into the stream: llm.ErrRefused.
type refusal string

func (r refusal) Error() string { return string(r) }

// answer reads the lines of one stream and hands out its deltas.
type answer struct {
	emit    func(llm.Delta) bool
	turn    int // number of messages asked with; makes ids of calls unlike those before
	thought thoughtFilter
	calls   callList
	usage   *llm.Usage
	reason  string // why the model stopped; "" while it goes on
	spoke   bool   // something but white space was said
}

func newAnswer(messages int, emit func(llm.Delta) bool) *answer {
	return &answer{emit: emit, turn: messages}
}

// finished tells whether the model has said that it is done.
func (a *answer) finished() bool { return a.reason != "" }

// line takes the JSON of one event.
func (a *answer) line(raw []byte) error {
	if len(raw) == 0 {
		// The library's way to hand over an error object it cannot read.
		return refusal("the server reported an error")
	}
	c, err := parseChunk(raw)
	if err != nil {
		return nonsense("a line of the answer is not JSON")
	}
	if text := c.errorText(); text != "" {
		return refusal(text)
	}
	if u := c.usage(); u != nil {
		a.usage = u
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue // we never ask for more than one
		}
		if err := a.choice(choice); err != nil {
			return err
		}
	}
	return nil
}

func (a *answer) choice(c choice) error {
	part := c.Delta
	if !a.spoke && len(a.calls.calls) == 0 && part.empty() {
		part = c.Message // a server that does not stream
	}
	if err := a.say(a.thought.pass(string(part.Content) + string(part.Refusal))); err != nil {
		return err
	}
	for _, f := range part.ToolCalls {
		a.calls.add(f)
	}
	if len(a.calls.calls) > maxCalls {
		return nonsense(fmt.Sprintf("more than %d tool calls at once", maxCalls))
	}
	if c.FinishReason == "error" {
		return refusal("the server broke the answer off with an error")
	}
	if c.FinishReason != "" {
		a.reason = string(c.FinishReason)
	}
	return nil
}

func (a *answer) say(text string) error {
	if text == "" {
		return nil
	}
	a.spoke = a.spoke || strings.TrimSpace(text) != ""
	if !a.emit(llm.Delta{Text: text}) {
		return errStopped
	}
	return nil
}

// end hands out what is only known at the end: tool calls, then the usage.
func (a *answer) end() error {
	if err := a.say(a.thought.rest()); err != nil {
		return err
	}
	calls := a.calls.whole(a.turn)
	for i := range calls {
		if !a.emit(llm.Delta{ToolCall: &calls[i]}) {
			return errStopped
		}
	}
	if a.usage != nil && !a.emit(llm.Delta{Usage: a.usage}) {
		return errStopped
	}
	switch {
	case a.spoke || len(calls) > 0:
		return nil
	case a.reason == "content_filter":
		return refusal("the answer was withheld by the server's content filter")
	}
	return errEmpty
}

var errEmpty = errors.New("the answer holds neither text nor a tool call")
