package child

import "time"

// pace notices that the card ran dry where nobody says so: a sound server fills
// the hole with silence. A card that takes frames at its own rate makes Write
// return every 20 ms; each hole makes it lag for good by its length, while a
// late writer catches up. One goroutine; the zero value is a stopped card.
type pace struct {
	start  time.Time // of the card
	frames int       // written since
	least  time.Duration
	lags   [paceFrames]time.Duration
	holes  time.Duration // all of them
}

const (
	// paceFrames is how many writes must agree. What is written now sounds after
	// 100 ms at the earliest, so a hole is known before its echo comes.
	paceFrames = 8
	// paceFill is how many frames an empty card takes at once.
	paceFill = 14
	// paceHole is the shortest hole that is told: a sound server takes frames in
	// lumps, by which the least of eight was seen to move 15 ms. Shorter ones an
	// echo canceller finds by itself.
	paceHole  = 40 * time.Millisecond
	frameTime = 20 * time.Millisecond
)

// begin notes that the card starts.
func (p *pace) begin(now time.Time) { *p = pace{start: now} }

// wrote notes a frame that the card took at now; dry says that there was a new
// hole before it.
func (p *pace) wrote(now time.Time) (dry bool) {
	p.frames++
	p.lags[p.frames%paceFrames] = now.Sub(p.start) - time.Duration(p.frames)*frameTime
	if p.frames < paceFill {
		return false
	}
	least := p.lags[0]
	for _, l := range p.lags {
		least = min(least, l)
	}
	if p.frames == paceFill || least < p.least {
		p.least = least
	}
	if least-p.least < paceHole {
		return false
	}
	p.holes += least - p.least
	p.least = least
	return true
}

// sounds is how long after the card's start the newest frame's turn was.
func (p *pace) sounds() time.Duration { return time.Duration(p.frames-1)*frameTime + p.holes }
