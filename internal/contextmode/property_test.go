package contextmode

import (
	"strings"
	"testing"
)

// checkView holds a view to what must be true of every one: a contiguous run of
// the log's end in the order it was said (C7), no tool message (C22), every pinned
// fact in force either frozen or in a raw turn (C6).
func checkView(t testing.TB, v View, log []Turn, cuts []Cut) {
	t.Helper()
	msgs := v.Messages("", "")
	if v.Head != "" {
		if msgs[0] != (Message{RoleUser, v.Head}) {
			t.Fatal("facts and blocks are not first")
		}
		msgs = msgs[1:]
	}
	for i := v.Start; i < len(log); i++ {
		for _, want := range []Message{{RoleUser, log[i].Sent}, {RoleAssistant, log[i].Reply}} {
			if want.Content == "" {
				continue
			}
			if len(msgs) == 0 || msgs[0] != want {
				t.Fatalf("turn %d is not where it belongs", i)
			}
			msgs = msgs[1:]
		}
	}
	if len(msgs) != 0 {
		t.Fatalf("%d messages are of no turn: %v", len(msgs), msgs[0])
	}
	frozen := -1
	if v.LastCut >= 0 {
		frozen = cuts[v.LastCut].Cut
	}
	for _, f := range factsInForce(log[:max(frozen, 0)]) {
		if !f.Unconfirmed && !strings.Contains(v.Head, factText(f)) && !correctedAfter(log[frozen:], f) {
			t.Fatalf("pinned fact %q is missing", f.Text)
		}
	}
	if max(frozen, 0) < v.Start {
		t.Fatalf("turns from %d on are neither frozen nor raw", frozen)
	}
}

func correctedAfter(turns []Turn, f Fact) bool {
	for _, t := range turns {
		for _, g := range t.Facts {
			if g.Replaces == f.ID && f.ID != "" {
				return true
			}
		}
	}
	return false
}
