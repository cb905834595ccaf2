package agent

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// How long a turn waits for another one of its conversation (R50).
const (
	waitNotice = time.Second      // then the user hears that he was heard
	waitLimit  = 15 * time.Second // then the text turn gives way, never the voice turn
)

// errBusy: a text turn waited waitLimit and gave up. errGaveWay: a text turn ran
// while somebody was waiting to be answered aloud.
var (
	errBusy    = errors.New("another turn holds the conversation")
	errGaveWay = errors.New("a spoken turn was waiting")
)

// kind says who holds or wants a conversation.
type kind int

const (
	job    kind = iota // waits as long as it takes: an expiry, an exit
	typed              // gives way
	spoken             // goes first
)

// conversations are the locks of R50: one for each conversation, by its key. The
// mode's session is one, each normal session is one.
type conversations struct {
	mu   sync.Mutex
	held map[string]*claim
	wait map[string][]*claim // by arrival
}

// claim is one holder of a conversation, or one who waits for it.
type claim struct {
	kind    kind
	cancel  context.CancelCauseFunc // ends a typed turn; nil for a job
	waiting func()                  // called once after waitNotice, may be nil
	ready   chan struct{}           // closed when the conversation is ours
}

func newConversations() *conversations {
	return &conversations{held: map[string]*claim{}, wait: map[string][]*claim{}}
}

// take waits until the conversation is c's. It is errBusy for a typed turn that
// waited too long.
func (l *conversations) take(ctx context.Context, key string, c *claim) error {
	if l.enqueue(key, c) {
		return nil
	}
	notice, limit := time.NewTimer(waitNotice), time.NewTimer(waitLimit)
	defer notice.Stop()
	defer limit.Stop()
	for {
		select {
		case <-c.ready:
			return nil
		case <-notice.C:
			if c.waiting != nil {
				c.waiting()
				c.waiting = nil
			}
		case <-limit.C:
			if c.kind == typed {
				return l.giveUp(key, c, errBusy)
			}
			if c.kind == spoken {
				l.push(key)
			}
		case <-ctx.Done():
			return l.giveUp(key, c, ctx.Err())
		}
	}
}

// enqueue takes a free conversation at once, or stands in line.
func (l *conversations) enqueue(key string, c *claim) (taken bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.ready = make(chan struct{})
	if l.held[key] == nil {
		l.held[key] = c
		return true
	}
	l.wait[key] = append(l.wait[key], c)
	return false
}

// giveUp leaves the line; what came at the same instant is passed on.
func (l *conversations) giveUp(key string, c *claim, err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-c.ready:
		l.pass(key)
	default:
		l.wait[key] = slices.DeleteFunc(l.wait[key], func(o *claim) bool { return o == c })
	}
	return err
}

// push ends a typed turn that holds the conversation.
func (l *conversations) push(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h := l.held[key]; h != nil && h.kind == typed && h.cancel != nil {
		h.cancel(errGaveWay)
	}
}

func (l *conversations) release(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pass(key)
}

// pass hands a conversation to the next in line: the first spoken turn, else the
// first of all.
func (l *conversations) pass(key string) {
	line := l.wait[key]
	if len(line) == 0 {
		delete(l.held, key)
		delete(l.wait, key)
		return
	}
	i := max(slices.IndexFunc(line, func(c *claim) bool { return c.kind == spoken }), 0)
	next := line[i]
	l.wait[key] = slices.Delete(line, i, i+1)
	l.held[key] = next
	close(next.ready)
}
