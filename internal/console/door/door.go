// Package door decides who is let into the console: browsers that were paired
// and programs with a token.
//
// A Door keeps them in <workspace>/console/access.json, as SHA-256 of random
// secrets: who reads the file gets in nowhere. Codes to be spoken and keys of
// links live in memory only, briefly, and for few attempts.
package door

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"homebot/internal/phrases"
	"homebot/internal/store"
	"homebot/internal/text"
)

// Kinds of Entry.
const (
	Browser = "browser"
	Token   = "token"
)

// Scopes: what an Entry may do. Each includes those after it.
const (
	All     = "all"
	Read    = "read"
	Metrics = "metrics"
)

// Scopes lists them, the widest first.
func Scopes() []string { return []string{All, Read, Metrics} }

// Entry is one that is let in.
type Entry struct {
	ID      string    `json:"id"` // 8 hex digits, to speak of it
	Kind    string    `json:"kind"`
	Name    string    `json:"name"`
	Scope   string    `json:"scope"`
	Hash    string    `json:"hash"` // SHA-256 of its secret, hex
	Made    time.Time `json:"made_at"`
	Seen    time.Time `json:"seen_at"`
	Expires time.Time `json:"expires_at,omitzero"` // zero: never
}

// May reports whether e may do what needs scope.
func (e Entry) May(scope string) bool {
	have, want := slices.Index(Scopes(), e.Scope), slices.Index(Scopes(), scope)
	return have >= 0 && want >= 0 && have <= want
}

// How long a browser is let in, and how many entries there may be: a family has
// fewer devices, and the file stays small.
const (
	browserLife = 180 * 24 * time.Hour
	maxEntries  = 64
	maxName     = 60 // characters
	seenEvery   = time.Hour
)

// Errors of a Door.
var (
	ErrWrong   = errors.New("wrong code")
	ErrNoCode  = errors.New("no code is waiting")
	ErrTooSoon = errors.New("too many codes")
	ErrUnknown = phrases.Errorf(phrases.DoorUnknown)
	ErrFull    = phrases.Errorf(phrases.DoorFull)
)

// Door is opened by New. Any goroutine may use it.
type Door struct {
	fsys store.FS
	path string
	now  func() time.Time

	mu      sync.Mutex
	read    bool
	entries []Entry
	code    code
	keys    map[string]time.Time // hash of a link's key → when it is over
	asked   []time.Time          // when codes were asked for, over the last hour
}

// New returns the door of a workspace. Nothing is read yet.
func New(fsys store.FS, workspace string, now func() time.Time) *Door {
	return &Door{fsys: fsys, path: filepath.Join(workspace, "console", "access.json"), now: now, keys: map[string]time.Time{}}
}

// load reads the file once. One that cannot be read lets nobody in, and is kept
// aside.
func (d *Door) load() error {
	if d.read {
		return nil
	}
	data, err := d.fsys.ReadFile(d.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case json.Unmarshal(data, &d.entries) != nil:
		d.entries = nil
		if err := d.fsys.Rename(d.path, d.path+".damaged"); err != nil {
			return err
		}
	}
	d.read = true
	return nil
}

func (d *Door) save() error {
	if err := store.MkdirAll(d.fsys, filepath.Dir(d.path), 0o700); err != nil {
		return err
	}
	data, err := json.MarshalIndent(d.entries, "", " ")
	if err != nil {
		return err
	}
	return store.Replace(d.fsys, d.path, append(data, '\n'), 0o600)
}

// Admit lets somebody in for good (until Expires or Revoke) and returns the
// secret to show from now on; it is kept nowhere.
func (d *Door) Admit(kind, name, scope string) (secret string, e Entry, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.load(); err != nil {
		return "", e, err
	}
	now := d.now()
	d.entries = slices.DeleteFunc(d.entries, func(e Entry) bool { return e.over(now) })
	if len(d.entries) >= maxEntries {
		return "", e, ErrFull
	}
	secret = random(32)
	e = Entry{ID: hex.EncodeToString(bytes(4)), Kind: kind, Name: cleanName(name), Scope: scope, Hash: hash(secret), Made: now, Seen: now}
	if kind == Browser {
		e.Expires = now.Add(browserLife)
	}
	d.entries = append(d.entries, e)
	if err := d.save(); err != nil {
		d.entries = d.entries[:len(d.entries)-1]
		return "", e, err
	}
	return secret, e, nil
}

func (e Entry) over(now time.Time) bool { return !e.Expires.IsZero() && now.After(e.Expires) }

// cleanName keeps a name short and on one line, as it is seen.
func cleanName(s string) string {
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case text.Unseen(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))), " ")
	if r := []rune(s); len(r) > maxName {
		s = string(r[:maxName])
	}
	return s
}

// Who finds the entry of a secret.
func (d *Door) Who(secret string) (Entry, bool) {
	if secret == "" {
		return Entry{}, false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.load() != nil {
		return Entry{}, false
	}
	now, want := d.now(), hash(secret)
	for i := range d.entries {
		e := &d.entries[i]
		if subtle.ConstantTimeCompare([]byte(e.Hash), []byte(want)) != 1 || e.over(now) {
			continue
		}
		if now.Sub(e.Seen) > seenEvery {
			e.Seen = now
			_ = d.save() // for people only
		}
		return *e, true
	}
	return Entry{}, false
}

// List is everybody who is let in, the newest first.
func (d *Door) List() ([]Entry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.load(); err != nil {
		return nil, err
	}
	now := d.now()
	all := slices.DeleteFunc(slices.Clone(d.entries), func(e Entry) bool { return e.over(now) })
	slices.Reverse(all)
	return all, nil
}

// Revoke lets somebody in no more, by its ID; "" means all browsers and tokens.
func (d *Door) Revoke(id string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.load(); err != nil {
		return err
	}
	before := d.entries
	d.entries = slices.DeleteFunc(slices.Clone(before), func(e Entry) bool { return id == "" || e.ID == id })
	if len(d.entries) == len(before) && id != "" {
		return ErrUnknown
	}
	if err := d.save(); err != nil {
		d.entries = before
		return err
	}
	return nil
}

func hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func bytes(n int) []byte {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return b
}

func random(n int) string { return base64.RawURLEncoding.EncodeToString(bytes(n)) }
