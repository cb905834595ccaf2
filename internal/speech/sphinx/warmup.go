package sphinx

import "math"

// hum is one second of a vowel-like sound: pulses at 120 Hz through two formants,
// swelling three times like syllables. It stands in for a spoken warm-up phrase.
func hum() []int16 {
	pcm := make([]int16, rate)
	for i := range pcm {
		t := float64(i) / rate
		var v float64
		for harmonic := 1.0; harmonic <= 28; harmonic++ {
			f := 120 * harmonic
			gain := 1/(1+math.Pow((f-600)/150, 2)) + 0.5/(1+math.Pow((f-1400)/200, 2)) + 0.02
			v += gain * math.Sin(2*math.Pi*f*t)
		}
		swell := math.Pow(math.Sin(3*math.Pi*t), 2)
		pcm[i] = clip(3000 * v * swell)
	}
	return pcm
}
