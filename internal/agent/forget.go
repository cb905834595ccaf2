package agent

import (
	"context"
	"errors"
)

// Member is somebody who has a profile or said something.
type Member struct {
	ID      string
	Profile bool
}

// ErrModeActive: what would be forgotten belongs to a mode that is still on.
var ErrModeActive = errors.New("a run mode is active")

// Members lists who is known, by id.
func (a *Agent) Members() ([]Member, error) { return nil, nil }

// ForgetSession forgets a mode session that ended.
func (a *Agent) ForgetSession(ctx context.Context, sessionID string) error { return ErrModeActive }

// ForgetMember forgets a person.
func (a *Agent) ForgetMember(ctx context.Context, id string) error { return ErrModeActive }

// ForgetAll forgets everybody.
func (a *Agent) ForgetAll(ctx context.Context) error { return ErrModeActive }
