package load

import (
	"testing"
	"testing/fstest"
	"time"
)

var noon = time.Date(2026, 10, 22, 12, 0, 0, 0, time.UTC)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// C13: load is the mean of a minute of max(CPU, throttling, wait beyond the usual
// one / 3 s).
func TestLoad(t *testing.T) {
	root := fstest.MapFS{}
	m := New(root)
	m.cores, m.full = 4, 1
	at := noon
	sample := func(stat, loadavg string) float64 {
		root["proc/stat"], root["proc/loadavg"] = file("cpu  "+stat+"\ncpu0 1 2 3\n"), file(loadavg)
		at = at.Add(Every)
		m.Sample(at)
		return m.Load(at)
	}
	if got := sample("0 0 0 1000 0 0 0 0 0 0", "0.1 0.1 0.1 1/200 1"); got != 0 {
		t.Errorf("first sample: %v", got)
	}
	if got := sample("50 0 0 1050 0 0 0 0 0 0", "0.1 0.1 0.1 1/200 1"); got != 0.25 {
		t.Errorf("half busy, half of the samples: %v", got)
	}
	at = at.Add(time.Hour)
	if got := sample("50 0 0 1150 0 0 0 0 0 0", "9 9 9 7/200 1"); got != 0.5 {
		t.Errorf("six others run on four processors: %v", got)
	}
	root[throttled] = file("50000\n") // it was, and is no more
	at = at.Add(time.Hour)
	if got := sample("50 0 0 1250 0 0 0 0 0 0", "0 0 0 1/1 1"); got != 0 {
		t.Errorf("throttled in the past: %v", got)
	}
	root[throttled] = file("50004\n")
	at = at.Add(time.Hour)
	if got := sample("50 0 0 1350 0 0 0 0 0 0", "0 0 0 1/1 1"); got != 1 {
		t.Errorf("throttled now: %v", got)
	}
}

// Without a firmware's word the kernel's cooling devices tell; a fan does not.
func TestCooling(t *testing.T) {
	root := fstest.MapFS{
		thermalDir + "/cooling_device0/type": file("pwm-fan"), thermalDir + "/cooling_device0/cur_state": file("3"),
		thermalDir + "/cooling_device1/type": file("cpufreq-cpu0"), thermalDir + "/cooling_device1/cur_state": file("0"),
	}
	m := New(root)
	if m.throttle() != 0 {
		t.Error("a fan is no throttling")
	}
	root[thermalDir+"/cooling_device1/cur_state"] = file("2")
	if m.throttle() != 1 {
		t.Error("a capped frequency is")
	}
}

// C13: a model that is always slow is not busy; one that became slow is.
func TestWaitsAgainstTheirBaseline(t *testing.T) {
	m := Meter{full: 1}
	for range 10 {
		m.Waited(noon, 2*time.Second)
	}
	m.Sample(noon)
	if got := m.Load(noon); got != 0 {
		t.Errorf("its usual wait is load %v", got)
	}
	m.Waited(noon, 5*time.Second)
	later := noon.Add(contextLater)
	m.Sample(later)
	if got := m.Load(later); got != 0.5 {
		t.Errorf("3 s more than usual in one of two samples: %v", got)
	}
	m.Sample(noon.Add(2 * time.Minute))
	if got := m.Load(noon.Add(2 * time.Minute)); got != 0 {
		t.Errorf("after a quiet minute: %v", got)
	}
}

// C13: a minute is needed to know: a busy instant after the start is no load.
func TestOneSampleIsNoLoad(t *testing.T) {
	root := fstest.MapFS{throttled: file("4")}
	m := New(root)
	for i := range 12 {
		at := noon.Add(time.Duration(i) * Every)
		m.Sample(at)
		if got, want := m.Load(at), float64(i+1)/12; got < want-0.001 || got > want+0.001 {
			t.Errorf("after %d samples: %v, want %v", i+1, got, want)
		}
	}
}

const contextLater = 10 * time.Second

// Broken files are no load.
func FuzzFiles(f *testing.F) {
	f.Add("cpu 1 2 3 4", "1 2 3 4/5", "0x5")
	f.Add("cpu", "", "")
	f.Add("cpu 99999999999999999999 1 1 1 1", "a b c -9/1", "zz")
	f.Fuzz(func(t *testing.T, stat, loadavg, word string) {
		root := fstest.MapFS{"proc/stat": file(stat), "proc/loadavg": file(loadavg), throttled: file(word)}
		m := New(root)
		m.Sample(noon)
		root["proc/stat"] = file(stat + "0")
		m.Sample(noon)
		if got := m.Load(noon); got < 0 || got > 1 {
			t.Errorf("load %v", got)
		}
	})
}
