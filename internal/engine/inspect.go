package engine

import (
	"context"
	"encoding/json"
	"strings"

	"homebot/internal/phrases"
)

// opInspect is answered by one report.
const opInspect = "inspect"

// Inspector is what an Agent may also be: Inspect answers a question of an
// operator with a value that has a JSON form.
type Inspector interface {
	Inspect(ctx context.Context, what string, args json.RawMessage) (any, error)
}

// inspection is one question.
type inspection struct {
	What string          `json:"what"`
	Args json.RawMessage `json:"args,omitempty"`
}

// consolePrefix begins the questions that the console answers.
const consolePrefix = "console/"

func (s *session) inspect(ctx context.Context, q inspection) error {
	in, ok := s.agent.(Inspector)
	if strings.HasPrefix(q.What, consolePrefix) {
		in, ok = s.console, s.console != nil
	}
	if !ok {
		return s.send(failed(phrases.Errorf(phrases.EngineNotAsked)))
	}
	answer, err := in.Inspect(ctx, q.What, q.Args)
	if err != nil {
		return s.send(failed(err))
	}
	data, err := json.Marshal(answer)
	if err != nil {
		return s.send(failed(err))
	}
	return s.send(response{Report: data})
}

// Inspect asks what of the agent (agent.Inspect) and reads its answer into into.
func (c *Client) Inspect(what string, args, into any) error {
	data, err := json.Marshal(args)
	if err != nil {
		return err
	}
	r, err := c.ask(request{Op: opInspect, Inspect: &inspection{what, data}})
	if err != nil {
		return err
	}
	if len(r.Report) == 0 {
		return phrases.Errorf(phrases.EngineOddAnswer)
	}
	return json.Unmarshal(r.Report, into)
}
