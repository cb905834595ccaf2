package contextmode

import "time"

// Sample is one measurement of how busy the machine and the model are.
type Sample struct {
	At       time.Time
	CPU      float64 // share of all cores, or of the run queue; 0…1
	Throttle float64 // 1: the processor is slowed by heat or by its power supply
	Wait     time.Duration
	// Wait is how much longer than usual the model's first word took; 0 when
	// nothing was asked.
}

// LoadWindow is the span of the sliding mean (C13).
const LoadWindow = 60 * time.Second

// slowWait is the wait that counts as full load (C13).
const slowWait = 3 * time.Second

// level is the sample's own load.
func (s Sample) level() float64 {
	wait := float64(s.Wait) / float64(slowWait)
	return share(max(finite(s.CPU), finite(s.Throttle), wait))
}

// Load is the mean of max(CPU, throttling, wait/3 s) over the samples of the last
// 60 s before now; later and older ones do not count, and none is no load.
// Samples need no order.
func Load(samples []Sample, now time.Time) float64 {
	sum, n := 0.0, 0
	for _, s := range samples {
		if age := now.Sub(s.At); age >= 0 && age < LoadWindow {
			sum += s.level()
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// BudgetAt is the profile's token budget under a load; urgent while a timer rings
// or has under a minute left (C13). Window is what the model can take (0:
// unknown) and fixed what system prompt and tools use of it: a small model
// bounds every profile.
func (t Table) BudgetAt(p Profile, load float64, urgent bool, window, fixed int) int {
	r := t.Budget
	factor := min(max(r.Base-r.Slope*share(finite(load)), r.Low), r.High)
	if urgent {
		factor *= r.Urgent
	}
	budget := int(float64(t.Spec(p).TokenBudget) * factor)
	if window > 0 {
		budget = min(budget, window-fixed)
	}
	return max(budget, minBudget)
}

// minBudget is the smallest budget that is worked with: a reply's reserve and one
// short message. Below it a model cannot hold a dialogue at all.
const minBudget = 256

func share(x float64) float64 { return min(max(x, 0), 1) }

// finite makes a broken measurement no load.
func finite(x float64) float64 {
	if x != x {
		return 0
	}
	return x
}
