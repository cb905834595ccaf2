package echo

import (
	"testing"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
)

// What 20 ms of sound cost: while nothing was played for long, and while the
// device speaks. A core has 20 ms for each.
func BenchmarkBlock(b *testing.B) {
	speech := audiotest.Babble(7, 3*time.Second, audio.PlaybackRate)
	for name, speaks := range map[string]bool{"idle": false, "speaking": true} {
		b.Run(name, func(b *testing.B) {
			c, err := New(func() bool { return true }, nil)
			if err != nil {
				b.Skip(err)
			}
			defer c.Close()
			now := c.played.epoch
			var block [blockSize]int16
			thin, err := audio.Resample(speech, audio.PlaybackRate, audio.CaptureRate)
			if err != nil {
				b.Fatal(err)
			}
			for i := 0; b.Loop(); i++ {
				now = now.Add(20 * time.Millisecond)
				at := i % (len(speech) / playedBlock)
				if speaks {
					c.played.add(speech[at*playedBlock:][:playedBlock], now)
					copy(block[:], thin[at*blockSize:])
				}
				c.Process(&block, now)
			}
		})
	}
}
