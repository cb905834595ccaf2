package voice_test

import (
	"encoding/json"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/event"
	"homebot/voice"
	"homebot/voice/voicetest"
)

// V5: each turn's breakdown: the first one from its wake on; in a follow-up there
// was no wake; stages follow each other in their order; what sounded has its
// sound. Announcements are no turns.
func TestTurnsAreMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []event.Measured
		var watching sync.WaitGroup
		voicetest.Play(t, voicetest.Script{
			Steps: []voicetest.Step{
				voicetest.Does(ms(500), "", func(st *voicetest.Stage) {
					_, events := st.Bus.Watch(t.Context(), 1024)
					watching.Go(func() {
						for e := range events {
							if m, ok := e.Data.(event.Measured); ok {
								got = append(got, m)
							}
						}
					})
				}),
				voicetest.Wakes(ms(1000), "zh"),
				voicetest.Says(ms(2500), "做番茄炒蛋", "zh", 900*time.Millisecond),
				voicetest.Says(ms(8000), "三个人", "zh", 500*time.Millisecond),
			},
			Answers: []voicetest.Answer{
				{Says: "好的，几个人吃？", After: time.Second, Next: voice.Continue},
				{Says: "那就用六个鸡蛋。", Next: voice.End},
			},
			Until: 22 * seconds,
		})
		watching.Wait()
		if len(got) != 2 {
			t.Fatalf("measured %d turns", len(got))
		}
		for i, m := range got {
			names, at := m.Stages()
			want := []string{"wake", "endpoint", "final", "first_sentence", "first_audio", "done"}[i:]
			if len(names) != len(want) || m.Since != event.SinceSpeechEnd {
				t.Errorf("turn %d: %v since %s", i, names, m.Since)
				continue
			}
			for j := range want {
				if names[j] != want[j] || j > 0 && at[j] < at[j-1] {
					t.Errorf("turn %d: %v at %v", i, names, at)
				}
			}
		}
		first := got[0]
		if *first.Wake < -1620 || *first.Wake > -1580 || *first.Endpoint < 690 || *first.Endpoint > 780 || *first.FirstAudio < *first.Final+1000 {
			t.Errorf("wake %d, endpoint %d, final %d, first audio %d", *first.Wake, *first.Endpoint, *first.Final, *first.FirstAudio)
		}
	})
}

// What there was not is absent, not 0.
func TestMeasuredAsJSON(t *testing.T) {
	data, err := json.Marshal(event.Measured{TurnID: "x", Channel: "text", Since: event.SinceArrival})
	if want := `{"turn_id":"x","channel":"text","since":"arrival"}`; err != nil || string(data) != want {
		t.Errorf("got %s", data)
	}
}
