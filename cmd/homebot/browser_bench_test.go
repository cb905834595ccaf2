package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// slowdowns of the browser's CPU: this machine, and about a phone of a few years
// ago (what Chrome's own tools call "low-tier").
var slowdowns = []float64{1, 6}

// BenchmarkBrowserFirstPaint is a first visit with an empty cache: bytes as they
// come over the network, requests, and milliseconds to the first paint with
// content, and to the state of the device on the page.
func BenchmarkBrowserFirstPaint(b *testing.B) {
	ctx := browser(b)
	h := newHome(b, nil).withConsole()
	h.server("--no-sound")
	p := h.tab(ctx)
	p.open("/pair?lang=zh")
	p.enter("/")
	for _, slow := range slowdowns {
		b.Run(fmt.Sprintf("cpu/%g", slow), func(b *testing.B) {
			p.t = b
			var paint, ready, size, requests float64
			for b.Loop() {
				p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
					if _, err := cdp.Call(ctx, t, network.ClearBrowserCache, struct{}{}); err != nil {
						return err
					}
					_, err := cdp.Call(ctx, t, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slow})
					return err
				}))
				p.open("/")
				p.until("connected", `document.querySelector("#link:not(.off)")`)
				ready += evaluate[float64](p, `performance.now()`)
				paint += evaluate[float64](p, `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0`)
				size += evaluate[float64](p, `[...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")].reduce((sum, e) => sum + e.transferSize, 0)`)
				requests += evaluate[float64](p, `performance.getEntriesByType("resource").length + 1`)
			}
			n := float64(b.N)
			b.ReportMetric(paint/n, "paint-ms")
			b.ReportMetric(ready/n, "connected-ms")
			b.ReportMetric(size/n, "bytes")
			b.ReportMetric(requests/n, "requests")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkBrowserEvent is how long an event takes from the bus of the device to
// the pixels of the page (the second frame after it came), in milliseconds.
func BenchmarkBrowserEvent(b *testing.B) {
	ctx := browser(b)
	h := newHome(b, nil).withConsole()
	h.server("--no-sound")
	p := h.tab(ctx)
	p.open("/pair?lang=en")
	p.enter("/")
	evaluate[bool](p, `import(document.querySelector("script[src]").src.replace("app.js", "live-socket.js")).then(({ watch }) => {
		window.late = []; window.drawn = [];
		watch((kind, m) => { if (kind !== "timer_set") return;
			const at = Date.parse(m.at), now = () => performance.timeOrigin + performance.now() - at;
			late.push(now());
			requestAnimationFrame(() => requestAnimationFrame(() => drawn.push(now()))); });
		return true; })`)
	n := 0
	for b.Loop() {
		n++
		if h.api("POST", "/api/v1/timers", map[string]any{"label": fmt.Sprint("t", n), "seconds": 3600}, nil) != http.StatusOK {
			b.Fatal("no timer was set")
		}
		p.until("the event is drawn", fmt.Sprintf("window.drawn.length >= %d", n))
		h.api("DELETE", "/api/v1/timers", nil, nil)
	}
	for _, what := range []string{"late", "drawn"} {
		all := evaluate[[]float64](p, "window."+what)
		slices.Sort(all)
		b.ReportMetric(all[len(all)/2], what+"-p50-ms")
		b.ReportMetric(all[min(len(all)-1, len(all)*95/100)], what+"-p95-ms")
	}
	b.ReportMetric(0, "ns/op")
}
