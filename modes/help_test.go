package modes_test

import (
	"context"
	"errors"
	"log/slog"

	"homebot/modes"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// failing is a plugin whose every hook fails.
func failing() modes.Plugin {
	err := &modes.HookError{File: "mode.star", Line: 3, Reason: "no such thing"}
	return modes.Plugin{
		ID:             "xmode",
		StaticPrompt:   func(context.Context, modes.Scope) (string, error) { return "", err },
		RuntimeContext: func(context.Context, modes.Scope) ([]modes.Field, error) { return nil, err },
		AfterExit:      func(context.Context, modes.Scope, modes.Ended) error { return errors.Join(err) },
	}
}
