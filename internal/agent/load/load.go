// Package load measures how busy the machine and the model are: samples of the
// kernel's files and the model's waits, kept for a minute, whose mean is
// contextmode.Load (C13).
package load

import (
	"io/fs"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"homebot/internal/contextmode"
)

// Every is how often Sample is to be called: twelve samples in a window.
const Every = 5 * time.Second

// fullWindow is how many samples a window holds.
const fullWindow = int(contextmode.LoadWindow / Every)

// The kernel's files, below the root. The firmware's throttling word exists on a
// Raspberry Pi only.
const (
	statFile    = "proc/stat"
	loadavgFile = "proc/loadavg"
	throttled   = "sys/devices/platform/soc/soc:firmware/get_throttled"
	thermalDir  = "sys/class/thermal"
)

// throttledNow are the bits of the firmware's word that hold at this moment:
// under-voltage, frequency capped, throttled, soft temperature limit.
const throttledNow = 0xF

// baselineWaits is how many waits the model's usual one is the median of.
const baselineWaits = 21

// Meter keeps the samples of the last minute. Any goroutine may call it. The zero
// value measures nothing but waits; New gives it the machine's files.
type Meter struct {
	root  fs.FS
	cores int
	full  int // samples that fill a window; 0: fullWindow

	mu      sync.Mutex
	samples []contextmode.Sample
	busy    uint64 // of all processors since start, in ticks
	total   uint64
	waits   []time.Duration
	wait    time.Duration // beyond the usual one, of the last request
	waited  time.Time
}

// New measures the machine whose files lie below root (os.DirFS("/")).
func New(root fs.FS) *Meter { return &Meter{root: root, cores: runtime.NumCPU()} }

// Waited is told how long the model's first word took. Only what is longer than
// usual counts as load: a slow model is not a busy one.
func (m *Meter) Waited(now time.Time, wait time.Duration) {
	if wait <= 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.waited, m.wait = now, 0
	if usual := median(m.waits); len(m.waits) > 0 && wait > usual {
		m.wait = wait - usual
	}
	m.waits = append(m.waits, wait)
	if len(m.waits) > baselineWaits {
		m.waits = m.waits[1:]
	}
}

func median(waits []time.Duration) time.Duration {
	if len(waits) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(waits))
	return sorted[len(sorted)/2]
}

// Sample measures once.
func (m *Meter) Sample(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := contextmode.Sample{At: now}
	if m.root != nil {
		s.CPU, s.Throttle = max(m.cpu(), m.queue()), m.throttle()
	}
	if now.Sub(m.waited) < contextmode.LoadWindow {
		s.Wait = m.wait
	}
	m.samples = append(m.samples, s)
	m.samples = slices.DeleteFunc(m.samples, func(s contextmode.Sample) bool { return now.Sub(s.At) >= contextmode.LoadWindow })
}

// Load is the mean of the last minute. What of it was not measured counts as
// idle: one busy instant after the start is no load.
func (m *Meter) Load(now time.Time) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	full := m.full
	if full == 0 {
		full = fullWindow
	}
	return contextmode.Load(m.samples, now) * min(1, float64(len(m.samples))/float64(full))
}

func (m *Meter) read(name string) string {
	data, err := fs.ReadFile(m.root, name)
	if err != nil {
		return "" // another kind of machine: no load is known of it
	}
	return strings.TrimSpace(string(data))
}

// cpu is the share of all processors since the last sample.
func (m *Meter) cpu() float64 {
	line, _, _ := strings.Cut(m.read(statFile), "\n")
	fields := strings.Fields(line)
	if len(fields) < 5 || fields[0] != "cpu" {
		return 0
	}
	var total, idle uint64
	for i, f := range fields[1:min(len(fields), 9)] { // guest time is in user time already
		n, err := strconv.ParseUint(f, 10, 64)
		if err != nil {
			return 0
		}
		total += n
		if i == 3 || i == 4 { // idle, waiting for the disk
			idle += n
		}
	}
	busy, before, beforeBusy := total-idle, m.total, m.busy
	m.total, m.busy = total, busy
	if before == 0 || total <= before || busy < beforeBusy {
		return 0
	}
	return float64(busy-beforeBusy) / float64(total-before)
}

// queue is how far the run queue is beyond the processors: one process each is no
// queue, two each is a full one.
func (m *Meter) queue() float64 {
	fields := strings.Fields(m.read(loadavgFile))
	if len(fields) < 4 {
		return 0
	}
	running, _, _ := strings.Cut(fields[3], "/")
	n, err := strconv.Atoi(running)
	if err != nil || m.cores < 1 {
		return 0
	}
	return min(max(float64(n-1-m.cores)/float64(m.cores), 0), 1) // this process runs, too
}

// throttle is 1 while the processor is slowed by heat or by its power supply.
func (m *Meter) throttle() float64 {
	if word := m.read(throttled); word != "" {
		n, err := strconv.ParseUint(strings.TrimPrefix(word, "0x"), 16, 32)
		if err == nil && n&throttledNow != 0 {
			return 1
		}
		return 0
	}
	entries, err := fs.ReadDir(m.root, thermalDir)
	if err != nil {
		return 0
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "cooling_device") {
			continue
		}
		dir := thermalDir + "/" + e.Name() + "/"
		if state := m.read(dir + "cur_state"); isProcessor(m.read(dir+"type")) && state != "" && state != "0" {
			return 1
		}
	}
	return 0
}

// isProcessor: a fan that turns is no throttling.
func isProcessor(kind string) bool {
	kind = strings.ToLower(kind)
	return strings.Contains(kind, "cpufreq") || kind == "processor"
}
