package voice

import (
	"time"

	"homebot/internal/event"
)

// marks are the instants of an utterance on its way to a turn; zero: there was
// none. They belong to the goroutine of Loop.Run.
type marks struct {
	wake, speechEnd, endpoint, final time.Time
}

// taken gives the marks to the turn that begins now; what follows in the voice
// session has no wake of its own.
func (l *Loop) taken() marks {
	m := l.marks
	m.final = time.Now()
	l.marks = marks{}
	return m
}

// ended marks the end of an utterance: somebody stopped speaking that long ago.
func (m *marks) ended(silence time.Duration) {
	m.endpoint = time.Now()
	m.speechEnd = m.endpoint.Add(-silence)
}

// origin is what a turn's stages are counted from.
func (m marks) origin() (time.Time, string) {
	if m.speechEnd.IsZero() {
		return m.final, event.SinceFinal
	}
	return m.speechEnd, event.SinceSpeechEnd
}

// measured tells where the time of a turn went, once it is over.
func (x *exchange) measured() {
	if x.own() || x.result == nil {
		return
	}
	from, since := x.marks.origin()
	at := func(t time.Time) *int64 { return after(from, t) }
	m := handled(*x.result, from, x.handed)
	m.TurnID, m.Channel, m.Since = x.turn.ID, x.turn.Channel, since
	m.Wake, m.Endpoint, m.Final = at(x.marks.wake), at(x.marks.endpoint), at(x.marks.final)
	m.FirstSentence, m.FirstAudio = at(x.speech.sentenceAt), at(x.speech.soundAt)
	m.Done = at(time.Now())
	x.loop.cfg.Bus.Publish(event.TurnMeasured, m)
	x.loop.log.Info("turn measured", m.LogArgs()...)
}

// Measure is the breakdown of a turn that was read, not heard; its stages are
// counted from its arrival.
func Measure(r Result, channel string, arrived time.Time) event.Measured {
	m := handled(r, arrived, arrived)
	m.TurnID, m.Channel, m.Since = r.ID, channel, event.SinceArrival
	m.Done = after(arrived, time.Now())
	return m
}

// handled are the stages that a Handler knows, which got the turn at handed.
func handled(r Result, from, handed time.Time) event.Measured {
	var m event.Measured
	if d := r.Latency.Request; d > 0 {
		m.Request = after(from, handed.Add(d))
	}
	if d := r.Latency.FirstToken; d > 0 {
		m.FirstToken = after(from, handed.Add(d))
	}
	if r.Usage.Prompt > 0 {
		m.Prompt, m.Cached = &r.Usage.Prompt, &r.Usage.Cached
	}
	return m
}

// after is how many milliseconds t is after from; nil for an instant that there
// was not.
func after(from, t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	ms := t.Sub(from).Milliseconds()
	return &ms
}
