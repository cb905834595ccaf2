package config

import (
	"strconv"
	"strings"
	"time"

	"homebot/internal/phrases"
)

// value is one setting inside a Config.
type value interface {
	// set takes what TOML (or, as a string, the environment) has. Its error is
	// "what is wrong; the way out" and never holds a secret. After an error the
	// setting is as it was.
	set(raw any) error
	// toml returns the setting as TOML, secrets masked.
	toml() string
}

// text is a string; check may be nil.
type text struct {
	to    *string
	check func(string) error
}

func (v *text) set(raw any) error {
	s, ok := raw.(string)
	if !ok {
		return wrongType(raw, phrases.ConfigWantText)
	}
	if err := printable(s); err != nil {
		return err
	}
	if v.check != nil {
		if err := v.check(s); err != nil {
			return err
		}
	}
	*v.to = s
	return nil
}

func (v *text) toml() string { return quote(*v.to) }

// hidden is a Secret; check may be nil and must not tell it.
type hidden struct {
	to    *Secret
	check func(string) error
}

func (v *hidden) set(raw any) error {
	s, ok := raw.(string)
	if !ok {
		return wrongType(raw, phrases.ConfigWantText)
	}
	if printable(s) != nil || strings.TrimSpace(s) != s {
		return phrases.Errorf(phrases.ConfigBadSecret)
	}
	if v.check != nil && s != "" {
		if err := v.check(s); err != nil {
			return err
		}
	}
	*v.to = NewSecret(s)
	return nil
}

func (v *hidden) toml() string { return v.to.GoString() }

// flag is true or false.
type flag struct{ to *bool }

func (v *flag) set(raw any) error {
	b, ok := raw.(bool)
	if !ok {
		return wrongType(raw, phrases.ConfigWantFlag)
	}
	*v.to = b
	return nil
}

func (v *flag) toml() string { return strconv.FormatBool(*v.to) }

// number is a whole number from low to high.
type number struct {
	to        *int
	low, high int
}

func (v *number) set(raw any) error {
	n, ok := raw.(int64)
	if !ok {
		return wrongType(raw, phrases.ConfigWantWhole)
	}
	if n < int64(v.low) || n > int64(v.high) {
		return phrases.Errorf(phrases.ConfigNumberRange, n, v.low, v.high)
	}
	*v.to = int(n)
	return nil
}

func (v *number) toml() string { return strconv.Itoa(*v.to) }

// duration is text like "700ms", from low to high.
type duration struct {
	to        *time.Duration
	low, high time.Duration
}

func (v *duration) set(raw any) error {
	s, ok := raw.(string)
	if !ok {
		return wrongType(raw, phrases.ConfigWantDuration)
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return phrases.Errorf(phrases.ConfigNoDuration, quote(clip(s)))
	}
	if d < v.low || d > v.high {
		return phrases.Errorf(phrases.ConfigDurationRange, quote(clip(s)), short(v.low), short(v.high))
	}
	*v.to = d
	return nil
}

func (v *duration) toml() string { return quote(short(*v.to)) }

// list is a list of strings; check sees all of it.
type list struct {
	to    *[]string
	check func([]string) error
}

func (v *list) set(raw any) error {
	items, ok := raw.([]any)
	if !ok {
		return wrongType(raw, phrases.ConfigWantList)
	}
	var all []string // nil as by default when there are none
	if len(items) > 0 {
		all = make([]string, len(items))
	}
	for i, item := range items {
		if all[i], ok = item.(string); !ok {
			return phrases.Errorf(phrases.ConfigItemKind, i+1, kindOf(item))
		}
		if err := printable(all[i]); err != nil {
			return phrases.Errorf(phrases.ConfigItem, i+1, err)
		}
	}
	if err := v.check(all); err != nil {
		return err
	}
	*v.to = all
	return nil
}

func (v *list) toml() string {
	quoted := make([]string, len(*v.to))
	for i, s := range *v.to {
		quoted[i] = quote(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// wrongType says of which type raw is, and what is wanted.
func wrongType(raw any, want phrases.Phrase) error {
	return phrases.Errorf(phrases.ConfigWrongKind, kindOf(raw), want)
}

// kindOf names a TOML value for a person.
func kindOf(raw any) phrases.Phrase {
	switch raw.(type) {
	case string:
		return phrases.ConfigIsText
	case int64, float64:
		return phrases.ConfigIsNumber
	case bool:
		return phrases.ConfigIsFlag
	case []any:
		return phrases.ConfigIsList
	case map[string]any:
		return phrases.ConfigIsTable
	}
	return phrases.ConfigIsTime
}

// printable refuses control characters: no name, address or phrase has any.
func printable(s string) error {
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029 }) {
		return phrases.Errorf(phrases.ConfigControl)
	}
	return nil
}

// quote returns s as a TOML string. s is printable, so that Go's quoting of \ and
// " is all it takes.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// clip keeps what a person wrote short and printable inside a message.
func clip(s string) string { return line(s, 40) }

// line makes s one printable line of at most so many characters.
func line(s string, most int) string {
	s = strings.ToValidUTF8(strings.Map(func(r rune) rune {
		if printable(string(r)) != nil {
			return '?'
		}
		return r
	}, s), "?")
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// short writes 2m0s as 2m.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
