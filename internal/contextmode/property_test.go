package contextmode

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// checkView holds a view to what must be true of every one that Plan's records
// give: the order, and every pinned fact in force either frozen or in a raw turn
// (C6).
func checkView(t testing.TB, v View, log []Turn, cuts []Cut) {
	t.Helper()
	checkOrder(t, v, log)
	if v.LastCut < 0 {
		return
	}
	frozen := cuts[v.LastCut].Cut
	for _, f := range factsInForce(log[:frozen]) {
		if !f.Unconfirmed && !strings.Contains(v.Head, factText(f)) {
			t.Fatalf("pinned fact %q is missing", f.Text)
		}
	}
	if frozen < v.Start {
		t.Fatalf("turns from %d on are neither frozen nor raw", frozen)
	}
}

// checkOrder: a contiguous run of the log's end in the order it was said (C7),
// after at most one user message, and no tool message (C22).
func checkOrder(t testing.TB, v View, log []Turn) {
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
}

// dice reads choices from fuzzed bytes; when they run out everything is 0.
type dice struct{ data []byte }

func (d *dice) roll(n int) int {
	if len(d.data) == 0 {
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return int(b) % n
}

// turn makes up one turn.
func (d *dice) turn(i int) Turn {
	words := []string{"嗯", "帮我定一个17分钟的计时器", "下一步呢？", "我们三个人吃", "set it to 25 minutes", strings.Repeat("很长很长的一句话，", 1+d.roll(120)), "\xff坏的\n字", ""}
	t := Turn{User: words[d.roll(len(words))], Assistant: words[d.roll(len(words))], Speaker: []string{"妈妈", "", "guest"}[d.roll(3)]}
	t.Sent, t.Reply = "[19:30 "+t.Speaker+"]\n"+t.User, t.Assistant
	switch d.roll(6) {
	case 0:
		t.Failed = true
	case 1:
		t.Facts = []Fact{{ID: fmt.Sprint("f", i), Text: fmt.Sprintf("%d个人吃", d.roll(5)), Unconfirmed: d.roll(3) == 0}}
	case 2:
		t.Facts = []Fact{{ID: fmt.Sprint("f", i), Text: "改成" + fmt.Sprint(i), Replaces: fmt.Sprint("f", d.roll(i+1))}}
	}
	return t
}

// FuzzPlan talks through random conversations under changing profiles, budgets and
// windows. C6, C7, C11, C20, C21, C22, C23, C24, R44.
func FuzzPlan(f *testing.F) {
	f.Add(bytes.Repeat([]byte{1, 5, 9, 60, 2, 7}, 80))
	f.Add(bytes.Repeat([]byte{5, 119, 5, 119, 0, 3, 1, 2, 0, 0, 4}, 60))
	f.Add(bytes.Repeat([]byte{250, 3, 3, 1, 77, 2, 2, 1, 9, 13, 5, 5, 40}, 70))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) { talkAtRandom(t, data) })
}

func talkAtRandom(t *testing.T, data []byte) {
	t.Helper()
	d := &dice{data}
	table := Default()
	if d.roll(3) == 1 {
		table.specs[1].ImportanceKeep = 0.7 // turns that are never trimmed
	}
	var log []Turn
	var cuts []Cut
	var before []Message
	for i := 0; i < 120 && (len(d.data) > 0 || i < 30); i++ {
		in := Input{
			Table: table, Profile: Profiles()[d.roll(3)], Meter: NewMeter("", Calibration(800+100*d.roll(5))),
			Budget: []int{256, 800, 2000, 6000}[d.roll(4)], Reopen: d.roll(9) == 1,
		}
		if d.roll(5) == 1 {
			in.Window, in.Fixed = 400+100*d.roll(20), 300
		}
		next := d.turn(i)
		in.Current = next.Sent
		cut := step(t, &in, log, &cuts)
		now := Fold(log, cuts).Messages("system", next.Sent)
		if !cut && before != nil && !slices.Equal(before, now[:min(len(before), len(now))]) {
			t.Fatalf("turn %d: prefix break without a cut", i)
		}
		log = append(log, next)
		in.After, in.Current, in.Reopen = true, "", false
		before = now
		if step(t, &in, log, &cuts) {
			before = nil
		}
	}
}

// step plans once and holds the outcome to the rules; it appends the record as it
// reads back from its line.
func step(t *testing.T, in *Input, log []Turn, cuts *[]Cut) (cut bool) {
	in.Log, in.Cuts = log, *cuts
	wasLog, wasCuts := cloneTurns(log), cloneCuts(*cuts)
	v := Fold(log, *cuts)
	out := Plan(*in)
	if again := Plan(*in); !reflect.DeepEqual(again, out) {
		t.Fatal("the same input gave two plans")
	}
	if !reflect.DeepEqual(log, wasLog) || !reflect.DeepEqual(*cuts, wasCuts) {
		t.Fatal("the input was changed") // C11
	}
	hard := in.Window - in.Fixed
	if in.Window > 0 && out.After > hard && out.Room < 0 && in.Current != "" {
		t.Fatalf("%d tokens go out into a window of %d", out.After, hard)
	}
	if out.After > in.Budget && !out.Overrun {
		t.Fatalf("%d tokens over a budget of %d, and nobody is told", out.After, in.Budget)
	}
	if out.Cut == nil {
		return false
	}
	line, err := MarshalCut(*out.Cut)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := ParseCut(line)
	if err != nil || !reflect.DeepEqual(stored, *out.Cut) {
		t.Fatalf("%v: %s reads back as %+v", err, line, stored)
	}
	*cuts = append(*cuts, stored)
	w := Fold(log, *cuts)
	checkView(t, w, log, *cuts)
	checkCut(t, *in, out, v, w)
	if got, want := Fold(log, append([]Cut(nil), *cuts...)), w; !reflect.DeepEqual(got, want) {
		t.Fatal("the same logs gave two views")
	}
	return true
}

func checkCut(t *testing.T, in Input, out Outcome, v, w View) {
	t.Helper()
	c := out.Cut
	if w.Ignored != v.Ignored {
		t.Fatalf("its own record is ignored: %+v", c)
	}
	keep := in.Table.Trim.KeepTurns
	if n := in.Table.Spec(in.Profile).MaxTurns; n > 0 {
		keep = min(keep, n)
	}
	if c.Reason != CutOverrun && len(w.Turns) < min(keep, len(v.Turns)) {
		t.Fatalf("%d raw turns are left", len(w.Turns))
	}
	if w.Start < v.Start && (c.Reason != CutExplicit || !in.Reopen) {
		t.Fatalf("start moved back from %d to %d: %s", v.Start, w.Start, c.Reason)
	}
	if got := in.Meter.Messages(w.Messages("", in.Current)) + in.Table.Trim.ReplyReserve; out.Room < 0 && abs(got-out.After) > len(w.Turns)+4 {
		t.Fatalf("the estimate is %d and the view has %d", out.After, got)
	}
	for _, b := range w.Blocks {
		if r, ok := blockRange(b); !ok || r.To > w.Start {
			t.Fatalf("block %q tells of raw turns from %d on", b, w.Start)
		}
	}
}

func abs(n int) int { return max(n, -n) }

func cloneTurns(log []Turn) []Turn {
	c := slices.Clone(log)
	for i := range c {
		c[i].Facts = slices.Clone(c[i].Facts)
	}
	return c
}

func cloneCuts(cuts []Cut) []Cut {
	c := slices.Clone(cuts)
	for i := range c {
		c[i].Blocks, c[i].Facts = slices.Clone(c[i].Blocks), slices.Clone(c[i].Facts)
	}
	return c
}

// The properties of FuzzPlan over many random conversations.
func TestRandomConversations(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	for range 60 {
		data := make([]byte, 200+random.IntN(900))
		for i := range data {
			data[i] = byte(random.IntN(256))
		}
		talkAtRandom(t, data)
	}
}
