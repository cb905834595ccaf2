package sphinx

import "math"

const (
	// floorLevel is the RMS of the noise that is put under digital silence,
	// −45 dBFS: with true zeros between synthetic words recall falls.
	floorLevel = 184
	// silentLevel is the RMS below which 10 ms count as digital silence, about
	// −70 dBFS: hardly a microphone is that quiet.
	silentLevel = 10
	// floorBlocks is how long the noise stays after digital silence was seen: 10 s.
	floorBlocks = 1000
	// pinkGain brings the pink filter's output to an RMS of 1.
	pinkGain = 0.58
)

// noiseFloor puts pink-ish noise under audio that comes from no microphone, so
// under all of it for 10 s after each digital silence. The generator is
// deterministic: the same audio is heard the same way again.
type noiseFloor struct {
	seed       uint32
	b0, b1, b2 float64
	left       int // blocks still to be mixed with noise
}

// mix puts noise under one block of frameSamples (or the rest of a chunk).
func (n *noiseFloor) mix(block []int16) {
	if rms(block) < silentLevel {
		n.left = floorBlocks
	}
	if n.left == 0 {
		return
	}
	n.left--
	for i, v := range block {
		block[i] = clip(float64(v) + n.next())
	}
}

// next returns one sample of noise.
func (n *noiseFloor) next() float64 {
	// Numerical Recipes' generator, then Paul Kellet's economy pink filter.
	n.seed = n.seed*1664525 + 1013904223
	white := float64(int32(n.seed)) / math.MaxInt32
	n.b0 = 0.99765*n.b0 + white*0.0990460
	n.b1 = 0.96300*n.b1 + white*0.2965164
	n.b2 = 0.57000*n.b2 + white*1.0526913
	return (n.b0 + n.b1 + n.b2 + white*0.1848) * pinkGain * floorLevel
}

func clip(v float64) int16 {
	return int16(max(math.MinInt16, min(math.MaxInt16, math.Round(v))))
}

// rms is the root mean square of pcm around its mean: a constant offset of the
// microphone is no sound.
func rms(pcm []int16) float64 {
	if len(pcm) == 0 {
		return 0
	}
	var sum, squares float64
	for _, v := range pcm {
		sum += float64(v)
		squares += float64(v) * float64(v)
	}
	n := float64(len(pcm))
	mean := sum / n
	return math.Sqrt(max(0, squares/n-mean*mean))
}
