package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// answer writes one Step as a response.
type answer struct {
	w       http.ResponseWriter
	ctl     *http.ResponseController
	step    Step
	request Request
	wait    func(time.Duration) bool
	sent    int // chunks
}

// write sends the whole answer; its error means: end the connection here.
func (a *answer) write() error {
	if !a.wait(a.step.First) || a.step.DropBefore {
		return errDropped
	}
	switch {
	case a.step.Status != 0:
		a.head("application/json", a.step.Status)
		_, err := a.w.Write([]byte(a.step.Body))
		return err
	case a.step.Raw:
		a.head("text/event-stream", http.StatusOK)
		_, err := a.w.Write([]byte(a.step.Body))
		return err
	}
	a.head("text/event-stream", http.StatusOK)
	return a.stream()
}

func (a *answer) head(contentType string, status int) {
	if a.step.Type != "" {
		contentType = a.step.Type
	}
	a.w.Header().Set("Content-Type", contentType)
	a.w.WriteHeader(status)
}

func (a *answer) stream() error {
	chunks := a.chunks()
	for _, c := range chunks {
		if a.sent > 0 && !a.wait(a.step.Between) {
			return errDropped
		}
		if _, err := fmt.Fprintf(a.w, "data: %s\n\n", c); err != nil {
			return err
		}
		if err := a.ctl.Flush(); err != nil {
			return err
		}
		if a.sent++; a.sent == a.step.DropAfter {
			return errDropped
		}
	}
	if a.step.NoDone {
		return nil
	}
	if _, err := fmt.Fprint(a.w, "data: [DONE]\n\n"); err != nil {
		return err
	}
	return a.ctl.Flush() // servers send the end of the body by itself
}

type object = map[string]any

// chunks are the JSON objects of the stream, in order.
func (a *answer) chunks() [][]byte {
	var deltas []object
	for _, part := range cut(a.step.Text, a.step.ChunkLen) {
		deltas = append(deltas, object{"content": part})
	}
	deltas = append(deltas, a.callDeltas()...)
	if len(deltas) == 0 {
		deltas = append(deltas, object{"role": "assistant", "content": ""})
	}
	reason := "stop"
	if len(a.step.Tools) > 0 {
		reason = "tool_calls"
	}
	if a.step.Shape == Fragments || len(a.step.Tools) == 0 {
		deltas = append(deltas, object{}) // the finish reason in a chunk of its own
	}
	var out [][]byte
	for i, d := range deltas {
		choice := object{"index": 0, "delta": d, "finish_reason": nil}
		if last := i == len(deltas)-1; last && !a.step.NoFinish {
			choice["finish_reason"] = reason
			if a.step.Usage == UsageInChoice {
				choice["usage"] = a.usage()
			}
		}
		out = append(out, a.chunk(object{"choices": []object{choice}, "usage": nil}))
	}
	if a.step.Usage != UsageNone && a.step.Usage != UsageInChoice {
		out = append(out, a.chunk(object{"choices": []object{}, "usage": a.usage()}))
	}
	return out
}

func (a *answer) chunk(fields object) []byte {
	fields["id"] = fmt.Sprintf("chatcmpl-%d", a.request.Number)
	fields["object"] = "chat.completion.chunk"
	fields["created"] = 0
	fields["model"] = a.request.Model
	raw, err := json.Marshal(fields)
	if err != nil {
		panic("llmtest: " + err.Error()) // only strings, numbers and maps of them
	}
	return raw
}

// callDeltas writes the tool calls in the step's shape.
func (a *answer) callDeltas() []object {
	var deltas []object
	for i, c := range a.step.Tools {
		if c.ID == "" {
			c.ID = fmt.Sprintf("call_%d_%d", a.request.Number, i)
		}
		pieces := []string{c.Args}
		if a.step.Shape == Fragments || a.step.Shape == NoIndex {
			pieces = append([]string{""}, cut(c.Args, 7)...)
		}
		for n, piece := range pieces {
			deltas = append(deltas, object{"tool_calls": []object{a.piece(c, i, n, piece)}})
		}
	}
	return deltas
}

// piece is the n-th piece of call i.
func (a *answer) piece(c Call, i, n int, args string) object {
	function := object{"arguments": args}
	p := object{"function": function}
	switch a.step.Shape {
	case Fragments, Whole:
		p["index"] = i
	case IndexZero:
		p["index"] = 0
	}
	if n == 0 {
		function["name"] = c.Name
		p["type"] = "function"
		if a.step.Shape != NoIDs {
			p["id"] = c.ID
		}
	}
	return p
}

// usage is what the request and the answer were billed.
func (a *answer) usage() object {
	prompt, cached := a.request.Tokens, a.request.Cached
	completion := Tokens(a.step.Text)
	for _, c := range a.step.Tools {
		completion += Tokens(c.Name + c.Args)
	}
	u := object{"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
	switch a.step.Usage {
	case UsageDeepSeek:
		u["prompt_cache_hit_tokens"], u["prompt_cache_miss_tokens"] = cached, prompt-cached
	case UsageAnthropic:
		return object{"input_tokens": prompt - cached, "cache_read_input_tokens": cached, "output_tokens": completion}
	case UsageFlat, UsageInChoice:
		u["cached_tokens"] = cached
	default:
		u["prompt_tokens_details"] = object{"cached_tokens": cached}
	}
	return u
}

// cut divides text into pieces of n runes (6 when n is 0).
func cut(text string, n int) []string {
	if n <= 0 {
		n = 6
	}
	var parts []string
	for runes := []rune(text); len(runes) > 0; {
		k := min(n, len(runes))
		parts = append(parts, string(runes[:k]))
		runes = runes[k:]
	}
	return parts
}
