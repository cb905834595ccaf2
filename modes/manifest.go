package modes

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"

	"homebot/internal/lazyregexp"
	"homebot/internal/phrases"
)

// manifest is mode.json (R15).
type manifest struct {
	ID             string   `json:"id"`
	DisplayName    string   `json:"display_name"`
	Entrypoint     string   `json:"entrypoint"`
	Aliases        []string `json:"aliases"`
	SessionPrefix  string   `json:"session_prefix"`
	ContextProfile string   `json:"context_profile"`
	Tools          []string `json:"tools"`
	Expires        string   `json:"expires"`
	OnEnter        string   `json:"on_enter"`
}

var (
	idPattern      = lazyregexp.New(`^[a-z][a-z0-9-]{0,31}$`)
	expiresPattern = lazyregexp.New(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)
	aliasWord      = lazyregexp.New(`(?i)模式|\bmode\b`)
)

func parseManifest(data []byte) (Mode, *Broken) {
	var f manifest
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return Mode{}, jsonBroken(data, d.InputOffset(), err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		b := Broken{ID: validID(f.ID), Line: lineAt(data, d.InputOffset())}.Says(phrases.Errorf(phrases.ModeFileTwo))
		return Mode{}, &b
	}
	m := Mode{
		ID: f.ID, DisplayName: f.DisplayName, Aliases: f.Aliases, SessionPrefix: f.SessionPrefix,
		ContextProfile: f.ContextProfile, Tools: f.Tools, Expires: f.Expires, OnEnter: f.OnEnter, Entrypoint: f.Entrypoint,
	}
	if m.SessionPrefix == "" {
		m.SessionPrefix = m.ID
	}
	if m.Expires == "" {
		m.Expires = DefaultExpires
	}
	if key, why := f.wrong(m); why != nil {
		b := Broken{ID: validID(f.ID), Line: lineOfKey(data, key)}.Says(why)
		return Mode{}, &b
	}
	return m, nil
}

// wrong names the first key of f that must not be so, and the way out.
func (f manifest) wrong(m Mode) (key string, why error) {
	switch {
	case !idPattern.MatchString(f.ID):
		return "id", phrases.Errorf(phrases.ModeFileID, f.ID)
	case slices.Contains(reservedIDs, f.ID):
		return "id", phrases.Errorf(phrases.ModeFileReserved, f.ID)
	case strings.TrimSpace(f.DisplayName) == "":
		return "display_name", phrases.Errorf(phrases.ModeFileNoName, "学习模式")
	case !idPattern.MatchString(m.SessionPrefix):
		return "session_prefix", phrases.Errorf(phrases.ModeFilePrefix, f.SessionPrefix)
	case !expiresPattern.MatchString(m.Expires):
		return "expires", phrases.Errorf(phrases.ModeFileExpires, f.Expires)
	case !slices.Contains([]string{"", "full", "compact", "minimal"}, f.ContextProfile):
		return "context_profile", phrases.Errorf(phrases.ModeFileProfile, f.ContextProfile)
	}
	for i, n := range m.Names() {
		if strings.ContainsFunc(n, unicode.IsControl) || strings.ContainsAny(n, "[]") || len([]rune(n)) > maxNameRunes {
			return []string{"display_name", "aliases"}[min(i, 1)], phrases.Errorf(phrases.ModeFileName, n, maxNameRunes)
		}
	}
	for _, a := range f.Aliases {
		if !aliasWord.MatchString(a) {
			return "aliases", phrases.Errorf(phrases.ModeFileAlias, a, "模式")
		}
	}
	return "entrypoint", f.wrongEntrypoint()
}

var entrypointPattern = lazyregexp.New(`^(builtin:[a-z][a-z0-9-]*|mode\.star:[A-Za-z_][A-Za-z0-9_]*)$`)

// wrongEntrypoint looks at the form only; plug looks for what it names.
func (f manifest) wrongEntrypoint() error {
	switch {
	case f.Entrypoint == "" || entrypointPattern.MatchString(f.Entrypoint):
		return nil
	case strings.Contains(f.Entrypoint, ".py"):
		return phrases.Errorf(phrases.ModeFilePython)
	default:
		return phrases.Errorf(phrases.ModeFileEntry, f.Entrypoint)
	}
}

// reservedIDs are directories of a workspace that are no mode's data.
var reservedIDs = []string{"modes", "sessions", "members", "skills", "context", "timers", "logs", "cache", "data"}

// maxNameRunes bounds a name that people say.
const maxNameRunes = 32

func validID(id string) string {
	if idPattern.MatchString(id) {
		return id
	}
	return ""
}

func jsonBroken(data []byte, offset int64, err error) *Broken {
	var se *json.SyntaxError
	var te *json.UnmarshalTypeError
	why, line := err, 0
	switch {
	case errors.As(err, &se):
		offset, why = se.Offset, phrases.Errorf(phrases.ModeFileNoJSON, se)
	case errors.As(err, &te) && te.Field == "":
		offset, why = te.Offset, phrases.Errorf(phrases.ModeFileNoObject, te.Value)
	case errors.As(err, &te):
		offset, why = te.Offset, phrases.Errorf(phrases.ModeFileType, te.Field, te.Type, te.Value)
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		key := strings.Trim(strings.TrimPrefix(err.Error(), "json: unknown field "), `"`)
		line, why = lineOfKey(data, key), phrases.Errorf(phrases.ModeFileNoKey, key)
	case len(bytes.TrimSpace(data)) == 0:
		why = phrases.Errorf(phrases.ModeFileEmpty)
	}
	b := Broken{Line: cmp.Or(line, lineAt(data, offset))}.Says(why)
	return &b
}

func lineAt(data []byte, offset int64) int {
	offset = min(max(offset, 0), int64(len(data)))
	return 1 + bytes.Count(data[:offset], []byte("\n"))
}

// lineOfKey finds the line where a key stands, 1 when it is missing.
func lineOfKey(data []byte, key string) int {
	i := bytes.Index(data, []byte(`"`+key+`"`))
	if i < 0 {
		return 1
	}
	return 1 + bytes.Count(data[:i], []byte("\n"))
}
