package console

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"slices"

	"homebot/internal/agent"
	"homebot/internal/conversation"
	"homebot/internal/phrases"
	"homebot/modes"
)

// History has the sessions that ended (modes.Archive).
type History interface {
	List(modeID string) ([]modes.Finished, error)
	Find(sessionID string) (modes.Finished, error)
	Turns(f modes.Finished) ([]conversation.Record, error)
	Markdown(f modes.Finished) (string, error)
	Matches(f modes.Finished, query string) bool
}

// People is who forgets, under the locks of what is forgotten (agent.Agent).
// Missing is fs.ErrNotExist; agent.ErrModeActive: not while a mode is on.
type People interface {
	Members() ([]agent.Member, error)
	ForgetSession(ctx context.Context, sessionID string) error
	ForgetMember(ctx context.Context, id string) error
	ForgetAll(ctx context.Context) error
}

func sessionLine(f modes.Finished) SessionLine {
	return SessionLine{f.SessionID, f.ModeID, f.StartedAt, f.EndedAt, f.Reason, f.Line}
}

// historyDays are the sessions that match a query, by the day they began.
func (c *Console) historyDays(query string) ([]HistoryDay, error) {
	if c.History == nil {
		return []HistoryDay{}, nil
	}
	if len(query) > 200 {
		return nil, badCommand(phrases.ConsoleLong, "q")
	}
	all, err := c.History.List("")
	if err != nil {
		return nil, err
	}
	days := []HistoryDay{}
	for _, f := range all {
		if query != "" && !c.History.Matches(f, query) {
			continue
		}
		day := f.StartedAt.Format("2006-01-02")
		if len(days) == 0 || days[len(days)-1].Day != day {
			days = append(days, HistoryDay{Day: day})
		}
		last := &days[len(days)-1]
		last.Sessions = append(last.Sessions, sessionLine(f))
	}
	return days, nil
}

func (c *Console) getHistory(w http.ResponseWriter, r *http.Request) error {
	days, err := c.historyDays(r.URL.Query().Get("q"))
	if err != nil {
		return err
	}
	reply(w, http.StatusOK, map[string]any{"days": days})
	return nil
}

// finished is the session that a request names.
func (c *Console) finished(r *http.Request) (modes.Finished, error) {
	if c.History == nil {
		return modes.Finished{}, notFound()
	}
	f, err := c.History.Find(r.PathValue("id"))
	return f, missing(err)
}

func notFound() error {
	return refusal{http.StatusNotFound, "not_found", phrases.ConsoleNotFound, nil}
}

// missing tells what is not there from what cannot be read.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return notFound()
	}
	return err
}

func (c *Console) sessionDoc(r *http.Request) (SessionDoc, error) {
	f, err := c.finished(r)
	if err != nil {
		return SessionDoc{}, err
	}
	turns, err := c.History.Turns(f)
	if err != nil {
		return SessionDoc{}, err
	}
	d := SessionDoc{SessionLine: sessionLine(f), Summary: f.Text, Source: f.Source, Turns: []Line{}}
	for _, t := range turns {
		d.Turns = append(d.Turns, Line{
			ID: t.ID, At: t.Timestamp, Channel: t.Channel, Speaker: t.SpeakerID, User: t.User, Assistant: t.Assistant, Failed: t.Failed,
		})
	}
	return d, nil
}

func (c *Console) getSession(w http.ResponseWriter, r *http.Request) error {
	d, err := c.sessionDoc(r)
	if err != nil {
		return err
	}
	reply(w, http.StatusOK, d)
	return nil
}

// getExport gives a session as a file to keep.
func (c *Console) getExport(w http.ResponseWriter, r *http.Request) error {
	format := r.URL.Query().Get("format")
	if format == "" {
		format = "md"
	}
	if !slices.Contains([]string{"md", "json"}, format) {
		return badCommand(phrases.ConsoleOneOf, "format", "md, json")
	}
	d, err := c.sessionDoc(r)
	if err != nil {
		return err
	}
	var data []byte
	if format == "json" {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		data, err = json.MarshalIndent(d, "", "  ")
	} else {
		w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		var f modes.Finished
		if f, err = c.finished(r); err == nil {
			var text string
			text, err = c.History.Markdown(f)
			data = []byte(text)
		}
	}
	if err != nil {
		return err
	}
	// The id has the form of R24: no quote, no line end.
	w.Header().Set("Content-Disposition", `attachment; filename="`+d.ID+"."+format+`"`)
	_, err = w.Write(data)
	return ignoreGone(err)
}

func (c *Console) deleteSession(w http.ResponseWriter, r *http.Request) error {
	f, err := c.finished(r)
	if err != nil {
		return err
	}
	return c.forgot(w, func(p People) error { return p.ForgetSession(r.Context(), f.SessionID) })
}

// forgot carries out one forgetting.
func (c *Console) forgot(w http.ResponseWriter, forget func(People) error) error {
	if c.People == nil {
		return notFound()
	}
	patient(w)
	err := forget(c.People)
	if errors.Is(err, agent.ErrModeActive) {
		return refusal{http.StatusConflict, "mode_active", phrases.ConsoleModeActive, nil}
	}
	if err != nil {
		return missing(err)
	}
	c.hub.forget()
	if c.Device != nil {
		c.Device.Forget()
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (c *Console) members() ([]Member, error) {
	list := []Member{}
	if c.People == nil {
		return list, nil
	}
	all, err := c.People.Members()
	for _, m := range all {
		list = append(list, Member{m.ID, m.Profile})
	}
	return list, err
}

func (c *Console) getMembers(w http.ResponseWriter, _ *http.Request) error {
	list, err := c.members()
	if err != nil {
		return err
	}
	reply(w, http.StatusOK, map[string]any{"members": list})
	return nil
}

func (c *Console) deleteMember(w http.ResponseWriter, r *http.Request) error {
	return c.forgot(w, func(p People) error { return p.ForgetMember(r.Context(), r.PathValue("id")) })
}

func (c *Console) postForget(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Confirm string `json:"confirm"`
	}
	if err := c.body(w, r, maxBody, &in); err != nil {
		return err
	}
	if in.Confirm != "everything" {
		return refusal{http.StatusBadRequest, "not_confirmed", phrases.ConsoleConfirm, nil}
	}
	return c.forgot(w, func(p People) error { return p.ForgetAll(r.Context()) })
}
