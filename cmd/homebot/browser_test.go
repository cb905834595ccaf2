package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// consoleToken lets the tests' browsers in.
const consoleToken = "a-token-for-tests"

// withConsole configures a console on a port that stays its own while the device
// restarts. lines are more of homebot.toml.
func (h *home) withConsole(lines ...string) *home {
	h.t.Helper()
	at := reserved(h.t)
	h.console = "http://" + at
	h.configure(fmt.Sprintf("[console]\nlisten = %q\ntoken = %q\n%s", at, consoleToken, strings.Join(lines, "\n")))
	return h
}

// server starts `homebot run` and waits until its console answers.
func (h *home) server(args ...string) *exec.Cmd {
	h.t.Helper()
	c := h.command(append([]string{"run"}, args...)...)
	var stderr log
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
		if h.t.Failed() {
			h.t.Logf("homebot %s wrote:\n%s", strings.Join(args, " "), stderr.String())
		}
	})
	within(h.t, patience, "the console answers", func() bool {
		r, err := http.Get(h.console + "/pair")
		if err == nil {
			_ = r.Body.Close()
		}
		return err == nil && r.StatusCode == http.StatusOK
	})
	return c
}

// api asks the console as a program does; answer may be nil.
func (h *home) api(method, path string, body, answer any) int {
	h.t.Helper()
	var in io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			h.t.Fatal(err)
		}
		in = strings.NewReader(string(raw))
	}
	r, err := http.NewRequestWithContext(h.t.Context(), method, h.console+path, in)
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+consoleToken)
	r.Header.Set("Content-Type", "application/json")
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer got.Body.Close()
	data, err := io.ReadAll(got.Body)
	if err == nil && answer != nil {
		err = json.Unmarshal(data, answer)
	}
	if err != nil {
		h.t.Fatalf("%s %s: %v: %s", method, path, err, data)
	}
	return got.StatusCode
}

// browser starts Chromium; the test is skipped where there is none. Each page
// that is opened in it must run without an error. Its directory is chromedp's:
// what outlives the browser still writes into it, and t.TempDir would fail.
func browser(t testing.TB, more ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Skip("no chromium here (apt-get install chromium)")
	}
	opts := slices.Concat(chromedp.DefaultExecAllocatorOptions[:], []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Env("TZ=" + zone()), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"), chromedp.WSURLReadTimeout(patience),
	}, more)
	allocator, release := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), opts...)
	t.Cleanup(release)
	ctx, end := chromedp.NewContext(allocator, chromedp.WithErrorf(unheard), chromedp.WithLogf(unheard))
	t.Cleanup(end)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// unheard takes chromedp's complaints about events that are newer than it is.
func unheard(format string, args ...any) { slog.Debug(fmt.Sprintf(format, args...)) }

// tab is one page in a browser.
type tab struct {
	t    testing.TB
	base string
	ctx  context.Context

	mu       sync.Mutex
	errors   []string // of scripts and of the policy
	requests int
}

// tab opens an empty page.
func (h *home) tab(browser context.Context) *tab {
	h.t.Helper()
	p := &tab{t: h.t, base: h.console}
	ctx, end := chromedp.NewContext(browser)
	h.t.Cleanup(end)
	p.ctx = ctx
	if err := chromedp.Listen(ctx, p.see); err != nil {
		h.t.Fatal(err)
	}
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, cdplog.Enable, struct{}{})
		return err
	}))
	h.t.Cleanup(func() {
		if all := p.troubles(); len(all) > 0 && !h.t.Failed() {
			h.t.Errorf("the page complains:\n%s", strings.Join(all, "\n"))
		}
	})
	return p
}

// see keeps what a page complains about. That the device cannot be reached is
// what some tests are for.
func (p *tab) see(ev any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := ev.(type) {
	case *network.EventRequestWillBeSent:
		p.requests++
	case *runtime.EventExceptionThrown:
		p.errors = append(p.errors, e.ExceptionDetails.Text+" "+e.ExceptionDetails.Exception.Description)
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == "error" && !strings.Contains(e.Entry.Text, "ERR_") && !strings.Contains(e.Entry.Text, "WebSocket connection") {
			p.errors = append(p.errors, fmt.Sprintf("%s (%s)", e.Entry.Text, e.Entry.URL))
		}
	}
}

func (p *tab) troubles() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.errors)
}

// do runs steps, or ends the test.
func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatalf("%v; the page complains: %s; it shows: %s", err, p.troubles(), p.shown())
	}
}

// shown is all text of the page, for a failure's report.
func (p *tab) shown() string {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`location.pathname + ": " + document.body.innerText`))
	if err != nil {
		return err.Error()
	}
	return text
}

// evaluate runs an expression; promises are awaited.
func evaluate[T any](p *tab, js string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v; the page complains: %s; it shows: %s", js, err, p.troubles(), p.shown())
	}
	return v
}

// middle is the middle of what a selector finds, in px of the window.
func (p *tab) middle(selector string) (x, y float64) {
	p.t.Helper()
	at := evaluate[[]float64](p, fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`, selector))
	return at[0], at[1]
}

// until waits until an expression holds.
func (p *tab) until(what, js string) { p.t.Helper(); p.within(patience, what, js) }

// within waits, at most so long, until an expression holds.
func (p *tab) within(limit time.Duration, what, js string) {
	p.t.Helper()
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if ok, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("!!("+js+")")); ok && err == nil {
			return
		}
		select {
		case <-deadline.C:
			p.t.Fatalf("never came: %s (%s); the page complains: %s; it shows: %s", what, js, p.troubles(), p.shown())
		case <-tick.C:
		}
	}
}

// says waits until a part of the page holds a text.
func (p *tab) says(selector, text string) {
	p.t.Helper()
	p.until(fmt.Sprintf("%q in %s", text, selector), fmt.Sprintf(`[...document.querySelectorAll(%q)].some((e) => e.textContent.includes(%q))`, selector, text))
}

// click touches what a selector finds, once it is there and enabled.
func (p *tab) click(selector string) {
	p.t.Helper()
	p.until(selector+" can be touched", fmt.Sprintf(`document.querySelector(%q)?.disabled === false || document.querySelector(%[1]q)?.tagName === "A"`, selector))
	p.do(chromedp.Click(chromedp.CSS(selector)))
}

// button touches the button or link with a text.
func (p *tab) button(text string) {
	p.t.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll("button, a")].find((e) => e.textContent.trim() === %q || e.getAttribute("aria-label") === %[1]q)`, text)
	p.until(text+" can be touched", fmt.Sprintf(`(() => { const e = %s; return e && !e.disabled && e.getClientRects().length })()`, find))
	evaluate[bool](p, fmt.Sprintf(`(%s.setAttribute("data-test", "touch"), true)`, find))
	p.do(chromedp.Click(chromedp.CSS(`[data-test=touch]`)))
	evaluate[bool](p, `(document.querySelector("[data-test=touch]")?.removeAttribute("data-test"), true)`)
}

// open goes to an address.
func (p *tab) open(path string) {
	p.t.Helper()
	p.do(chromedp.Navigate(p.base + path))
	p.until(path+" is drawn", `document.querySelector("main > :not(noscript)")`)
}

// enter opens an address, and gives the token where it is asked for.
func (p *tab) enter(path string) {
	p.t.Helper()
	p.open(path)
	if evaluate[string](p, `location.pathname`) != "/pair" {
		return
	}
	p.do(chromedp.SendKeys(chromedp.CSS("#token"), consoleToken))
	p.click("button.main")
	p.until("let in", `location.pathname !== "/pair" && document.querySelector("#link:not(.off)")`)
}

// screen is a device's: width and height in px.
func (p *tab) screen(width, height int64, scheme string) {
	p.t.Helper()
	p.do(chromedp.EmulateViewport(width, height, chromedp.EmulateScale(1), chromedp.EmulateMobile),
		chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
			return err
		}))
}

// type puts words into the field that a selector finds, and sends them.
func (p *tab) types(selector, words string) {
	p.t.Helper()
	p.do(chromedp.WaitEnabled(chromedp.CSS(selector)), chromedp.SendKeys(chromedp.CSS(selector), words+"\r"))
}
