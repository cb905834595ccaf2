package console

import (
	"context"
	"encoding/json"
	"slices"

	"homebot/internal/console/door"
	"homebot/internal/phrases"
)

// What Inspect answers: the questions of `homebot pair`, which come over the
// workspace's socket and so from the device's owner. All begin with AskPrefix.
const (
	AskPrefix = "console/"

	AskCode   = AskPrefix + "code"   // CodeQuery → CodeReport
	AskAccess = AskPrefix + "access" // nil → AccessReport
	AskRevoke = AskPrefix + "revoke" // RevokeQuery → nil
	AskToken  = AskPrefix + "token"  // TokenQuery → TokenReport
)

// CodeQuery asks for a code; Speak lets the device say it too.
type CodeQuery struct {
	Speak bool `json:"speak"`
}

// CodeReport is a way in: a code to type, and a link that needs none. Address is
// "" while no console runs.
type CodeReport struct {
	Code    string `json:"code"`
	Seconds int    `json:"seconds"`
	Spoken  bool   `json:"spoken"`
	Link    string `json:"link"`
	Address string `json:"address"`
	HTTPS   string `json:"https"`
}

// AccessReport is who is let in.
type AccessReport struct {
	Access []Access `json:"access"`
}

// RevokeQuery names one that is let in no more; All: everybody.
type RevokeQuery struct {
	ID  string `json:"id"`
	All bool   `json:"all"`
}

// TokenQuery asks for a token for a program.
type TokenQuery struct {
	Name  string `json:"name"`
	Scope string `json:"scope"`
}

// TokenReport has it; it is shown this once.
type TokenReport struct {
	ID    string `json:"id"`
	Token string `json:"token"`
}

// Inspect answers `homebot pair`. Any goroutine may call it.
func (c *Console) Inspect(ctx context.Context, what string, args json.RawMessage) (any, error) {
	switch what {
	case AskCode:
		return answer(args, func(q CodeQuery) (CodeReport, error) { return c.reportCode(ctx, q) })
	case AskAccess:
		return c.reportAccess()
	case AskRevoke:
		return answer(args, func(q RevokeQuery) (struct{}, error) { return struct{}{}, c.revoke(q) })
	case AskToken:
		return answer(args, c.reportToken)
	}
	return nil, phrases.Errorf(phrases.EngineUnknownQuestion, what)
}

func answer[Q, A any](args json.RawMessage, f func(Q) (A, error)) (any, error) {
	var q Q
	if err := json.Unmarshal(args, &q); err != nil {
		return nil, err
	}
	return f(q)
}

func (c *Console) reportCode(ctx context.Context, q CodeQuery) (CodeReport, error) {
	code, err := c.door.NewCode(false)
	if err != nil {
		return CodeReport{}, err
	}
	at := c.Address()
	r := CodeReport{Code: code, Seconds: int(door.CodeLife.Seconds()), Address: at.HTTP, HTTPS: at.HTTPS, Link: c.Link()}
	if q.Speak && at.HTTP != "" {
		r.Spoken = c.speak(ctx, code)
	}
	return r, nil
}

// Link is an address that lets in once, for the person at the terminal; "" when
// no console runs. The key is behind #: browsers send it to nobody.
func (c *Console) Link() string {
	at := c.Address()
	if at.HTTP == "" {
		return ""
	}
	return at.HTTP + "/pair#key=" + c.door.NewKey()
}

func (c *Console) reportAccess() (AccessReport, error) {
	all, err := c.door.List()
	r := AccessReport{Access: []Access{}}
	for _, e := range all {
		r.Access = append(r.Access, accessOf(e))
	}
	return r, err
}

func (c *Console) revoke(q RevokeQuery) error {
	if !q.All {
		if q.ID == "" {
			return door.ErrUnknown
		}
		defer c.hub.endOf(q.ID)
		return c.door.Revoke(q.ID)
	}
	all, err := c.door.List()
	if err != nil {
		return err
	}
	defer func() {
		for _, e := range all {
			c.hub.endOf(e.ID)
		}
	}()
	return c.door.Revoke("")
}

func (c *Console) reportToken(q TokenQuery) (TokenReport, error) {
	if !slices.Contains(door.Scopes(), q.Scope) {
		return TokenReport{}, phrases.Errorf(phrases.ConsoleNoScope, q.Scope)
	}
	secret, e, err := c.door.Admit(door.Token, q.Name, q.Scope)
	return TokenReport{ID: e.ID, Token: secret}, err
}
