package console

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"homebot/internal/phrases"
	"homebot/skills/timers"
	"homebot/voice"
)

// Contexts answers questions about the context engine (agent.Agent).
type Contexts interface {
	Inspect(ctx context.Context, what string, args json.RawMessage) (any, error)
}

// askExplain is agent.AskExplain.
const askExplain = "explain"

func (c *Console) getState(w http.ResponseWriter, _ *http.Request) error {
	reply(w, http.StatusOK, c.hub.snapshot())
	return nil
}

func (c *Console) postExit(w http.ResponseWriter, r *http.Request) error {
	patient(w)
	m, err := c.exitMode(r.Context(), "exit")
	if err != nil {
		return err
	}
	reply(w, http.StatusOK, map[string]any{"mode": m})
	return nil
}

func (c *Console) postDevice(w http.ResponseWriter, r *http.Request) error {
	var cmd command
	if err := c.body(w, r, maxBody, &cmd); err != nil {
		return err
	}
	if err := c.device(r.Context(), cmd); err != nil {
		return err
	}
	reply(w, http.StatusOK, c.sound(c.Bus.Snapshot()))
	return nil
}

// deviceError tells what a person can do about it.
func (c *Console) deviceError(err error) error {
	if errors.Is(err, voice.ErrBusy) {
		return refusal{http.StatusConflict, "not_now", phrases.ConsoleNotNow, nil}
	}
	return err
}

func (c *Console) getTimers(w http.ResponseWriter, r *http.Request) error {
	return c.timers(w, r, command{Action: timers.DoList})
}

func (c *Console) postTimer(w http.ResponseWriter, r *http.Request) error {
	var cmd command
	if err := c.body(w, r, maxBody, &cmd); err != nil {
		return err
	}
	cmd.Action = timers.DoSet
	return c.timers(w, r, cmd)
}

func (c *Console) deleteTimers(w http.ResponseWriter, r *http.Request) error {
	return c.timers(w, r, command{Action: timers.DoCancel, All: true})
}

func (c *Console) deleteTimer(w http.ResponseWriter, r *http.Request) error {
	return c.timers(w, r, command{Action: timers.DoCancel, Timer: r.PathValue("id")})
}

func (c *Console) postStop(w http.ResponseWriter, r *http.Request) error {
	return c.timers(w, r, command{Action: timers.DoStop})
}

func (c *Console) timers(w http.ResponseWriter, r *http.Request, cmd command) error {
	if cmd.Lang == "" {
		cmd.Lang = c.lang(r)
	}
	res, err := c.timer(r.Context(), cmd)
	if err != nil {
		return err
	}
	reply(w, http.StatusOK, map[string]any{"ok": res.OK, "reason": res.Reason, "say": res.Say, "timers": res.Timers})
	return nil
}

func (c *Console) postCook(w http.ResponseWriter, r *http.Request) error {
	var cmd command
	if err := c.body(w, r, maxBody, &cmd); err != nil {
		return err
	}
	if cmd.Lang == "" {
		cmd.Lang = c.lang(r)
	}
	patient(w)
	o, err := c.cook(c.stopped, cmd, nil)
	if err != nil {
		return err
	}
	w.Header().Set(contextHeader, o.Context)
	reply(w, http.StatusOK, map[string]any{"outcome": o, "cooking": c.hub.readCooking()})
	return nil
}

// getContext is `homebot context explain`.
func (c *Console) getContext(w http.ResponseWriter, r *http.Request) error {
	if c.Contexts == nil {
		return notFound()
	}
	last, err := strconv.Atoi(r.URL.Query().Get("last"))
	if err != nil || last < 1 {
		last = 20
	}
	args, err := json.Marshal(map[string]int{"last": min(last, 200)})
	if err != nil {
		return err
	}
	report, err := c.Contexts.Inspect(r.Context(), askExplain, args)
	if err != nil {
		return err
	}
	reply(w, http.StatusOK, report)
	return nil
}
