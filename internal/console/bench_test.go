package console

import (
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"homebot/internal/event"
)

// BenchmarkEventToPage is how long an event takes from the bus to twenty open
// pages, each a real websocket: the slowest of them, P50 and P95; and what twenty
// pages take of the heap.
func BenchmarkEventToPage(b *testing.B) {
	h := newHouse(b, nil)
	before := heap()
	const pages = 20
	all := make([]*socket, pages)
	for i := range all {
		all[i] = h.dial("/api/v1/live")
		all[i].next()
	}
	each := float64(heap()-before) / pages / 1024
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		h.bus.Publish(event.PartialHeard, event.Words{Text: "番茄炒蛋怎么做", Lang: "zh"})
		for _, s := range all {
			s.next()
		}
		took = append(took, time.Since(start))
	}
	b.ReportMetric(each, "KiB/page") // the test's own end of each included
	report(b, took)
}

// BenchmarkUnderAttack is the way of an event to a page while strangers open five
// hundred sockets, guess codes and post huge bodies, all the time. The bus is
// what the voice path publishes on: its Publish is measured too, and must not
// wait.
func BenchmarkUnderAttack(b *testing.B) {
	h := newHouse(b, nil)
	page := h.dial("/api/v1/live")
	page.next()
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() { defer close(done); attack(h, stop) }()
	var took, publish []time.Duration
	for b.Loop() {
		start := time.Now()
		h.bus.Publish(event.BargedIn, nil)
		publish = append(publish, time.Since(start))
		page.until("the event", func(m object) bool { return m["kind"] == "barge_in" })
		took = append(took, time.Since(start))
	}
	close(stop)
	<-done
	slices.Sort(publish)
	b.ReportMetric(float64(publish[len(publish)*95/100].Microseconds()), "publish-p95-µs")
	report(b, took)
}

func attack(h *house, stop chan struct{}) {
	address := strings.TrimPrefix(h.console.Address().HTTP, "http://")
	var idle []net.Conn
	for {
		select {
		case <-stop:
			for _, c := range idle {
				_ = c.Close()
			}
			return
		default:
		}
		c, err := net.Dial("tcp", address)
		if err != nil {
			continue
		}
		_, _ = c.Write([]byte("POST /api/v1/pair HTTP/1.1\r\nHost: " + address + "\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n{\"code\":\"12345\"}"))
		if idle = append(idle, c); len(idle) > 500 {
			_ = idle[0].Close()
			idle = idle[1:]
		}
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

func report(b *testing.B, took []time.Duration) {
	b.Helper()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
}
