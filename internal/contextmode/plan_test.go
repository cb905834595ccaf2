package contextmode

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// input is a plan over a log under the default table.
func input(log []Turn, cuts []Cut, p Profile, budget int) Input {
	return Input{Log: log, Cuts: cuts, Table: Default(), Profile: p, Budget: budget}
}

// C20: nothing moves below the mark: H before a request, 0.9·H after a reply;
// above it the start goes to ρ·H in steps of 5, and at least K turns stay raw.
func TestWatermarks(t *testing.T) {
	table := Default()
	table.specs[0].Summarize = true
	log := kitchenLog(60)
	budget := 3000
	high := scale(budget, 0.9)
	for n := 1; n <= len(log); n++ {
		in := input(log[:n], nil, Full, budget)
		in.Table = table
		before := Plan(in)
		in.After = true
		after := Plan(in)
		if (before.Cut != nil) != (before.Before > high) || (after.Cut != nil) != (after.Before > scale(high, 0.9)) {
			t.Fatalf("%d turns, %d tokens: cut %v before, %v after", n, before.Before, before.Cut != nil, after.Cut != nil)
		}
		c := after.Cut
		if c == nil {
			continue
		}
		if c.Cut != n || c.From != 0 || c.To%5 != 0 || n-c.To < 6 || c.Reason != CutHigh || c.Profile != Full || c.Table != 1 || c.Estimate != after.Before {
			t.Fatalf("%+v", *c)
		}
		if after.After > scale(high, 0.5) {
			t.Fatalf("%d tokens are left, the low mark is %d", after.After, high/2)
		}
		one := in
		one.Log = log[:n]
		if v := Fold(log[:n], []Cut{*c}); len(v.Blocks) != c.To/5 || !strings.HasPrefix(v.Blocks[0], "[1-5] ") {
			t.Fatalf("blocks are %q", v.Blocks)
		}
		return
	}
	t.Fatal("no cut in 60 turns")
}

// C20, C21: a richer or a lighter profile moves no byte by itself: between the
// marks of both the view stays, and going back re-inserts nothing.
func TestProfileMovesOnlyTheMark(t *testing.T) {
	log := kitchenLog(40)
	cuts := talked(log, Full, 2500)
	if len(cuts) == 0 {
		t.Fatal("no cut to begin with")
	}
	view := Fold(log, cuts)
	for i := range 100 { // switching a hundred times leaves no trace (C11)
		p := Profiles()[i%2]
		if out := Plan(input(log, cuts, p, 32000)); out.Cut != nil {
			t.Fatalf("%s made a cut: %+v", p, out.Cut)
		}
	}
	if !reflect.DeepEqual(Fold(log, cuts), view) {
		t.Error("the view changed")
	}
	out := Plan(input(log, cuts, Minimal, 32000))
	if n := len(view.Turns); n > 8 && out.Cut == nil || n <= 8 && out.Cut != nil {
		t.Errorf("minimal with %d turns: %v", n, out.Cut)
	}
}

// C20: max_turns acts at a cut, and by itself only above four times as many;
// K = min(6, max_turns).
func TestMaxTurns(t *testing.T) {
	log := kitchenLog(41)
	for _, tt := range []struct {
		profile Profile
		turns   int
		left    int // raw turns after; -1: no cut
	}{
		{Minimal, 8, -1}, {Minimal, 9, 2}, {Compact, 40, -1}, {Compact, 41, 6}, {Full, 41, -1},
	} {
		out := Plan(input(log[:tt.turns], nil, tt.profile, 100_000))
		if tt.left < 0 {
			if out.Cut != nil {
				t.Errorf("%s, %d turns: cut to %d", tt.profile, tt.turns, out.Cut.To)
			}
			continue
		}
		if out.Cut == nil || out.Cut.Reason != CutMaxTurns || tt.turns-out.Cut.To != tt.left {
			t.Errorf("%s, %d turns: %+v", tt.profile, tt.turns, out.Cut)
		}
	}
	// At a cut for another reason too.
	out := Plan(input(log[:30], nil, Compact, 2000))
	if out.Cut == nil || out.Cut.Reason != CutHigh || 30-out.Cut.To > 10 || 30-out.Cut.To < 6 {
		t.Errorf("%+v", out.Cut)
	}
}

// C9, C10: what was cut off is summarised only when the profile says so, in blocks
// of five turns, from the originals, and the numbers are verbatim.
func TestSummarize(t *testing.T) {
	log := kitchenLog(70)
	if out := Plan(input(log, nil, Full, 2000)); out.Cut == nil || len(out.Cut.Blocks) != 0 || len(out.Ranges) != 0 {
		t.Errorf("full summarises: %+v", out.Cut)
	}
	out := Plan(input(log, nil, Compact, 4000))
	if out.Cut == nil || len(out.Cut.Blocks) != 12 || len(out.Ranges) != 12 {
		t.Fatalf("%+v", out)
	}
	tokens, cost := 0, 0
	for i, b := range out.Cut.Blocks {
		r, ok := blockRange(b)
		if !ok || r != (Range{5 * i, 5*i + 5}) || CheckSummary(b[strings.Index(b, "] ")+2:], log[r.From:r.To]) != nil {
			t.Errorf("block %q", b)
		}
		tokens += (Meter{}).Tokens(b)
		for j := r.From; j < r.To; j++ {
			cost += (Meter{}).turn(&log[j])
		}
	}
	if share := float64(tokens) / float64(cost); share < 0.05 || share > 0.3 {
		t.Errorf("blocks have %.2f of their originals", share)
	}
	// Not twice: what a block tells of is told from the log again when blocks merge.
	cuts := talked(kitchenLog(400), Compact, 3000)
	merged := false
	for _, c := range cuts {
		for _, b := range c.Blocks {
			r, _ := blockRange(b)
			merged = merged || r.To-r.From > 5
			_, text, _ := strings.Cut(b, "] ")
			for part := range strings.SplitSeq(text, " | ") {
				words := part[strings.Index(part, ": ")+2:]
				for s := range strings.SplitSeq(words, "→ ") {
					if s = strings.TrimSpace(s); !saidIn(kitchenLog(400)[r.From:r.To], s) {
						t.Fatalf("%q was not said word for word in turns %v", s, r)
					}
				}
			}
		}
	}
	if !merged {
		t.Error("nothing was merged in 400 turns")
	}
}

// saidIn reports whether the sentences of s are in one of the turns.
func saidIn(turns []Turn, s string) bool {
	return slices.ContainsFunc(turns, func(t Turn) bool {
		ok := true
		for part := range sentences(s) {
			ok = ok && strings.Contains(t.User+"\n"+t.Assistant, part)
		}
		return ok
	})
}

// C9, C10: a model's summary is used when it is right; one that lies, is empty or
// far too long falls back to the extractive block, and nobody waits.
func TestModelSummaries(t *testing.T) {
	log := kitchenLog(70)
	in := input(log, nil, Compact, 4000)
	plain := Plan(in)
	in.Summaries = map[Range]string{
		{0, 5}: "妈妈和爸爸问了盐和火候。", {5, 10}: "一共放了999克盐。", {10, 15}: strings.Repeat("啰嗦", 900),
	}
	out := Plan(in)
	if out.Cut == nil || out.Fallback != 2 {
		t.Fatalf("%d fell back: %+v", out.Fallback, out.Cut)
	}
	want := slices.Clone(plain.Cut.Blocks)
	want[0] = "[1-5] 妈妈和爸爸问了盐和火候。"
	if !slices.Equal(out.Cut.Blocks, want) {
		t.Errorf("got  %q\nwant %q", out.Cut.Blocks, want)
	}
}

// R44: a failed turn is replayed until the next cut and never told of in a
// summary or in the facts.
func TestFailedTurns(t *testing.T) {
	log := kitchenLog(70)
	log[3].User, log[3].Failed, log[3].Facts = "放七百八十九克糖", true, []Fact{{ID: "f", Text: "七百八十九"}}
	log[3].Sent = log[3].User
	if v := Fold(log[:10], nil); v.Messages("", "")[6].Content != log[3].User {
		t.Error("it is not replayed")
	}
	out := Plan(input(log, nil, Compact, 4000))
	if out.Cut == nil || out.Cut.To < 5 {
		t.Fatalf("%+v", out.Cut)
	}
	if text := fmt.Sprint(out.Cut.Blocks, out.Cut.Facts); strings.Contains(text, "七百八十九") {
		t.Errorf("it is told of: %s", text)
	}
	if got := extract(log[:5], 1000, Meter{}, 0.1); strings.Contains(got, "七百八十九") || got == "" {
		t.Errorf("even where everything is kept: %s", got)
	}
	if (&log[3]).Importance() != ImportanceTalk {
		t.Error("it is important")
	}
}

// C5, C6: pinned facts stay in every profile, verbatim; keep_session decides about
// the unconfirmed ones; turns of importance_keep and more stay whole.
func TestNeverTrimmed(t *testing.T) {
	for _, p := range Profiles() {
		log := kitchenLog(50)
		log[0].Facts = []Fact{{ID: "a", Text: "小宝对花生过敏"}, {ID: "b", Text: "好像爱吃辣", Unconfirmed: true}}
		log[1].User, log[1].Assistant = "记得爷爷不能吃海鲜", "好的，不放海鲜。"
		in := input(log, nil, p, 2000)
		out := Plan(in)
		if out.Cut == nil {
			t.Fatalf("%s: no cut", p)
		}
		if !slices.Contains(out.Cut.Facts, "小宝对花生过敏") || slices.Contains(out.Cut.Facts, "好像爱吃辣") != (p != Minimal) {
			t.Errorf("%s: facts %q", p, out.Cut.Facts)
		}
		v := Fold(log, []Cut{*out.Cut})
		if got, want := TrimmedOf(v, log).Items, map[Profile]int{Minimal: 1}[p]; got != want {
			t.Errorf("%s: %d items trimmed, want %d", p, got, want)
		}
		in.Table.specs[p.rank()].ImportanceKeep = 0.7
		out = Plan(in)
		if whole := fmt.Sprint(out.Cut.Blocks); !strings.Contains(whole, "记得爷爷不能吃海鲜→ 好的，不放海鲜。") {
			t.Errorf("%s: an important turn is gone: %s", p, whole)
		}
	}
}

// C24: a correction is in force at once, in the header, until the next cut; then
// only the new fact is frozen. The log keeps both.
func TestCorrections(t *testing.T) {
	log := kitchenLog(30)
	for i := range log {
		log[i].Facts = nil
	}
	log[2].Facts = []Fact{{ID: "f1", Text: "四个人吃"}}
	if got := Corrections(log[:4], nil); len(got) != 0 {
		t.Errorf("a new fact is no correction: %q", got)
	}
	log[5].Facts = []Fact{{ID: "f2", Text: "五个人吃", Replaces: "f1"}}
	log[6].Facts = []Fact{{ID: "f3", Text: "三个人\n[吃]", Replaces: "f2"}}
	for n := 7; n < 20; n++ {
		if got := Corrections(log[:n], nil); !slices.Equal(got, []string{"[更正 三个人 (吃)]"}) {
			t.Fatalf("after %d turns: %q", n, got)
		}
	}
	out := Plan(input(log, nil, Compact, 2000))
	if out.Cut == nil || !slices.Equal(out.Cut.Facts, []string{"三个人 [吃]"}) {
		t.Fatalf("%+v", out.Cut)
	}
	cuts := []Cut{*out.Cut}
	if got := Corrections(log, cuts); len(got) != 0 {
		t.Errorf("after the cut: %q", got)
	}
	more := append(slices.Clone(log), Turn{Sent: "x", Facts: []Fact{{ID: "f4", Text: "两个人吃", Replaces: "f3"}}})
	if got := Corrections(more, cuts); !slices.Equal(got, []string{"[更正 两个人吃]"}) {
		t.Errorf("corrected again: %q", got)
	}
	if fmt.Sprint(log[2].Facts, log[5].Facts) != "[{f1 四个人吃  false}] [{f2 五个人吃 f1 false}]" {
		t.Error("the log lost one")
	}
}

// C6: over the budget the request goes out if the model takes it; else raw turns go
// below K, oldest first, then blocks, then unconfirmed facts; a current message
// that alone does not fit is cut in the middle. Pinned facts stay.
func TestOverrun(t *testing.T) {
	log := kitchenLog(20)
	log[0].Facts = []Fact{{ID: "a", Text: "小宝对花生过敏"}, {ID: "b", Text: strings.Repeat("可能爱吃辣，", 30), Unconfirmed: true}}
	in := input(log, nil, Compact, 300)
	out := Plan(in)
	if !out.Overrun || out.Cut == nil || len(log)-out.Cut.To != 6 || out.Room >= 0 {
		t.Errorf("without a window: %+v", out)
	}
	left := 7
	for _, window := range []int{1000, 800, 700, 560, 450} {
		in.Window, in.Fixed = window, 100
		out = Plan(in)
		if !out.Overrun || out.Cut == nil || out.After > window-100 || out.Cut.Reason != CutOverrun && window < 800 || !slices.Contains(out.Cut.Facts, "小宝对花生过敏") {
			t.Fatalf("window %d: %+v, %+v", window, out, out.Cut)
		}
		raw := len(log) - out.Cut.To
		if raw > left || raw > 0 && len(out.Cut.Facts) < 2 {
			t.Errorf("window %d: %d raw turns, facts %q", window, raw, out.Cut.Facts)
		}
		left = raw
	}
	if left != 0 || len(Fold(log, []Cut{*out.Cut}).Blocks) != 0 {
		t.Errorf("the smallest window still has %d raw turns", left)
	}
	in.Current, in.Window = "[19:55 妈妈]\n"+strings.Repeat("很长的一段话。", 400), 600
	if out = Plan(in); out.Room < minRoom || out.Cut == nil || len(out.Cut.Facts) != 2 || strings.Contains(fmt.Sprint(out.Cut.Facts), "可能") {
		t.Fatalf("%+v", out)
	}
	short := CutMiddle(in.Current, out.Room, Meter{})
	if !strings.HasPrefix(short, "[19:55 妈妈]\n很长") || !strings.HasSuffix(short, "话。") || strings.Count(short, "…") != 1 {
		t.Errorf("cut to %q", short)
	}
	if n := (Meter{}).message(short); n > out.Room || n < out.Room*8/10 {
		t.Errorf("%d tokens for %d", n, out.Room)
	}
	if CutMiddle("短", 100, Meter{}) != "短" {
		t.Error("what fits is cut")
	}
}

// C6, C20: an empty log, a single turn larger than the budget, a window of 4k and
// one of 1M.
func TestExtremes(t *testing.T) {
	table := Default()
	if out := Plan(input(nil, nil, Compact, 8000)); out.Cut != nil || out.Before != table.Trim.ReplyReserve {
		t.Errorf("empty: %+v", out)
	}
	if v := Fold(nil, nil); len(v.Messages("", "")) != 0 || v.Head != "" || v.LastCut != -1 {
		t.Errorf("empty: %+v", v)
	}
	huge := kitchenLog(1)
	huge[0].Sent = strings.Repeat("很长的一段话。", 3000)
	if out := Plan(input(huge, nil, Compact, 8000)); out.Cut != nil || !out.Overrun {
		t.Errorf("one huge turn: %+v", out)
	}
	log := kitchenLog(120)
	for _, window := range []int{4096, 1_000_000} {
		var cuts []Cut
		budget := table.BudgetAt(Full, 0.3, false, window, 1000)
		for n := 1; n <= len(log); n++ {
			in := input(log[:n], cuts, Full, budget)
			in.Window, in.Fixed, in.After = window, 1000, true
			out := Plan(in)
			if out.Overrun || out.After > window-1000 {
				t.Fatalf("window %d, turn %d: %+v", window, n, out)
			}
			if out.Cut != nil {
				cuts = append(cuts, *out.Cut)
			}
		}
		if (len(cuts) > 0) != (window == 4096) {
			t.Errorf("window %d: %d cuts", window, len(cuts))
		}
	}
}

// C20: on an explicit request, and only then, cut-off turns come back, up to the
// low mark; their blocks go.
func TestReopen(t *testing.T) {
	log := kitchenLog(40)
	cuts := talked(log, Compact, 3000)
	before := Fold(log, cuts)
	in := input(log, cuts, Full, 32000)
	if Plan(in).Cut != nil {
		t.Error("they come back by themselves")
	}
	in.Reopen = true
	out := Plan(in)
	if out.Cut == nil || out.Cut.Reason != CutExplicit || out.Cut.To != 0 || out.Cut.From != before.Start || len(out.Cut.Blocks) != 0 {
		t.Fatalf("%+v", out.Cut)
	}
	v := Fold(log, append(slices.Clone(cuts), *out.Cut))
	if v.Start != 0 || len(v.Turns) != 40 {
		t.Errorf("view begins at %d", v.Start)
	}
	in.Budget = 6000
	out = Plan(in)
	if out.Cut == nil || out.Cut.To == 0 || out.Cut.To >= before.Start || out.After > scale(scale(6000, 0.9), 0.5) {
		t.Errorf("%+v, %d tokens", out.Cut, out.After)
	}
}

// C11, C20, C21: records that contradict the log or each other are ignored; each
// stands for itself.
func TestFoldIgnores(t *testing.T) {
	log := kitchenLog(20)
	a := Cut{Cut: 10, From: 0, To: 5, Reason: CutHigh, Facts: []string{"a"}}
	b := Cut{Cut: 18, From: 5, To: 10, Reason: CutHigh, Facts: []string{"b"}}
	for _, tt := range []struct {
		name           string
		cuts           []Cut
		start, ignored int
		fact           string
	}{
		{"both", []Cut{a, b}, 10, 0, "b"},
		{"the first is lost", []Cut{b}, 10, 0, "b"},
		{"beyond the log", []Cut{a, {Cut: 21, To: 15, Reason: CutHigh}}, 5, 1, "a"},
		{"back without a request", []Cut{b, {Cut: 19, From: 10, To: 5, Reason: CutHigh}}, 10, 1, "b"},
		{"back on request", []Cut{b, {Cut: 19, From: 10, To: 5, Reason: CutExplicit, Facts: []string{"c"}}}, 5, 0, "c"},
		{"older than the one before", []Cut{b, a}, 10, 1, "b"},
		{"nonsense", []Cut{{Cut: -1, To: -2}, {Cut: 3, To: 9}}, 0, 2, ""},
	} {
		v := Fold(log, tt.cuts)
		if v.Start != tt.start || v.Ignored != tt.ignored || v.Applied != len(tt.cuts)-tt.ignored || tt.fact != "" && v.Facts[0] != tt.fact {
			t.Errorf("%s: %+v", tt.name, v)
		}
	}
}

// C11: a calibration that comes later, another model and another table change
// nothing of the view.
func TestViewKnowsOnlyTheLogs(t *testing.T) {
	log := kitchenLog(60)
	cuts := talked(log, Compact, 3000)
	want := Fingerprint(Fold(log, cuts).Messages("s", "c"))
	for range 5 { // other slices with the same values, as after a restart
		var again []Cut
		for _, c := range cuts {
			line, _ := MarshalCut(c)
			c, err := ParseCut(line)
			if err != nil {
				t.Fatal(err)
			}
			again = append(again, c)
		}
		if got := Fingerprint(Fold(kitchenLog(60), again).Messages("s", "c")); got != want {
			t.Fatal("the view changed")
		}
	}
}

// C4: what is trimmed is counted, turns and items apart, summarised ones named.
func TestTrimmedOf(t *testing.T) {
	log := kitchenLog(30)
	if got := TrimmedOf(Fold(log, nil), log); got != (Trimmed{}) {
		t.Errorf("before a cut: %+v", got)
	}
	v := Fold(log, []Cut{{Cut: 25, To: 20, Reason: CutHigh, Blocks: []string{"[6-10] a", "[11-20] b", "no label"}}})
	if got := TrimmedOf(v, log); got != (Trimmed{Turns: 20, Items: 1, Summarised: 15}) {
		t.Errorf("got %+v", got)
	}
}

// C8, C17: the parts of a view are what the plan estimated; system and tools are
// not among them.
func TestParts(t *testing.T) {
	log := kitchenLog(60)
	cuts := talked(log, Compact, 3000)
	v, in := Fold(log, cuts), input(log, cuts, Compact, 8000)
	in.Current = "[19:55 妈妈]\n下一步呢"
	parts := v.Parts(in.Meter, in.Table.Trim, in.Current)
	if out := Plan(in); parts.Sum() != out.Before || parts.Facts == 0 || parts.Blocks == 0 || parts.Turns == 0 || parts.Current == 0 || parts.Reserve != 150 {
		t.Errorf("%+v is %d, planned with %d", parts, parts.Sum(), out.Before)
	}
}

// C11: planning and folding write to nothing they are given, not even behind the
// end of a slice.
func TestInputIsNotTouched(t *testing.T) {
	log := kitchenLog(90)
	cuts := talked(log[:50], Compact, 3000)
	last := &cuts[len(cuts)-1]
	spare := append(make([]string, 0, 40), last.Blocks...)
	last.Blocks = spare
	wasLog, wasCuts := cloneTurns(log), cloneCuts(cuts)
	for _, p := range Profiles() {
		for _, budget := range []int{300, 1000, 3000, 32000} {
			in := input(log, cuts, p, budget)
			in.Window, in.Fixed, in.Reopen = 2000, 300, true
			in.Summaries = map[Range]string{{last.To, last.To + 5}: "放盐"}
			if out := Plan(in); out.Cut != nil {
				out.Cut.Facts, out.Cut.Blocks = append(out.Cut.Facts, "x"), append(out.Cut.Blocks, "x")
			}
			Corrections(log, cuts)
			TrimmedOf(Fold(log, cuts), log)
		}
	}
	if !reflect.DeepEqual(log, wasLog) || !reflect.DeepEqual(cuts, wasCuts) {
		t.Error("the input was changed")
	}
	for _, s := range spare[len(spare):cap(spare)] {
		if s != "" {
			t.Errorf("%q was written behind the blocks of a record", s)
		}
	}
}
