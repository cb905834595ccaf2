package contextmode

import (
	"fmt"
	"testing"
	"time"
)

// kitchenLog is a made-up log of n turns, as long as spoken ones are.
func kitchenLog(n int) []Turn {
	log := make([]Turn, n)
	for i := range log {
		s := spokenTurn{
			T: 90 * i, Speaker: []string{"妈妈", "爸爸", "小宝"}[i%3],
			User:      fmt.Sprintf("第%d步做完了，接下来放多少克盐，火要多大？", i%9+1),
			Assistant: fmt.Sprintf("放%d克盐，转中小火，盖上锅盖炖%d分钟，中途翻动一次，避免粘锅。需要我帮你定一个计时器吗？", i%7+2, i%40+5),
		}
		log[i] = s.turn()
		if i%50 == 7 {
			log[i].Facts = []Fact{{ID: fmt.Sprintf("f%d", i), Text: fmt.Sprintf("%d个人吃，第%d次", i%5+2, i)}}
		}
	}
	return log
}

// talked is a log with the cuts it got turn by turn under the default table.
func talked(log []Turn, p Profile, budget int) []Cut {
	var cuts []Cut
	for n := 1; n <= len(log); n++ {
		out := Plan(Input{Log: log[:n], Cuts: cuts, Table: Default(), Profile: p, Budget: budget, After: true})
		if out.Cut != nil {
			cuts = append(cuts, *out.Cut)
		}
	}
	return cuts
}

// assemble is what a turn pays: the plan before the request, the view, the
// messages.
func assemble(log []Turn, cuts []Cut, current string) (msgs []Message, estimate int) {
	out := Plan(Input{Log: log, Cuts: cuts, Table: Default(), Profile: Full, Budget: 32000, Current: current})
	return Fold(log, cuts).Messages("system", current), out.After
}

// T7: assembling a 200-turn view allocates less than 200 KB. (Its time is in
// BenchmarkAssemble200.)
func TestAssembleAllocates(t *testing.T) {
	log := kitchenLog(200)
	r := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			assemble(log, nil, "下一步呢")
		}
	})
	if got := r.AllocedBytesPerOp(); got >= 200<<10 {
		t.Errorf("MISS T7 a 200-turn view: %d bytes allocated, less than 200 KB", got)
	} else {
		t.Logf("ok   T7 a 200-turn view: %d bytes allocated, less than 200 KB", got)
	}
	if msgs, _ := assemble(log, nil, "下一步呢"); len(msgs) != 402 {
		t.Errorf("%d messages of 200 turns", len(msgs))
	}
}

func BenchmarkAssemble200(b *testing.B) {
	log := kitchenLog(200)
	b.ReportAllocs()
	for b.Loop() {
		assemble(log, nil, "下一步呢")
	}
}

// BenchmarkCold10000: after a restart, 10 000 turns and their cut records as
// lines.
func BenchmarkCold10000(b *testing.B) {
	log := kitchenLog(10_000)
	var lines [][]byte
	for _, c := range talked(log, Compact, 8000) {
		line, err := MarshalCut(c)
		if err != nil {
			b.Fatal(err)
		}
		lines = append(lines, line)
	}
	b.ReportMetric(float64(len(lines)), "cuts")
	b.ReportAllocs()
	for b.Loop() {
		cuts, _ := ParseCuts(lines)
		v := Fold(log, cuts)
		Plan(Input{Log: log, Cuts: cuts, Table: Default(), Profile: Compact, Budget: 8000, Current: "下一步呢"})
		v.Messages("system", "下一步呢")
	}
}

// BenchmarkFirstCut10000: a log of 10 000 turns that never had a cut.
func BenchmarkFirstCut10000(b *testing.B) {
	log := kitchenLog(10_000)
	b.ReportAllocs()
	for b.Loop() {
		Plan(Input{Log: log, Table: Default(), Profile: Compact, Budget: 8000})
	}
}

func BenchmarkDecide(b *testing.B) {
	t, s := Default(), Signals{Turns: 3, Load: 0.4, Now: evening}
	b.ReportAllocs()
	for b.Loop() {
		s.Now = s.Now.Add(time.Second)
		Decide(t, s)
	}
}

func BenchmarkReadWords(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		ReadWords("帮我定一个17分钟的计时器，然后说详细点怎么炖番茄")
	}
}
