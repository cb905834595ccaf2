package voice

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"homebot/audio"
	"homebot/internal/event"
	"homebot/internal/speech"
	"homebot/internal/text"
)

// Speaker speaks replies sentence by sentence while they are still written (V5).
type Speaker struct {
	synth  speech.Synthesizer
	player *audio.Player
	log    *slog.Logger
}

// NewSpeaker returns a Speaker that speaks with synth through player, whose Run
// is the caller's. log may be nil.
func NewSpeaker(synth speech.Synthesizer, player *audio.Player, log *slog.Logger) *Speaker {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Speaker{synth: synth, player: player, log: log}
}

// Watcher is told of one reply's way to the loudspeaker, from the goroutine
// that plays it.
type Watcher interface {
	// Said: a sentence begins to sound.
	Said(ctx context.Context, w event.Words)
	// Mute: there is no voice or no loudspeaker; the rest stays unspoken.
	Mute(ctx context.Context, err error)
}

// Speech is one reply being spoken. Write and Finish are called by one
// goroutine, the one that runs the turn.
type Speech struct {
	speaker *Speaker
	lang    string // of what has no letters of its own
	cancel  context.CancelFunc
	jobs    sync.WaitGroup
	lines   chan *line // capacity 1: one sentence is synthesised ahead

	mu     sync.Mutex
	split  text.Splitter
	all    string
	queue  []string // sentences not yet begun
	closed bool
	more   chan struct{} // capacity 1: the queue grew or was closed
	begun  []*line
	broken bool

	// Written by synthesise and by play, read after the jobs ended: when the first
	// sentence was whole, and when its sound was handed to the loudspeaker.
	sentenceAt, soundAt time.Time
}

// line is one sentence on its way.
type line struct {
	text string
	lang string
	clip *clip // nil: nothing to be spoken
	// Below: written by play alone, read after jobs ended.
	stream *audio.Stream
	done   bool // heard to its end
}

// Begin starts a reply. Its two goroutines end with Finish, or with ctx, whose
// end is barge-in.
func (s *Speaker) Begin(ctx context.Context, lang string, w Watcher) *Speech {
	ctx, cancel := context.WithCancel(ctx)
	p := &Speech{speaker: s, lang: lang, cancel: cancel, lines: make(chan *line, 1), more: make(chan struct{}, 1)}
	p.jobs.Go(func() { p.synthesise(ctx) })
	p.jobs.Go(func() { p.play(ctx, w) })
	return p
}

// Write takes more of the reply, and returns at once.
func (p *Speech) Write(piece string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.all += piece
	p.queue = append(p.queue, p.split.Write(piece)...)
	p.poke()
}

// Finish ends the reply and waits until it was heard or ctx ended. It returns
// what was heard and whether that is all of it (V6). A reply that could not be
// spoken for want of a voice or a loudspeaker counts as delivered: it stands on
// the screen. After a cancelled turn it is never all.
func (p *Speech) Finish(ctx context.Context) (heard string, whole bool) {
	cancelled := ctx.Err() != nil // then it was not written to its end
	p.close()
	release := context.AfterFunc(ctx, p.cancel)
	defer release()
	p.jobs.Wait()
	p.cancel()
	heard, whole = p.heard()
	return heard, whole && !cancelled
}

func (p *Speech) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.closed = true
	p.queue = append(p.queue, p.split.Close()...)
	p.poke()
}

// poke wakes synthesise; with the lock held.
func (p *Speech) poke() {
	select {
	case p.more <- struct{}{}:
	default:
	}
}

// heard adds up the sentences that were heard; after the jobs ended.
func (p *Speech) heard() (string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken {
		return p.all, true
	}
	sum := ""
	for _, l := range p.begun {
		if !l.done {
			return sum + l.cut(), false
		}
		sum += l.text
	}
	if len(p.queue) > 0 {
		return sum, false
	}
	return p.all, true
}

// cut is the part of an interrupted sentence that was heard.
func (l *line) cut() string {
	if l.stream == nil {
		return ""
	}
	return cutAt(l.text, l.stream.Played(), l.clip.length(l.text))
}

// synthesise turns sentences into sound, at most one ahead of the one playing.
func (p *Speech) synthesise(ctx context.Context) {
	defer close(p.lines)
	for {
		sentence, ok := p.next(ctx)
		if !ok {
			return
		}
		first := p.sentenceAt.IsZero()
		if first {
			p.sentenceAt = time.Now()
		}
		l := &line{text: sentence, lang: text.Lang(sentence, p.lang)}
		spoken := text.Spoken(sentence, l.lang)
		if spoken != "" {
			l.clip = newClip()
		}
		p.mu.Lock()
		p.begun = append(p.begun, l)
		p.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case p.lines <- l:
		}
		if l.clip != nil {
			l.clip.close(p.speaker.speak(ctx, spoken, l, first))
		}
	}
}

// speak computes the sound of a line, whose words are spoken. Of a reply's first
// line it asks in breaths: nothing sounds meanwhile that hides how long it takes.
func (s *Speaker) speak(ctx context.Context, spoken string, l *line, first bool) error {
	pieces := []string{spoken}
	if first {
		pieces = text.Breaths(spoken)
	}
	for _, piece := range pieces {
		if err := s.synth.Speak(ctx, strings.TrimSpace(piece), l.lang, l.clip.add); err != nil {
			return err
		}
	}
	return nil
}

// next waits for the next sentence; false at the end of the reply or of ctx.
func (p *Speech) next(ctx context.Context) (string, bool) {
	for {
		p.mu.Lock()
		if len(p.queue) > 0 {
			sentence := p.queue[0]
			p.queue = p.queue[1:]
			p.mu.Unlock()
			return sentence, true
		}
		closed := p.closed
		p.mu.Unlock()
		if closed {
			return "", false
		}
		select {
		case <-ctx.Done():
			return "", false
		case <-p.more:
		}
	}
}

// play plays line after line, each when the one before was heard.
func (p *Speech) play(ctx context.Context, w Watcher) {
	for l := range p.lines {
		if ctx.Err() != nil {
			return
		}
		if l.clip == nil {
			l.done = true
			continue
		}
		err := p.playLine(ctx, l, w)
		if err == nil {
			l.done = true
			continue
		}
		if ctx.Err() == nil {
			p.fail(ctx, err, w)
		}
		return
	}
}

// fail gives up speaking this reply.
func (p *Speech) fail(ctx context.Context, err error, w Watcher) {
	p.speaker.log.Warn("a reply stays unspoken", "err", err)
	p.mu.Lock()
	p.broken = true
	p.mu.Unlock()
	w.Mute(ctx, err)
	p.cancel()
}

// playLine plays one sentence and waits until it was heard.
func (p *Speech) playLine(ctx context.Context, l *line, w Watcher) error {
	for {
		pcm, err := l.clip.next(ctx)
		if err != nil {
			if l.stream != nil {
				l.stream.End()
			}
			return err
		}
		if len(pcm) == 0 {
			break
		}
		if l.stream == nil {
			l.stream = p.speaker.player.Begin(ctx)
			if p.soundAt.IsZero() {
				p.soundAt = time.Now()
			}
			w.Said(ctx, event.Words{Text: l.text, Lang: l.lang})
		}
		if err := l.stream.Write(pcm); err != nil {
			return p.over(ctx, l.stream)
		}
	}
	if l.stream == nil {
		return nil // a voice that makes no sound of it
	}
	l.stream.End()
	return p.over(ctx, l.stream)
}

// hangs is how long a cancelled stream may take to be flushed before its count
// is taken as it is: twice what V6 allows a barge-in.
const hangs = 400 * time.Millisecond

// over waits until the stream is over and returns its error.
func (p *Speech) over(ctx context.Context, s *audio.Stream) error {
	select {
	case <-s.Done():
		return s.Err()
	case <-ctx.Done():
	}
	stuck := time.NewTimer(hangs)
	defer stuck.Stop()
	select {
	case <-s.Done():
		return s.Err()
	case <-stuck.C:
		return ctx.Err()
	}
}
