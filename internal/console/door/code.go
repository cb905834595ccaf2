package door

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
)

// A code is guessed with at most maxAttempts × maxCodes tries an hour: one in
// twenty thousand for somebody who tries all the time.
const (
	codeDigits  = 6
	codeLife    = 5 * time.Minute
	maxAttempts = 5
	maxCodes    = 10 // an hour, for who only has the network
	keyLife     = time.Hour
	maxKeys     = 16
)

// CodeLife is how long a code holds.
const CodeLife = codeLife

// code is the one that waits.
type code struct {
	text  string
	until time.Time
	tries int
}

// NewCode makes the code that Pair takes from now on. Asked is who asks: from the
// network only so many an hour are made; the person at the machine (network
// false) always gets one. A code that still waits, with tries left, is given
// again to the machine: what it shows is what it spoke.
func (d *Door) NewCode(network bool) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	waits := d.code.text != "" && now.Before(d.code.until)
	if !network && waits && d.code.tries == 0 {
		return d.code.text, nil
	}
	if network {
		d.asked = slices.DeleteFunc(d.asked, func(t time.Time) bool { return now.Sub(t) >= time.Hour || t.After(now) })
		if len(d.asked) >= maxCodes {
			return "", ErrTooSoon
		}
		d.asked = append(d.asked, now)
	}
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		return "", err
	}
	d.code = code{text: fmt.Sprintf("%0*d", codeDigits, n), until: now.Add(codeLife)}
	return d.code.text, nil
}

// Code reports whether said is the code that waits: nil once, then it is used up.
// Spaces and hyphens in said do not count.
func (d *Door) Code(said string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.code.text == "" || !d.now().Before(d.code.until) {
		d.code = code{}
		return ErrNoCode
	}
	said = strings.NewReplacer(" ", "", "-", "", " ", "").Replace(said)
	if subtle.ConstantTimeCompare([]byte(said), []byte(d.code.text)) == 1 {
		d.code = code{}
		return nil
	}
	if d.code.tries++; d.code.tries >= maxAttempts {
		d.code = code{}
	}
	return ErrWrong
}

// NewKey makes the key of a link: 128 random bits, good once and for an hour.
func (d *Door) NewKey() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	for k, until := range d.keys {
		if now.After(until) || len(d.keys) >= maxKeys {
			delete(d.keys, k)
		}
	}
	key := random(16)
	d.keys[hash(key)] = now.Add(keyLife)
	return key
}

// Key reports whether key is one of NewKey that was not used: nil once.
func (d *Door) Key(key string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	until, ok := d.keys[hash(key)]
	if !ok || d.now().After(until) {
		return ErrWrong
	}
	delete(d.keys, hash(key))
	return nil
}
