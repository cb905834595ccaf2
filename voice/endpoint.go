package voice

import (
	"time"

	"homebot/audio"
	"homebot/internal/text"
)

// Endpointing says when an utterance is over, by two rules: that of a short
// command and that of long talk (docs/VOICE.md). The zero value means the
// defaults. It is set by `[voice]` of homebot.toml and nothing else (V7, R41).
type Endpointing struct {
	// Silence after a short command ends it. Default 700 ms: 300 ms cuts people
	// off when they pause, over a second feels slow.
	Silence time.Duration
	// Phrase is Silence after words that are complete: a set phrase, a yes, a
	// stop. Default 450 ms: longer than the pause within a phrase, a third less
	// to wait.
	Phrase time.Duration
	// Talk is Silence in long talk, and after words that are not finished.
	// Default 1.6 s: who reads a recipe out looks at the next line meanwhile.
	Talk time.Duration
	// TalkAfter is how much speech makes an utterance long talk. Default 3 s: a
	// command is shorter.
	TalkAfter time.Duration
	// NoSpeech ends an utterance in which nobody speaks, after a wake.
	// Default 8 s: long enough to think of the words.
	NoSpeech time.Duration
	// FollowUp is NoSpeech for the follow-up window after a reply (V3).
	// Default 8 s; negative: there is none, and every reply ends the session.
	FollowUp time.Duration
	// Noise ends an utterance whose words stand still while the recogniser goes
	// on hearing speech: a fan, a television. Default 2 s; half of that after
	// complete words.
	Noise time.Duration
	// Longest ends any utterance in which no new words come: noise that never
	// stops. Default 20 s.
	Longest time.Duration
	// LongestTalk ends one in which they do: a television talks too. Default 1 min.
	LongestTalk time.Duration
	// Final is how long the recogniser may take for the words after the end.
	// Default 5 s, which is more than a slow remote recogniser needs.
	Final time.Duration
	// PreRoll is how much sound before now can still be sent to a remote
	// recogniser. Default 2 s: a wake message is never that late.
	PreRoll time.Duration
}

func (e Endpointing) withDefaults() Endpointing {
	def := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	def(&e.Silence, 700*time.Millisecond)
	def(&e.Phrase, min(450*time.Millisecond, e.Silence))
	def(&e.Talk, max(1600*time.Millisecond, e.Silence))
	def(&e.TalkAfter, 3*time.Second)
	def(&e.NoSpeech, 8*time.Second)
	def(&e.FollowUp, 8*time.Second)
	def(&e.Noise, 2*time.Second)
	def(&e.Longest, 20*time.Second)
	def(&e.LongestTalk, max(time.Minute, e.Longest))
	def(&e.Final, 5*time.Second)
	def(&e.PreRoll, 2*time.Second)
	return e
}

// window is how long an utterance without a wake may begin: the follow-up window,
// and where there is none that of a question asked once more, or of a ring.
func (e Endpointing) window() time.Duration {
	if e.FollowUp < 0 {
		return e.NoSpeech
	}
	return e.FollowUp
}

// samples is d at the capture rate.
func samples(d time.Duration) int {
	return int(d * audio.CaptureRate / time.Second)
}

var (
	// wakeTail is how long the sound of the wake phrase may go on after its
	// reported end: a speech_stopped in it is the wake phrase's, not a command's.
	wakeTail = samples(300 * time.Millisecond)
	// talking is how recent words must be for an utterance to go on past Longest:
	// recognisers of whole sentences give words at pauses only.
	talking = samples(6 * time.Second)
	// ownEarcon is how long after a wake the earcon that answers it may be heard by
	// the microphone: from the wake to the loudspeaker 200 ms were measured; 500 more
	// are allowed for a wireless one, a sound server and the room.
	ownEarcon = len(audio.Earcon(audio.EarconWake))*audio.CaptureRate/audio.PlaybackRate + samples(700*time.Millisecond)
)

// endpoint watches one utterance. Its clock is the samples captured, so that a
// late message or a burst of frames does not move the end. What it goes by is
// only what is heard.
type endpoint struct {
	rule     Endpointing
	nothing  int               // samples without speech that end it
	complete func(string) bool // of a transcript: it is a set phrase
	streams  bool              // the recogniser gives words while somebody speaks

	began    int    // where the utterance begins
	quiet    int    // where the last speech ended
	start    int    // of the span of speech that goes on
	talked   int    // speech in the spans before
	speaking bool   // the recogniser hears speech now
	spoke    bool   // it heard some
	first    int    // where the first speech began, if spoke
	own      int    // what is over by then and brings no words may be the device's own earcon
	doubt    bool   // there was such a sound
	text     string // words so far
	textAt   int    // where they changed last
	whole    bool   // they are complete
	open     bool   // more must come
	level    level
}

func newEndpoint(rule Endpointing, nothing time.Duration, began int) *endpoint {
	return &endpoint{rule: rule, nothing: samples(nothing), began: began, quiet: began, start: began}
}

// started: speech begins at pos.
func (e *endpoint) started(pos int) {
	if !e.speaking {
		e.start = max(pos, e.quiet)
	}
	e.speaking = true
	if e.start >= e.own {
		e.speak(e.start)
	}
}

// speak notes that there was speech, from pos on.
func (e *endpoint) speak(pos int) {
	if !e.spoke {
		e.spoke, e.first = true, pos
	}
}

// stopped: speech ended at pos. Without a start it began in the wake phrase and
// went on (a command in one breath), unless it ended with it.
func (e *endpoint) stopped(pos int) {
	if tail := e.began + wakeTail; !e.spoke && pos <= max(tail, e.own) {
		e.speaking, e.quiet, e.doubt = false, max(pos, e.quiet), e.doubt || pos > tail
		return
	}
	e.speak(e.start)
	e.talked += max(0, pos-e.start)
	e.speaking, e.quiet = false, max(pos, e.quiet)
	e.start = e.quiet
}

// words: the recogniser has words, whatever its speech detector says.
func (e *endpoint) words(words string, pos int) {
	if !e.spoke && e.speaking {
		e.speak(e.start)
	} else if !e.spoke {
		e.speak(pos)
		e.quiet = pos
	}
	if e.speaking {
		e.streams = true
	}
	if words != e.text {
		e.text, e.textAt = words, pos
		e.whole = words != "" && (text.IsComplete(words) || e.complete != nil && e.complete(words))
		e.open = !e.whole && (text.Unfinished(words) || text.OpensTalk(words))
	}
}

// hear measures a frame that ends at now. No earcon lasts beyond own.
func (e *endpoint) hear(pcm []int16, now int) {
	e.level.add(pcm, now)
	if e.speaking && now > e.own {
		e.speak(e.start)
	}
}

// wait is the silence that ends the utterance as it is now: the choice between
// the two rules.
func (e *endpoint) wait(now int) int {
	talked := e.talked
	if e.speaking {
		until := now
		if e.streams && e.text != "" {
			until = e.textAt // what goes on without words may be no speech
		}
		talked += max(0, until-e.start)
	}
	switch {
	case e.whole:
		return samples(e.rule.Phrase)
	case e.open, talked >= samples(e.rule.TalkAfter):
		return samples(e.rule.Talk)
	}
	return samples(e.rule.Silence)
}

// over reports whether the utterance is over at position now.
func (e *endpoint) over(now int) bool {
	switch {
	case now-e.began >= samples(e.rule.LongestTalk):
		return true
	case now-e.began >= samples(e.rule.Longest) && (e.text == "" || now-e.textAt >= talking):
		return true
	case e.speaking:
		return e.noise(now)
	case e.spoke, e.doubt && !e.streams: // of whole sentences only the end can tell
		return now-e.quiet >= e.wait(now)
	}
	return now-e.began >= e.nothing
}

// somebody reports whether somebody spoke, understood or not: a sound without a
// word that lasted to the limit was nobody.
func (e *endpoint) somebody(now int) bool {
	return e.spoke && !(e.speaking && e.text == "" && now-e.began >= samples(e.rule.NoSpeech))
}

// doubtful reports whether all that sounded may have been the device's own earcon,
// and somebody may still want to speak.
func (e *endpoint) doubtful(now int) bool { return e.doubt && !e.spoke && now-e.began < e.nothing }

// noise reports whether what the recogniser takes for speech is none any more:
// the words stand still, or it is much quieter than the words were.
func (e *endpoint) noise(now int) bool {
	wait := e.wait(now)
	if e.streams {
		still := now - max(e.textAt, e.start)
		if e.text == "" {
			return still >= samples(e.rule.NoSpeech)
		}
		patience := max(samples(e.rule.Noise), wait)
		if wait == samples(e.rule.Phrase) {
			patience = max(samples(e.rule.Noise)/2, wait)
		}
		if still >= patience {
			return true
		}
		return still >= wait && e.level.low(now) >= max(samples(1200*time.Millisecond), wait)
	}
	return e.level.low(now) >= max(samples(2500*time.Millisecond), wait)
}
