package voice_test

import (
	"fmt"
	"testing"

	"homebot/internal/store"
	"homebot/internal/store/storetest"
	"homebot/voice"
)

// What was changed counts after a restart; a volume of the configuration counts
// until somebody changes it, and again when the configuration was changed since.
func TestControlFile(t *testing.T) {
	d := storetest.New("/ws")
	at := func(configured int) voice.ControlFile {
		return voice.ControlFile{FS: d, Path: "/ws/controls.json", Volume: configured}
	}
	load := func(configured int) voice.Controls {
		c, err := at(configured).Load()
		if err != nil {
			t.Error(err)
		}
		return c
	}
	if got := load(60); got != (voice.Controls{Volume: 60}) {
		t.Errorf("nothing kept: %+v", got)
	}
	if err := at(60).Keep(voice.Controls{Volume: 30, Muted: true}); err != nil {
		t.Fatal(err)
	}
	if got := load(60); got != (voice.Controls{Volume: 30, Muted: true}) {
		t.Errorf("after a restart: %+v", got)
	}
	if got := load(70); got != (voice.Controls{Volume: 70, Muted: true}) {
		t.Errorf("the configuration was changed: %+v", got)
	}
}

// S3: whatever instant the power goes at, the document is whole, and what was
// acknowledged is there.
func TestControlFilePowerCut(t *testing.T) {
	file := func(d *storetest.Disk) voice.ControlFile {
		return voice.ControlFile{FS: d, Path: "/ws/controls.json", Volume: 60}
	}
	steps := []voice.Controls{{Volume: 30}, {Volume: 30, Muted: true}, {Volume: 100}}
	states := storetest.EachCrash(t, func(d *storetest.Disk) error {
		return store.MkdirAll(d, "/ws", 0o700)
	}, func(d *storetest.Disk) error {
		for i, c := range steps {
			if err := file(d).Keep(c); err != nil {
				return err
			}
			d.Ack(fmt.Sprint(i))
		}
		return nil
	}, func(c storetest.Crash) error {
		got, err := file(c.Disk).Load()
		if err != nil {
			return err
		}
		n := len(c.Acked)
		if n > 0 && got == steps[n-1] || n < len(steps) && got == steps[n] || n == 0 && got == (voice.Controls{Volume: 60}) {
			return nil
		}
		return fmt.Errorf("%+v after %d changes", got, n)
	})
	if states < 5 {
		t.Errorf("only %d states", states)
	}
}

// FuzzControlFile: a damaged document leaves the configured volume and a reason,
// and what is read is a volume.
func FuzzControlFile(f *testing.F) {
	f.Add(`{"volume":30,"configured":60,"muted":true}`)
	f.Add(`{"volume":-1,"configured":60}`)
	f.Add("{")
	f.Fuzz(func(t *testing.T, data string) {
		d := storetest.New("/ws")
		if err := store.Replace(d, "/ws/controls.json", []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := voice.ControlFile{FS: d, Path: "/ws/controls.json", Volume: 60}.Load()
		if c.Volume < 0 || c.Volume > 100 || err != nil && c != (voice.Controls{Volume: 60}) {
			t.Errorf("%+v, %v", c, err)
		}
	})
}
