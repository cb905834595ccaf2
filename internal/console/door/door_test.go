package door

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"homebot/internal/store"
)

// clocked is a door with a clock that the test moves.
func clocked(t *testing.T) (d *Door, dir string, now *time.Time) {
	dir = t.TempDir()
	at := time.Date(2026, 10, 22, 20, 0, 0, 0, time.UTC)
	return New(store.OS(), dir, func() time.Time { return at }), dir, &at
}

// Who was admitted is known after a restart too, by a secret that lies nowhere;
// not after its time, nor when revoked.
func TestAdmit(t *testing.T) {
	d, dir, now := clocked(t)
	phone, e, err := d.Admit(Browser, "  my\nph\u202eo\u200bne \ufeff", All)
	if err != nil || e.Name != "my phone" || len(phone) < 40 {
		t.Fatalf("%q %+v %v", phone, e, err)
	}
	token, _, err := d.Admit(Token, strings.Repeat("长", 100), Metrics)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "console", "access.json")
	data, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(data), phone) || strings.Contains(string(data), token) {
		t.Errorf("the file has a secret: %s %v", data, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v %v", info.Mode(), err)
	}
	again := New(store.OS(), dir, func() time.Time { return *now })
	if got, ok := again.Who(phone); !ok || got.ID != e.ID || !got.May(Read) {
		t.Errorf("after a restart: %+v %v", got, ok)
	}
	if got, ok := again.Who(token); !ok || got.May(Read) || !got.May(Metrics) || len([]rune(got.Name)) != maxName {
		t.Errorf("token: %+v %v", got, ok)
	}
	for _, no := range []string{"", "x", e.Hash, e.ID, phone + "x"} {
		if _, ok := again.Who(no); ok {
			t.Errorf("%q was let in", no)
		}
	}
	*now = now.Add(browserLife + time.Hour)
	if _, ok := d.Who(phone); ok {
		t.Error("a browser is let in after its time")
	}
	if _, ok := d.Who(token); !ok {
		t.Error("a token ended by itself")
	}
	if err := d.Revoke("nothing"); !errors.Is(err, ErrUnknown) {
		t.Errorf("revoke: %v", err)
	}
	if err := d.Revoke(""); err != nil {
		t.Fatal(err)
	}
	if all, err := d.List(); err != nil || len(all) != 0 {
		t.Errorf("list %v %v", all, err)
	}
	if _, ok := d.Who(token); ok {
		t.Error("a revoked token is let in")
	}
}

// A file that cannot be read lets nobody in and is kept.
func TestDamagedFile(t *testing.T) {
	d, dir, _ := clocked(t)
	path := filepath.Join(dir, "console", "access.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if all, err := d.List(); err != nil || len(all) != 0 {
		t.Errorf("%v %v", all, err)
	}
	if _, err := os.Stat(path + ".damaged"); err != nil {
		t.Error(err)
	}
}

// So many are let in and no more; those whose time is over make room.
func TestFull(t *testing.T) {
	d, _, now := clocked(t)
	for range maxEntries {
		if _, _, err := d.Admit(Browser, "x", All); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := d.Admit(Browser, "x", All); !errors.Is(err, ErrFull) {
		t.Errorf("one too many: %v", err)
	}
	*now = now.Add(browserLife + time.Hour)
	if _, _, err := d.Admit(Browser, "x", All); err != nil {
		t.Error(err)
	}
}

// A code is good once, for five minutes and five tries; spaces do not matter.
func TestCode(t *testing.T) {
	d, _, now := clocked(t)
	if err := d.Code("000000"); !errors.Is(err, ErrNoCode) {
		t.Errorf("no code: %v", err)
	}
	code, err := d.NewCode(true)
	if err != nil || !regexp.MustCompile(`^\d{6}$`).MatchString(code) {
		t.Fatalf("%q %v", code, err)
	}
	if shown, _ := d.NewCode(false); shown != code {
		t.Errorf("shown %q, spoken %q", shown, code)
	}
	if err := d.Code(" " + code[:3] + "-" + code[3:] + " "); err != nil {
		t.Error(err)
	}
	if err := d.Code(code); !errors.Is(err, ErrNoCode) {
		t.Errorf("twice: %v", err)
	}
	code, _ = d.NewCode(false)
	wrong := "999999"
	if code == wrong {
		wrong = "999998"
	}
	for range maxAttempts {
		if err := d.Code(wrong); !errors.Is(err, ErrWrong) {
			t.Errorf("wrong: %v", err)
		}
	}
	if err := d.Code(code); !errors.Is(err, ErrNoCode) {
		t.Errorf("after too many tries: %v", err)
	}
	code, _ = d.NewCode(false)
	*now = now.Add(codeLife)
	if err := d.Code(code); !errors.Is(err, ErrNoCode) {
		t.Errorf("too late: %v", err)
	}
	asked := 1 // above
	for ; asked <= maxCodes+1; asked++ {
		if _, err = d.NewCode(true); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrTooSoon) || asked != maxCodes {
		t.Errorf("%d codes in an hour: %v", asked, err)
	}
	*now = now.Add(time.Hour)
	if _, err := d.NewCode(true); err != nil {
		t.Errorf("an hour later: %v", err)
	}
}

// A link's key is good once, for an hour.
func TestKey(t *testing.T) {
	d, _, now := clocked(t)
	key, late := d.NewKey(), d.NewKey()
	if err := d.Key(key); err != nil {
		t.Error(err)
	}
	for _, no := range []string{key, "", "x"} {
		if err := d.Key(no); !errors.Is(err, ErrWrong) {
			t.Errorf("%q: %v", no, err)
		}
	}
	*now = now.Add(keyLife + time.Second)
	if err := d.Key(late); !errors.Is(err, ErrWrong) {
		t.Errorf("late: %v", err)
	}
}
