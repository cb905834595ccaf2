package contextmode

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Core are the fields an answer depends on whatever else was said: the loose key
// of C12. Facts are among them: an answer from before the allergy is not an
// answer.
type Core struct {
	Kind    string   // of the cache: "answer", "audio", "summary"
	Model   string   // or voice
	Lang    string   // zh, en
	Mode    string   // the run mode's id; "" in normal mode
	Speaker string   // whose answer it is
	Words   string   // the user's; compared as letters and digits
	Facts   []string // in force
}

// CacheKey is the key under which something made for a turn is cached: 32 hex
// digits. Profile and table version are always in it; whole, the messages of the
// request, only counts where the profile's policy is CacheWhole.
func CacheKey(t Table, p Profile, c Core, whole []Message) string {
	spec := t.Spec(p)
	f := newFingerprint(string(spec.Profile), strconv.Itoa(t.Version), spec.Cache)
	f.add(c.Kind, c.Model, c.Lang, c.Mode, c.Speaker, foldWords(c.Words), strconv.Itoa(len(c.Facts)))
	f.add(c.Facts...)
	if spec.Cache == CacheWhole {
		for _, m := range whole {
			f.add(m.Role, m.Content)
		}
	}
	return f.sum()
}

// Fingerprint is the fingerprint of a whole context: 32 hex digits.
func Fingerprint(messages []Message) string {
	f := newFingerprint("")
	for _, m := range messages {
		f.add(m.Role, m.Content)
	}
	return f.sum()
}

// fingerprint hashes fields, each with its length, so that no two lists of fields
// are the same bytes.
type fingerprint struct{ b strings.Builder }

func newFingerprint(fields ...string) *fingerprint {
	f := &fingerprint{}
	f.add(fields...)
	return f
}

func (f *fingerprint) add(fields ...string) {
	for _, s := range fields {
		f.b.WriteString(strconv.Itoa(len(s)) + ":" + s)
	}
}

func (f *fingerprint) sum() string {
	sum := sha256.Sum256([]byte(f.b.String()))
	return hex.EncodeToString(sum[:16])
}

// Entry is one cached thing as the policy sees it.
type Entry struct {
	Key     string
	Profile Profile
	Table   int
	Stored  time.Time
	Used    time.Time // last
	Bytes   int
	Low     bool // first to be evicted
}

// Fresh reports whether an entry may still be used under table t: it was made by
// this version, and its profile's life is not over.
func Fresh(t Table, e Entry, now time.Time) bool {
	age := now.Sub(e.Stored)
	return e.Table == t.Version && e.Profile.Valid() && age >= 0 && age < t.Spec(e.Profile).CacheLife
}

// AfterSwitch returns the entries after a change of profile (C12): a downgrade
// keeps the richer ones, first to be evicted; coming back makes them ordinary
// again; while the profile flaps (C16) those of both go.
func AfterSwitch(entries []Entry, from, to Profile, flapping bool) []Entry {
	kept := make([]Entry, 0, len(entries))
	for _, e := range entries {
		switch {
		case from == to:
		case flapping && (e.Profile == from || e.Profile == to):
			continue
		case e.Profile.Richer(to):
			e.Low = true
		case e.Profile == to:
			e.Low = false
		}
		kept = append(kept, e)
	}
	return kept
}

// Evict splits entries into those that stay and those that go so that at most
// limit bytes stay: stale ones go first, then Low ones, then those used longest
// ago. Both keep their order.
func Evict(t Table, entries []Entry, now time.Time, limit int) (keep, drop []Entry) {
	order := make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := entries[a], entries[b]
		if x.Low != y.Low {
			if y.Low {
				return -1
			}
			return 1
		}
		return y.Used.Compare(x.Used)
	})
	stays := make([]bool, len(entries))
	for _, i := range order {
		if e := entries[i]; Fresh(t, e, now) && e.Bytes <= limit {
			stays[i] = true
			limit -= e.Bytes
		}
	}
	for i, e := range entries {
		if stays[i] {
			keep = append(keep, e)
		} else {
			drop = append(drop, e)
		}
	}
	return keep, drop
}
