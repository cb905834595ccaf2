package contextmode

import (
	"fmt"
	"reflect"
	"testing"
	"time"
)

// C12: profile and table version are in every key; full counts the whole context,
// minimal the core fields.
func TestCacheKey(t *testing.T) {
	table := Default()
	core := Core{Kind: "answer", Model: "m", Lang: "zh", Mode: "cooking", Speaker: "妈妈", Words: "盐放多了怎么办？", Facts: []string{"花生过敏"}}
	whole := []Message{{RoleUser, "盐放多了怎么办？"}}
	seen := map[string]string{}
	note := func(name, key string) {
		t.Helper()
		if other, ok := seen[key]; ok || len(key) != 32 {
			t.Errorf("%s has the key of %s: %s", name, other, key)
		}
		seen[key] = name
	}
	for _, p := range Profiles() {
		note(string(p), CacheKey(table, p, core, whole))
	}
	next := table
	next.Version = 2
	note("another table", CacheKey(next, Full, core, whole))
	note("another table, minimal", CacheKey(next, Minimal, core, whole))
	note("another context", CacheKey(table, Full, core, append(whole, Message{RoleAssistant, "加水"})))
	for i := range 7 {
		c := core
		switch i {
		case 0:
			c.Kind = "audio"
		case 1:
			c.Model = "n"
		case 2:
			c.Lang = "en"
		case 3:
			c.Mode = ""
		case 4:
			c.Speaker = "爸爸"
		case 5:
			c.Words = "糖放多了怎么办"
		case 6:
			c.Facts = nil
		}
		note(fmt.Sprint("core field ", i), CacheKey(table, Minimal, c, whole))
	}
	same := core
	same.Words = " 盐放多了 怎么办"
	if CacheKey(table, Minimal, same, nil) != CacheKey(table, Minimal, core, whole) {
		t.Error("minimal counts more than the core fields")
	}
	// No two lists of fields are the same bytes.
	if Fingerprint([]Message{{"a", "bc"}}) == Fingerprint([]Message{{"ab", "c"}}) {
		t.Error("borders do not count")
	}
}

// C12: short life for full, long for minimal; another table's entries are dead.
func TestFresh(t *testing.T) {
	table := Default()
	for _, tt := range []struct {
		e    Entry
		age  time.Duration
		want bool
	}{
		{Entry{Profile: Full, Table: 1}, 4 * time.Minute, true}, {Entry{Profile: Full, Table: 1}, 5 * time.Minute, false},
		{Entry{Profile: Minimal, Table: 1}, 6 * 24 * time.Hour, true}, {Entry{Profile: Minimal, Table: 1}, 7 * 24 * time.Hour, false},
		{Entry{Profile: Minimal, Table: 2}, 0, false}, {Entry{Table: 1}, 0, false}, {Entry{Profile: Minimal, Table: 1}, -time.Second, false},
	} {
		tt.e.Stored = evening.Add(-tt.age)
		if got := Fresh(table, tt.e, evening); got != tt.want {
			t.Errorf("%+v: %v", tt.e, got)
		}
	}
}

// C12: a downgrade keeps the richer entries, first to be evicted; flapping drops
// both profiles'. C11: the given entries are not changed.
func TestAfterSwitch(t *testing.T) {
	entries := []Entry{{Key: "f", Profile: Full}, {Key: "c", Profile: Compact}, {Key: "m", Profile: Minimal}}
	was := append([]Entry(nil), entries...)
	names := func(es []Entry) (s string) {
		for _, e := range es {
			s += e.Key
			if e.Low {
				s += "-"
			}
		}
		return s
	}
	down := AfterSwitch(entries, Full, Minimal, false)
	if got := names(down); got != "f-c-m" {
		t.Errorf("down: %s", got)
	}
	if got := names(AfterSwitch(down, Minimal, Full, false)); got != "fc-m" {
		t.Errorf("up again: %s", got)
	}
	if got := names(AfterSwitch(entries, Full, Minimal, true)); got != "c-" && got != "c" {
		t.Errorf("flapping: %s", got)
	}
	if got := names(AfterSwitch(entries, Full, Full, true)); got != "fcm" {
		t.Errorf("no switch: %s", got)
	}
	if !reflect.DeepEqual(entries, was) {
		t.Error("the entries were changed")
	}
}

// C12: stale ones go, then those marked by a downgrade, then those used longest
// ago.
func TestEvict(t *testing.T) {
	at := func(minutes int) time.Time { return evening.Add(time.Duration(minutes) * time.Minute) }
	entries := []Entry{
		{Key: "low", Profile: Full, Table: 1, Stored: evening, Used: at(4), Bytes: 40, Low: true},
		{Key: "old", Profile: Minimal, Table: 1, Stored: evening, Used: at(1), Bytes: 40},
		{Key: "new", Profile: Minimal, Table: 1, Stored: evening, Used: at(3), Bytes: 40},
		{Key: "stale", Profile: Minimal, Table: 9, Stored: evening, Used: at(4), Bytes: 1},
	}
	for limit, want := range map[int]string{200: "low old new", 100: "old new", 50: "new", 10: ""} {
		keep, drop := Evict(Default(), entries, at(4), limit)
		got := ""
		for i, e := range keep {
			if i > 0 {
				got += " "
			}
			got += e.Key
		}
		if got != want || len(keep)+len(drop) != 4 {
			t.Errorf("%d bytes: %s, want %s", limit, got, want)
		}
	}
}
