package console

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"homebot/internal/agent"
	"homebot/internal/console/door"
	"homebot/internal/event"
)

// Counters are the context engine's (agent.Agent).
type Counters interface {
	Counters() map[agent.CounterKey]agent.Counts
}

// meters are what /metrics shows. Names follow Prometheus' conventions: unit and
// _total at the end; no label holds anybody's words.
type meters struct {
	registry *prometheus.Registry
	events   *prometheus.CounterVec
	turns    *prometheus.HistogramVec
	first    *prometheus.HistogramVec
	failed   *prometheus.CounterVec
	requests *prometheus.CounterVec
	refusals *prometheus.CounterVec
	dropped  prometheus.Counter
}

// turnBuckets are in seconds: from what feels at once to what nobody waits for.
var turnBuckets = []float64{.1, .25, .5, 1, 2, 3, 5, 8, 13, 20, 30, 60}

func newMeters(c *Console) *meters {
	m := &meters{
		registry: prometheus.NewRegistry(),
		events:   counters("homebot_events_total", "Events of the bus.", "kind"),
		turns:    histogram("homebot_turn_duration_seconds", "From the user's words to the end of the turn.", "channel"),
		first:    histogram("homebot_turn_first_token_seconds", "From the user's words to the first of the reply.", "channel"),
		failed:   counters("homebot_turn_failures_total", "Turns that failed.", "channel", "reason"),
		requests: counters("homebot_http_requests_total", "Requests that were let in.", "method", "route"),
		refusals: counters("homebot_http_refusals_total", "Requests that were refused.", "reason"),
		dropped:  prometheus.NewCounter(prometheus.CounterOpts{Name: "homebot_page_events_dropped_total", Help: "Events that slow pages did not get."}),
	}
	m.registry.MustRegister(m.events, m.turns, m.first, m.failed, m.requests, m.refusals, m.dropped,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), &stateCollector{c})
	return m
}

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

func histogram(name, help string, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: turnBuckets}, labels)
}

func (m *meters) happened(e event.Event) {
	m.events.WithLabelValues(string(e.Kind)).Inc()
	if t, ok := e.Data.(event.Turn); ok && e.Kind == event.TurnDone {
		m.turns.WithLabelValues(t.Channel).Observe(t.Total.Seconds())
		m.first.WithLabelValues(t.Channel).Observe(t.First.Seconds())
		if t.Failed != "" {
			m.failed.WithLabelValues(t.Channel, t.Failed).Inc()
		}
	}
}

func (m *meters) requested(r route)   { m.requests.WithLabelValues(r.method, r.path).Inc() }
func (m *meters) refused(code string) { m.refusals.WithLabelValues(code).Inc() }
func (m *meters) lost(n int)          { m.dropped.Add(float64(n)) }

// stateCollector reads what others count, when it is asked for.
type stateCollector struct{ c *Console }

var (
	upDesc     = prometheus.NewDesc("homebot_hears", "1 when the device could hear now.", nil, nil)
	faultDesc  = prometheus.NewDesc("homebot_fault", "1 for each thing that is wrong now.", []string{"code"}, nil)
	modeDesc   = prometheus.NewDesc("homebot_mode_active", "1 while a run mode is on.", nil, nil)
	timersDesc = prometheus.NewDesc("homebot_timers", "Timers and alarms by their state.", []string{"state"}, nil)
	pagesDesc  = prometheus.NewDesc("homebot_pages", "Websockets that are open.", nil, nil)
	talksDesc  = prometheus.NewDesc("homebot_browser_talks", "Browsers that talk.", nil, nil)
	waitDesc   = prometheus.NewDesc("homebot_http_waiting_connections", "Connections that ask nothing now.", nil, nil)
	closedDesc = prometheus.NewDesc("homebot_http_evicted_connections_total", "Silent connections that made room for others.", nil, nil)
	buildDesc  = prometheus.NewDesc("homebot_build_info", "1; the version.", []string{"version"}, nil)
)

// contextCounts are agent.Counts by name.
var contextCounts = []struct {
	name, help string
	of         func(agent.Counts) int
}{
	{"homebot_context_turns_total", "Turns by table version and profile.", func(c agent.Counts) int { return c.Turns }},
	{"homebot_context_cuts_total", "Cuts of a dialogue.", func(c agent.Counts) int { return c.Cuts }},
	{"homebot_context_trimmed_items_total", "Turns and items that requests did not carry.", func(c agent.Counts) int { return c.TrimmedItems }},
	{"homebot_context_tokens_estimated_total", "Tokens of prompts, as estimated.", func(c agent.Counts) int { return c.Estimated }},
	{"homebot_context_tokens_billed_total", "Tokens of prompts, as billed.", func(c agent.Counts) int { return c.Billed }},
	{"homebot_context_tokens_cached_total", "Of those, from the provider's cache.", func(c agent.Counts) int { return c.Cached }},
	{"homebot_context_prefix_breaks_total", "Prefixes that broke outside a cut (C23).", func(c agent.Counts) int { return c.Breaks }},
	{"homebot_context_budget_overruns_total", "Requests over their budget (C6).", func(c agent.Counts) int { return c.Overruns }},
	{"homebot_context_summary_fallbacks_total", "Summaries refused or missing.", func(c agent.Counts) int { return c.Fallbacks }},
	{"homebot_context_switch_alarms_total", "Conversations whose profile flapped (C16).", func(c agent.Counts) int { return c.Alarms }},
}

// Describe sends nothing: the set of metrics depends on what the house has.
func (s *stateCollector) Describe(chan<- *prometheus.Desc) {}

// Collect is called for each look at /metrics.
func (s *stateCollector) Collect(ch chan<- prometheus.Metric) {
	c := s.c
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	state := c.Bus.Snapshot()
	gauge(upDesc, truth(c.hears(state)))
	gauge(modeDesc, truth(state.Mode != nil))
	for _, f := range state.Faults {
		gauge(faultDesc, 1, f.Code)
	}
	counts := map[string]int{"running": 0, "paused": 0, "ringing": 0}
	for _, r := range c.timerRows() {
		counts[r.State]++
	}
	for state, n := range counts {
		gauge(timersDesc, float64(n), state)
	}
	waiting, live, talks, closed := c.limits.counts()
	gauge(waitDesc, float64(waiting))
	gauge(pagesDesc, float64(live))
	gauge(talksDesc, float64(talks))
	gauge(buildDesc, 1, c.Version)
	ch <- prometheus.MustNewConstMetric(closedDesc, prometheus.CounterValue, float64(closed))
	s.contexts(ch)
}

func (s *stateCollector) contexts(ch chan<- prometheus.Metric) {
	if s.c.Counters == nil {
		return
	}
	for key, counts := range s.c.Counters.Counters() {
		for _, m := range contextCounts {
			d := prometheus.NewDesc(m.name, m.help, []string{"table", "profile"}, nil)
			ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(m.of(counts)), strconv.Itoa(key.Table), string(key.Profile))
		}
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// scrapeTime bounds one look at the metrics.
const scrapeTime = 10 * time.Second

// getMetrics wants a token, or a program on this machine: the numbers hold no
// words, but say when somebody is at home.
func (c *Console) getMetrics(w http.ResponseWriter, r *http.Request) error {
	who, in := c.who(r)
	conn := connOf(r.Context())
	local := conn != nil && loopback(conn.RemoteAddr())
	if !local && !(in && who.May(door.Metrics)) {
		return stranger(r)
	}
	promhttp.HandlerFor(c.meters.registry, promhttp.HandlerOpts{Timeout: scrapeTime, MaxRequestsInFlight: 2}).ServeHTTP(w, r)
	return nil
}
