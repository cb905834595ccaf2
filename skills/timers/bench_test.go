package timers

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"homebot/internal/store"
)

// The figure for the note: how late a ring is, one of sixty, on a real disk
// while every processor of the machine is busy.
func BenchmarkLateness(b *testing.B) {
	for b.Loop() {
		late := lateness(b, 60)
		slices.Sort(late)
		b.ReportMetric(float64(late[len(late)/2].Microseconds())/1000, "ms-p50")
		b.ReportMetric(float64(late[len(late)*99/100].Microseconds())/1000, "ms-p99")
	}
}

// The first ring comes when all are set; each is on disk before it sounds.
const (
	firstRing  = 8 * time.Second
	ringsApart = 100 * time.Millisecond
)

// lateness sets n timers and returns how late each of them rang.
func lateness(b *testing.B, n int) []time.Duration {
	ctx, cancel := context.WithCancel(context.Background())
	var load, ran sync.WaitGroup
	for range 4 {
		load.Go(func() { burn(ctx) })
	}
	var mu sync.Mutex
	due, late := map[string]time.Time{}, map[string]time.Duration{}
	book, err := Open(Config{FS: store.OS(), Workspace: b.TempDir(), Ring: func(_ context.Context, now []Timer) {
		mu.Lock()
		defer mu.Unlock()
		for _, t := range now {
			if _, ok := late[t.ID]; !ok {
				late[t.ID] = time.Since(due[t.ID])
			}
		}
	}})
	if err != nil {
		b.Fatal(err)
	}
	ran.Go(func() { _ = book.Run(ctx) })
	for i := range n {
		span := firstRing + time.Duration(i)*ringsApart
		mu.Lock()
		t, err := book.Set(Order{Span: span})
		if err != nil {
			b.Fatal(err)
		}
		due[t.ID] = time.Now().Add(span)
		mu.Unlock()
	}
	time.Sleep(firstRing + time.Duration(n+10)*ringsApart)
	cancel()
	ran.Wait()
	load.Wait()
	mu.Lock()
	defer mu.Unlock()
	if len(late) != n {
		b.Fatalf("%d of %d rang", len(late), n)
	}
	all := make([]time.Duration, 0, n)
	for _, d := range late {
		all = append(all, d)
	}
	return all
}

// burn keeps a processor busy until ctx ends.
func burn(ctx context.Context) {
	for x := 1; ctx.Err() == nil; x++ {
		for range 1000 {
			x = x*31 + 7
		}
	}
}
