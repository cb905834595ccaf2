package models

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"homebot/internal/phrases"
)

// Puller gets models from where the manifest says. The zero value works, for a
// Store that is set.
type Puller struct {
	Store  *Store
	Client *http.Client // nil: one that waits 30 s for an answer, and then for every piece
	// Base replaces the place of a package: BASE/NAME is fetched instead of its
	// URL. "" keeps it.
	Base string
	// NPM is the npm client; "" is npm in PATH.
	NPM string
	// Progress, if set, is told how far a package is, often. total is 0 when
	// nobody knows.
	Progress func(name string, done, total int64)
	// Wait is the pause before a broken download goes on, doubling: 1 s when 0.
	Wait time.Duration
}

// tries is how often one package's download may break before it is given up;
// what came is kept, so that another pull goes on from there.
const tries = 5

// stall is how long a download may stand still.
const stall = 30 * time.Second

// Pull installs the model unless it is whole. Broken off, it goes on next time
// where it was.
func (p *Puller) Pull(ctx context.Context, name string) error {
	m, ok := p.Store.Catalog.Model(name)
	if !ok {
		return phrases.Errorf(phrases.ModelUnknown, name)
	}
	if p.Store.Check(name) == nil {
		return nil
	}
	p.Store.Sweep(time.Now())
	if err := p.Store.room(m.Size() + m.Unpacked); err != nil {
		return err
	}
	parts := filepath.Join(p.Store.Dir, partDir)
	if err := os.MkdirAll(parts, 0o755); err != nil {
		return phrases.Errorf(phrases.ModelDirReadOnly, err)
	}
	var used []string
	err := p.Store.install(ctx, m, func(d Download) (string, string, error) {
		path, err := p.fetch(ctx, m, d, parts)
		used = append(used, path)
		return path, filepath.Base(path), err
	})
	if err != nil {
		return err
	}
	for _, path := range used {
		_ = os.Remove(path)
	}
	return nil
}

// fetch gets one package into dir.
func (p *Puller) fetch(ctx context.Context, m Model, d Download, dir string) (string, error) {
	var path string
	var err error
	if d.NPM != "" {
		path, err = p.pack(ctx, m, d, dir)
	} else {
		path, err = p.download(ctx, m, d, dir)
	}
	if err != nil {
		return path, err
	}
	if err := verifyPackage(path, d); err != nil {
		_ = os.Remove(path)
		return path, err
	}
	return path, nil
}

// pack lets the npm client, with its own configuration, get a package. It checks
// the registry's integrity value itself.
func (p *Puller) pack(ctx context.Context, m Model, d Download, dir string) (string, error) {
	npm := p.NPM
	if npm == "" {
		npm = "npm"
	}
	if _, err := exec.LookPath(npm); err != nil {
		return "", phrases.Errorf(phrases.ModelNoNPM, m.Name, d.NPM)
	}
	p.tell(d.NPM, 0, d.Size())
	c := exec.CommandContext(ctx, npm, "pack", d.NPM, "--silent", "--pack-destination", dir)
	c.Dir = dir
	out, err := c.Output()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	name := filepath.Base(strings.TrimSpace(string(out)))
	path := filepath.Join(dir, name)
	if _, statErr := os.Stat(path); err != nil || statErr != nil || name == "." {
		return "", p.offline(m, d.NPM, phrases.Errorf(phrases.ModelNPMFailed))
	}
	p.tell(d.NPM, d.Size(), d.Size())
	return path, nil
}

func (p *Puller) tell(name string, done, total int64) {
	if p.Progress != nil {
		p.Progress(name, done, total)
	}
}

// offline words what a machine without a network can do.
func (p *Puller) offline(m Model, what string, err error) error {
	return phrases.Errorf(phrases.ModelNotFetched, m.Name, what, err)
}

// download gets a URL, going on where it broke.
func (p *Puller) download(ctx context.Context, m Model, d Download, dir string) (string, error) {
	path := filepath.Join(dir, d.Package())
	wait := p.Wait
	if wait == 0 {
		wait = time.Second
	}
	var last error
	for try := range tries {
		if try > 0 {
			if err := pause(ctx, wait<<(try-1)); err != nil {
				return path, err
			}
		}
		var final bool
		if final, last = p.piece(ctx, d, path); last == nil {
			return path, nil
		}
		if ctx.Err() != nil {
			return path, ctx.Err()
		}
		if final {
			break
		}
	}
	return path, p.offline(m, d.Package(), last)
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// piece asks for what is still missing and appends it. final: another try would
// give the same.
func (p *Puller) piece(ctx context.Context, d Download, path string) (final bool, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return true, err
	}
	defer f.Close()
	have, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return true, err
	}
	if d.Bytes > 0 && have == d.Bytes {
		return false, nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	resp, err := p.ask(ctx, d, have)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusPartialContent && startsAt(resp, have):
	case resp.StatusCode == http.StatusOK: // the server sends all of it
		have = 0
	case resp.StatusCode == http.StatusRequestedRangeNotSatisfiable && have > 0:
		if total := rangeTotal(resp); total == have {
			return false, nil // it was complete
		}
		_ = f.Truncate(0)
		return false, phrases.Errorf(phrases.ModelPartUnfit)
	default:
		return resp.StatusCode < 500, phrases.Errorf(phrases.ModelServerAnswers, resp.Status)
	}
	err = p.receive(f, have, d, resp, cancel)
	if errors.Is(err, syscall.ENOSPC) {
		_ = f.Truncate(0) // nothing else on this disk can go on
		return true, err
	}
	return false, err
}

// most is how much of a package is taken at most: what its size is, or twice what
// it is about. A server that never ends must not fill the disk.
func most(d Download) int64 {
	switch {
	case d.Bytes > 0:
		return d.Bytes
	case d.About > 0:
		return 2 * d.About
	}
	return maxFile
}

// receive writes an answer's body from offset on.
func (p *Puller) receive(f *os.File, have int64, d Download, resp *http.Response, cancel func()) error {
	if err := f.Truncate(have); err != nil {
		return err
	}
	if _, err := f.Seek(have, io.SeekStart); err != nil {
		return err
	}
	total := d.Bytes
	if resp.ContentLength >= 0 {
		total = have + resp.ContentLength
	}
	if d.Bytes > 0 && total != d.Bytes {
		_ = f.Truncate(0)
		return fmt.Errorf("the server has %d bytes, the manifest says %d", total, d.Bytes)
	}
	if total > most(d) {
		_ = f.Truncate(0)
		return fmt.Errorf("the server has %d bytes, the manifest says about %d", total, d.Size())
	}
	timer := time.AfterFunc(stall, cancel)
	defer timer.Stop()
	w := &meter{name: d.Package(), done: have, total: total, tell: p.tell, alive: func() { timer.Reset(stall) }}
	_, err := io.Copy(io.MultiWriter(f, w), io.LimitReader(resp.Body, most(d)-have+1))
	if w.done > most(d) {
		_ = f.Truncate(0)
		return phrases.Errorf(phrases.ModelTooMuch, most(d))
	}
	if err == nil && total > 0 && w.done != total {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		err = f.Sync()
	}
	return err
}

func (p *Puller) ask(ctx context.Context, d Download, have int64) (*http.Response, error) {
	url := d.URL
	if p.Base != "" {
		url = strings.TrimRight(p.Base, "/") + "/" + d.Package()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	if have > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	client := p.Client
	if client == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.ResponseHeaderTimeout = stall
		client = &http.Client{Transport: t}
		defer t.CloseIdleConnections()
	}
	return client.Do(req)
}

func startsAt(resp *http.Response, have int64) bool {
	var from int64
	_, err := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes %d-", &from)
	return err == nil && from == have
}

func rangeTotal(resp *http.Response) int64 {
	var total int64
	if _, err := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes */%d", &total); err != nil {
		return -1
	}
	return total
}

// meter counts what passes.
type meter struct {
	name        string
	done, total int64
	tell        func(string, int64, int64)
	alive       func()
}

func (m *meter) Write(b []byte) (int, error) {
	m.done += int64(len(b))
	m.alive()
	m.tell(m.name, m.done, m.total)
	return len(b), nil
}
