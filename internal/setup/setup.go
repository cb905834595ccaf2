// Package setup takes over what a person wrote on the card: homebot.toml, and the
// file that Raspberry Pi Imager writes, both on the FAT partition.
//
// Prepare runs at every start, before the network and the services, as root. It
// moves the secrets to the data partition and empties them on the FAT, keeps the
// last file that could be read, and says what the machine is to be like (Result).
// Apply makes it so. Nothing here fails because of what a person wrote: what is
// wrong is told in Result.Problems, and the rest is in force.
//
// # What a power cut leaves
//
// The FAT has no journal, so nothing on it is ever created, renamed or made longer
// or shorter: a value is written over with "" and spaces, in place. Before that the
// secret is on the data partition, and so is what the file was and is to be
// (blanking.json); a write that was cut off is finished at the next start. Every
// step may be repeated.
package setup

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"

	"homebot/internal/config"
	"homebot/internal/phrases"
	"homebot/internal/store"
)

// Files on the FAT partition.
const (
	ConfigName  = "homebot.toml"
	PreseedName = "rpi-preseed.toml" // https://github.com/raspberrypi/rpi-preseed
)

// Files on the data partition.
const (
	secretsName  = "secrets.toml"
	networksName = "networks.json"
	blankingName = "blanking.json"
)

// forget, as the value of a secret, makes homebot forget the one it has.
const forget = "-"

// Config says where everything is.
type Config struct {
	FS   store.FS
	Boot string // directory of the FAT partition, which may not be there
	Data string // directory on the data partition that only root writes
	// Writable lets the FAT be written until the function it returns is called;
	// nil when it always can.
	Writable func() (done func(), err error)
	Log      *slog.Logger // nil: silent. No secret gets there
}

// Result is what Prepare found. It holds secrets: nobody may print it.
type Result struct {
	File     []byte          // homebot.toml as it is in force, without the secrets
	Secrets  []byte          // the secrets homebot needs, as config.WriteSecrets has them
	Problems config.Problems // what a person should hear of beside File's own mistakes
	System   System
}

// System is what the machine is to be like.
type System struct {
	Hostname string
	Timezone string // empty: as it is
	Country  string // for the Wi-Fi; empty: unknown
	Networks []Network
}

// Prepare reads the card and makes durable what it takes from it.
func Prepare(c Config) Result {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Writable == nil {
		c.Writable = func() (func(), error) { return func() {}, nil }
	}
	p := &preparing{Config: c}
	if err := store.MkdirAll(c.FS, c.Data, 0o755); err != nil {
		p.unsafe = err
	}
	p.finishBlanking()
	p.known = config.ReadSecrets(p.kept(secretsName))
	p.networks = readNetworks(p.kept(networksName))
	mine := p.takeConfig()
	imager := p.takePreseed()
	return p.result(mine, imager)
}

// preparing is one run of Prepare.
type preparing struct {
	Config
	known    map[string]string // secrets by their key in homebot.toml
	networks []Network         // those whose password was taken
	problems config.Problems
	// unsafe is why nothing may be written on the data partition: what is on it
	// is not known, or what is written would not stay.
	unsafe error
}

// trouble is a problem that is not in a file a person writes.
func (p *preparing) trouble(what phrases.Phrase, args ...any) {
	problem := config.Problem{}.Says(phrases.Errorf(what, args...))
	p.problems = append(p.problems, problem)
	p.Log.Warn("setup", "problem", problem.Text)
}

// kept reads a file of the data partition; what is missing is empty.
func (p *preparing) kept(name string) []byte {
	data, err := p.FS.ReadFile(filepath.Join(p.Data, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.unsafe = err
	}
	return data
}

// keep makes data the content of a file of the data partition, unless it is
// already.
func (p *preparing) keep(name string, data []byte) error {
	if p.unsafe != nil {
		return p.unsafe
	}
	path := filepath.Join(p.Data, name)
	if old, err := p.FS.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	return store.Replace(p.FS, path, data, 0o600)
}

// takeConfig takes the secrets out of homebot.toml, and returns the file that is
// in force.
func (p *preparing) takeConfig() []byte {
	data, ok := p.onCard(ConfigName)
	if !ok {
		return p.kept(ConfigName)
	}
	if _, broken, readable := config.Salvage(ConfigName, data); !readable {
		p.problems = append(p.problems, broken...)
		return p.kept(ConfigName)
	}
	taken, rest := config.TakeOut(data, func(key, value string) bool {
		return config.IsSecret(key) && (value == forget || config.Valid(key, value) == nil)
	})
	for key, value := range taken {
		switch {
		case key == passwordKey: // it belongs to a network
		case value == forget:
			delete(p.known, key)
		default:
			p.known[key] = value
		}
	}
	own := networkOf(rest, taken[passwordKey])
	p.remember(own)
	if p.keepSecrets() {
		p.blank(ConfigName, data, rest)
	}
	if err := p.keep(ConfigName, rest); err != nil {
		p.Log.Warn("setup: the last good homebot.toml is not kept", "err", err)
	}
	return rest
}

// onCard reads a file of the FAT partition.
func (p *preparing) onCard(name string) ([]byte, bool) {
	path := filepath.Join(p.Boot, name)
	info, err := p.FS.Stat(path)
	switch {
	case err == nil && info.Size() > maxFile:
		p.problems = append(p.problems, config.Problem{File: name}.Says(phrases.Errorf(phrases.SetupFileTooLarge)))
		return nil, false
	case err == nil:
		var data []byte
		if data, err = p.FS.ReadFile(path); err == nil {
			return data, true
		}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		p.problems = append(p.problems, config.Problem{File: name}.Says(phrases.Errorf(phrases.SetupFileUnreadable, cause(err))))
	}
	return nil, false
}

// maxFile of the card, in bytes, is what package config takes.
const maxFile = 64 << 10

// keepSecrets makes all secrets durable; false: they must stay on the FAT.
func (p *preparing) keepSecrets() bool {
	err := errors.Join(
		p.keep(secretsName, config.WriteSecrets(p.known)),
		p.keep(networksName, writeNetworks(p.networks)))
	if err != nil && p.unsafe == nil {
		p.trouble(phrases.SetupNotKept, cause(err))
	}
	return err == nil
}

// result puts together what is in force: the file a person wrote, then Imager's.
func (p *preparing) result(mine []byte, imager preseed) Result {
	secrets := maps.Clone(p.known)
	c, _ := config.ReadAnyway(ConfigName, mine, config.WriteSecrets(secrets))
	if _, problems := config.ReadAnyway(ConfigName, mine, nil); secrets[tokenKey] == "" && (blames(problems, "console.listen") || blames(problems, "console.tls")) {
		secrets[tokenKey] = p.newToken()
		c, _ = config.ReadAnyway(ConfigName, mine, config.WriteSecrets(secrets))
	}
	s := System{
		Hostname: cmp.Or(c.System.Hostname, imager.hostname, "homebot"),
		Timezone: cmp.Or(c.System.Timezone, imager.timezone),
		Country:  cmp.Or(c.System.Country, imager.country),
	}
	_, wrong := config.ReadAnyway(ConfigName, mine, nil)
	p.addNetwork(&s, Network{SSID: []byte(c.System.WiFiSSID), Hidden: c.System.WiFiHidden}, blames(wrong, passwordKey))
	p.addNetwork(&s, imager.network, imager.refused)
	if p.unsafe != nil {
		p.trouble(phrases.SetupNoData, cause(p.unsafe))
	}
	return Result{File: mine, Secrets: config.WriteSecrets(secrets), Problems: p.problems, System: s}
}

const tokenKey = "console.token"

// newToken makes the token without which a console must not be open to others.
func (p *preparing) newToken() string {
	random := make([]byte, 16)
	_, _ = rand.Read(random) // never fails (Go 1.24)
	p.known[tokenKey] = hex.EncodeToString(random)
	p.keepSecrets()
	return p.known[tokenKey]
}

func blames(problems config.Problems, key string) bool {
	for _, p := range problems {
		if p.Key == key {
			return true
		}
	}
	return false
}

// cause is err without the path and the steps that led to it.
func cause(err error) error {
	var in *fs.PathError
	if errors.As(err, &in) {
		return in.Err
	}
	return err
}
