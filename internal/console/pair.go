package console

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"homebot/internal/console/door"
	"homebot/internal/phrases"
)

// speakWait bounds how long a page waits until the device begins to speak.
const speakWait = 3 * time.Second

// postCode lets the device speak a code: who hears it is in the room.
func (c *Console) postCode(w http.ResponseWriter, r *http.Request) error {
	code, err := c.door.NewCode(true)
	if err != nil {
		return doorError(err)
	}
	reply(w, http.StatusAccepted, map[string]any{"spoken": c.speak(r.Context(), code), "expires_in": int(door.CodeLife.Seconds())})
	return nil
}

// speak says a code, digit by digit and twice.
func (c *Console) speak(ctx context.Context, code string) bool {
	if c.Announcer == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, speakWait)
	defer cancel()
	digits := strings.Join(strings.Split(code, ""), "，")
	if c.Lang == phrases.English {
		digits = strings.Join(strings.Split(code, ""), ", ")
	}
	err := c.Announcer.Announce(ctx, phrases.ConsoleSpokenCode.In(c.Lang, digits, digits), c.Lang)
	if err != nil {
		c.Log.Warn("a pairing code is not spoken; homebot pair shows it", "err", err)
	}
	return err == nil
}

// doorError tells what a person can do about it.
func doorError(err error) error {
	switch {
	case errors.Is(err, door.ErrWrong):
		return refusal{http.StatusForbidden, "wrong_code", phrases.ConsoleWrongCode, nil}
	case errors.Is(err, door.ErrNoCode):
		return refusal{http.StatusForbidden, "no_code", phrases.ConsoleNoCode, nil}
	case errors.Is(err, door.ErrTooSoon):
		return refusal{http.StatusTooManyRequests, "too_many_codes", phrases.ConsoleTooManyCodes, nil}
	case errors.Is(err, door.ErrFull):
		return refusal{http.StatusConflict, "too_many_paired", phrases.ConsoleTooManyPaired, nil}
	case errors.Is(err, door.ErrUnknown):
		return notFound()
	}
	return err
}

// postPair lets a browser in that knows a code, the key of a link, or the token.
func (c *Console) postPair(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Code  string `json:"code"`
		Key   string `json:"key"`
		Token string `json:"token"`
		Name  string `json:"name"`
	}
	if err := c.body(w, r, 4<<10, &in); err != nil {
		return err
	}
	if !c.limits.allowPairing(remote(r)) {
		w.Header().Set("Retry-After", "60")
		return refusal{http.StatusTooManyRequests, "too_many_tries", phrases.ConsoleTooMany, nil}
	}
	if err := c.knows(in.Code, in.Key, in.Token); err != nil {
		c.Log.Warn("pairing refused", "from", remote(r), "err", err)
		return doorError(err)
	}
	name := in.Name
	if strings.TrimSpace(name) == "" {
		name = browserOf(r.UserAgent())
	}
	secret, e, err := c.door.Admit(door.Browser, name, door.All)
	if err != nil {
		return doorError(err)
	}
	c.Log.Info("a browser was paired", "id", e.ID, "name", e.Name, "from", remote(r))
	cookie := sessionCookie(r.TLS != nil)
	cookie.Value, cookie.Expires = secret, e.Expires
	http.SetCookie(w, cookie)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (c *Console) knows(code, key, token string) error {
	switch {
	case key != "":
		return c.door.Key(key)
	case token != "":
		if c.isToken(token) {
			return nil
		}
		return door.ErrWrong
	}
	return c.door.Code(code)
}

// browserOf is a short name for a browser that gave none.
func browserOf(agent string) string {
	for _, k := range []struct{ in, name string }{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"Macintosh", "Mac"}, {"Linux", "Linux"},
	} {
		if strings.Contains(agent, k.in) {
			return k.name
		}
	}
	return "browser"
}

// accessList is who is let in, as a page shows it.
func (c *Console) accessList(r *http.Request) ([]Access, error) {
	all, err := c.door.List()
	list := []Access{}
	for _, e := range all {
		a := accessOf(e)
		a.This = e.ID == entryOf(r).ID
		list = append(list, a)
	}
	return list, err
}

func accessOf(e door.Entry) Access {
	return Access{ID: e.ID, Kind: e.Kind, Name: e.Name, Scope: e.Scope, MadeAt: e.Made, SeenAt: e.Seen, ExpiresAt: e.Expires}
}

func (c *Console) getAccess(w http.ResponseWriter, r *http.Request) error {
	list, err := c.accessList(r)
	if err != nil {
		return err
	}
	reply(w, http.StatusOK, map[string]any{"access": list})
	return nil
}

func (c *Console) deleteAccess(w http.ResponseWriter, r *http.Request) error {
	if err := c.door.Revoke(r.PathValue("id")); err != nil {
		return doorError(err)
	}
	c.hub.endOf(r.PathValue("id"))
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// postLogout ends the sessions that the browser shows: over https also the one
// of http, while http does not get to see the other.
func (c *Console) postLogout(w http.ResponseWriter, r *http.Request) error {
	ends := []string{entryOf(r).ID}
	for _, secret := range sessions(r) {
		if e, in := c.door.Who(secret); in && e.ID != ends[0] {
			ends = append(ends, e.ID)
		}
	}
	for _, id := range ends {
		if err := c.door.Revoke(id); err != nil && !errors.Is(err, door.ErrUnknown) {
			return err
		}
		c.hub.endOf(id)
	}
	for _, secure := range []bool{false, true} {
		cookie := sessionCookie(secure)
		cookie.MaxAge = -1
		http.SetCookie(w, cookie)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// getCA gives the root certificate to install, by whom it does not matter: it is
// public.
func (c *Console) getCA(w http.ResponseWriter, _ *http.Request) error {
	a := c.authority()
	if a == nil {
		return refusal{http.StatusNotFound, "no_ca", phrases.ConsoleNoCA, nil}
	}
	w.Header().Set("Content-Type", "application/x-x509-ca-cert")
	w.Header().Set("Content-Disposition", `attachment; filename="homebot-ca.crt"`)
	_, err := w.Write(a.Root())
	return ignoreGone(err)
}
