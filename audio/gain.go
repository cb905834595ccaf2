package audio

// gain scales PCM and moves to a new value along a ramp as long as the chunk it
// is applied to, so that a change of volume does not click.
type gain struct {
	now float64
	set bool
}

// apply scales pcm in place towards target, 0 to 1.
func (g *gain) apply(pcm []int16, target float64) {
	if !g.set {
		g.now, g.set = target, true
	}
	if len(pcm) == 0 || (g.now == 1 && target == 1) {
		return
	}
	step := (target - g.now) / float64(len(pcm))
	v := g.now
	for i, s := range pcm {
		v += step
		pcm[i] = int16(float64(s) * v)
	}
	g.now = target
}
