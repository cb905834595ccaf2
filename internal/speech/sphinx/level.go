package sphinx

const (
	// onsetBlocks of onsetWindow must be loud for speech to start: 60 ms of 90 ms.
	onsetBlocks, onsetWindow = 6, 9
	// hangoverBlocks of quiet end speech: 250 ms. Pauses within a phrase are shorter.
	hangoverBlocks = 25
	// loudOver is how far above the noise floor speech is: 9 dB.
	loudOver = 2.8
	// leastLoud is the RMS below which nothing is speech, −50 dBFS.
	leastLoud = 104
	// floorRise is how fast the tracked floor climbs per block towards louder
	// noise: about 2 dB a second, slower than anybody speaks without a pause.
	floorRise = 1.0023
	// leastFloor keeps the floor from falling to zero in digital silence.
	leastFloor = 10
)

// level tells speech from quiet by loudness alone and counts the samples; the
// recogniser's own speech flag comes up to 500 ms late and knows no audio time.
type level struct {
	at       int     // samples seen
	floor    float64 // RMS of the background
	recent   uint    // loudness of the last blocks, newest in bit 0
	quiet    int     // blocks since the last loud one
	speaking bool
	start    int // of the speech that is on or was last
	end      int // of its last loud block
}

// change is what a block brought.
type change int

const (
	same change = iota
	started
	stopped
)

// add takes one block of up to frameSamples.
func (l *level) add(block []int16) change {
	loud := l.loud(rms(block))
	l.at += len(block)
	l.recent = l.recent<<1 | bit(loud)
	l.quiet++
	if loud {
		l.quiet = 0
		l.end = l.at
	}
	switch {
	case !l.speaking && loud && ones(l.recent, onsetWindow) >= onsetBlocks:
		l.speaking = true
		l.start = l.at - onsetWindow*frameSamples
		l.start = max(0, l.start)
		return started
	case l.speaking && l.quiet >= hangoverBlocks:
		l.speaking = false
		return stopped
	}
	return same
}

// loud compares a block with the floor and lets the floor follow.
func (l *level) loud(rms float64) bool {
	switch {
	case l.at == 0:
		l.floor = min(rms, leastLoud)
	case rms < l.floor:
		l.floor += (rms - l.floor) / 4
	default:
		l.floor *= floorRise
	}
	l.floor = max(l.floor, leastFloor)
	return rms > max(l.floor*loudOver, leastLoud)
}

func bit(b bool) uint {
	if b {
		return 1
	}
	return 0
}

func ones(bits uint, window int) int {
	n := 0
	for range window {
		n += int(bits & 1)
		bits >>= 1
	}
	return n
}
