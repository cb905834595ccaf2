// Package cache keeps on disk what was made once and may be used again: answers
// for when the network is away, and spoken audio of sentences that repeat (C12).
//
// An entry belongs to the profile and the table version it was made under; how
// long it lives and which goes first is contextmode's policy. A cache is never
// the only place of anything: it is written without a sync, a torn entry is no
// entry, and what fails is a miss.
package cache

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"homebot/internal/contextmode"
	"homebot/internal/store"
)

// Config is what a Cache is made of.
type Config struct {
	FS    store.FS
	Dir   string // absolute; made when first needed
	Limit int    // bytes of all entries together
	Now   func() time.Time
	// Logger is told what could not be written; nil: nobody.
	Logger *slog.Logger
}

// Cache is one directory of entries, one file each. Any goroutine may call it;
// one process writes to it (S4).
type Cache struct {
	cfg Config

	mu      sync.Mutex
	read    bool
	entries []contextmode.Entry
}

// New returns a cache that has read nothing yet.
func New(c Config) *Cache {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return &Cache{cfg: c}
}

// Get finds an entry made under t that is not too old.
func (c *Cache) Get(t contextmode.Table, key string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.index()
	now := c.cfg.Now()
	for i := range c.entries {
		e := &c.entries[i]
		if e.Key != key || !contextmode.Fresh(t, *e, now) {
			continue
		}
		data, err := c.cfg.FS.ReadFile(c.path(*e))
		if err == nil {
			if data, err = unwrap(data); err == nil {
				e.Used = now
				return data, true
			}
		}
		c.cfg.Logger.Warn("cache entry", "path", c.path(*e), "err", err)
		c.remove(*e)
		c.entries = slices.Delete(c.entries, i, i+1)
		return nil, false
	}
	return nil, false
}

// Put keeps data under key, and lets others go that are too many. It must not be
// called on the way to somebody who waits.
func (c *Cache) Put(t contextmode.Table, p contextmode.Profile, key string, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.index()
	if len(data) > c.cfg.Limit {
		return
	}
	now := c.cfg.Now().Truncate(time.Second)
	c.entries = slices.DeleteFunc(c.entries, func(e contextmode.Entry) bool {
		if e.Key == key {
			c.remove(e)
		}
		return e.Key == key
	})
	e := contextmode.Entry{Key: key, Profile: p, Table: t.Version, Stored: now, Used: now, Bytes: len(data)}
	if err := c.write(e, data); err != nil {
		c.cfg.Logger.Warn("cache entry not written", "path", c.path(e), "err", err)
		return
	}
	keep, drop := contextmode.Evict(t, append(c.entries, e), now, c.cfg.Limit)
	for _, e := range drop {
		c.remove(e)
	}
	c.entries = keep
}

// Switch is told that the profile of a conversation changed (C12): going down
// keeps the richer entries, first to be evicted; a profile that flaps loses those
// of both.
func (c *Cache) Switch(from, to contextmode.Profile, flapping bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.index()
	kept := contextmode.AfterSwitch(c.entries, from, to, flapping)
	for _, e := range c.entries {
		if !slices.ContainsFunc(kept, func(k contextmode.Entry) bool { return k.Key == e.Key }) {
			c.remove(e)
		}
	}
	c.entries = kept
}

// index lists the directory once. What is no entry of ours is left alone, what a
// crash left half is removed.
func (c *Cache) index() {
	if c.read {
		return
	}
	c.read = true
	files, err := c.cfg.FS.ReadDir(c.cfg.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.cfg.Logger.Warn("cache", "dir", c.cfg.Dir, "err", err)
	}
	for _, f := range files {
		if store.IsTemp(f.Name()) {
			_ = c.cfg.FS.Remove(filepath.Join(c.cfg.Dir, f.Name()))
			continue
		}
		e, ok := parseName(f.Name())
		info, err := f.Info()
		if !ok || err != nil {
			continue
		}
		e.Bytes = max(int(info.Size())-sumLength, 0)
		c.entries = append(c.entries, e)
	}
}

// path has everything the policy needs to know of an entry in its name.
func (c *Cache) path(e contextmode.Entry) string {
	return filepath.Join(c.cfg.Dir, fmt.Sprintf("%s-%s-%d-%d", e.Key, e.Profile, e.Table, e.Stored.Unix()))
}

func parseName(name string) (e contextmode.Entry, ok bool) {
	parts := strings.Split(name, "-")
	if len(parts) != 4 {
		return e, false
	}
	table, err1 := strconv.Atoi(parts[2])
	stored, err2 := strconv.ParseInt(parts[3], 10, 64)
	at := time.Unix(stored, 0)
	e = contextmode.Entry{Key: parts[0], Profile: contextmode.Profile(parts[1]), Table: table, Stored: at, Used: at}
	return e, err1 == nil && err2 == nil && e.Profile.Valid()
}

func (c *Cache) remove(e contextmode.Entry) {
	if err := c.cfg.FS.Remove(c.path(e)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.cfg.Logger.Warn("cache entry not removed", "path", c.path(e), "err", err)
	}
}

// write puts an entry there whole or not at all, as far as the process goes; a
// power cut may tear it, which unwrap sees.
func (c *Cache) write(e contextmode.Entry, data []byte) error {
	if err := store.MkdirAll(c.cfg.FS, c.cfg.Dir, 0o700); err != nil {
		return err
	}
	temp := c.path(e) + ".tmp"
	f, err := c.cfg.FS.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(wrap(data))
	if err = errors.Join(err, f.Close()); err == nil {
		err = c.cfg.FS.Rename(temp, c.path(e))
	}
	if err != nil {
		_ = c.cfg.FS.Remove(temp)
	}
	return err
}

// sumLength is what wrap puts in front: a checksum and a newline.
const sumLength = 9

func sum(data []byte) string {
	return fmt.Sprintf("%08x\n", crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
}

func wrap(data []byte) []byte { return append([]byte(sum(data)), data...) }

var errTorn = errors.New("is torn")

func unwrap(file []byte) ([]byte, error) {
	if len(file) < sumLength || string(file[:sumLength]) != sum(file[sumLength:]) {
		return nil, errTorn
	}
	return file[sumLength:], nil
}

// Clear throws everything away. A nil Cache has nothing.
func (c *Cache) Clear() error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read, c.entries = false, nil
	return store.RemoveAll(c.cfg.FS, c.cfg.Dir)
}
