package config

import (
	"fmt"
	"io"
	"log/slog"
)

// mask is what is shown in place of a secret that is set.
const mask = "***"

// Secret is text that is never shown: however it is printed, logged or encoded,
// it is "***", or "" when it is not set. Only Reveal tells it. The zero value is
// not set.
type Secret struct {
	// A pointer, because fmt prints the fields of unexported fields without
	// asking their methods; then it shows an address.
	text *string
}

var (
	_ fmt.Formatter  = Secret{}
	_ slog.LogValuer = Secret{}
)

// NewSecret wraps text; empty text is a secret that is not set.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{text: &text}
}

// Reveal returns the text. Hand it to the one place that sends it, nowhere else.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Set reports whether there is a secret.
func (s Secret) Set() bool { return s.text != nil }

// String returns the mask.
func (s Secret) String() string {
	if !s.Set() {
		return ""
	}
	return mask
}

// GoString returns the mask, quoted.
func (s Secret) GoString() string { return fmt.Sprintf("%q", s.String()) }

// Format writes the mask, whatever the verb.
func (s Secret) Format(f fmt.State, verb rune) {
	if verb == 'q' || f.Flag('#') {
		_, _ = io.WriteString(f, s.GoString())
		return
	}
	_, _ = io.WriteString(f, s.String())
}

// MarshalText gives every encoder the mask (JSON, TOML, XML, YAML, …).
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalJSON gives the mask.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(s.GoString()), nil }

// LogValue gives the mask to log/slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
