package console

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// Limits of connections and requests. A page open on twenty phones needs some
// forty connections, most of them websockets, which are counted apart.
const (
	maxWaiting  = 96  // connections that ask nothing now
	maxLive     = 64  // websockets
	maxTalks    = 2   // of them with a microphone: each costs a recogniser
	perSecond   = 40  // requests of one address, for long
	burst       = 240 // and at once
	maxCounted  = 1024
	countedLife = time.Minute
)

// limits counts what strangers may use up. Any goroutine may use it.
type limits struct {
	mu      sync.Mutex
	waiting map[net.Conn]time.Time // new or idle, since when
	buckets map[string]*bucket
	live    int
	talks   int
	closed  int // connections that made room
}

// bucket is a token bucket.
type bucket struct {
	tokens float64
	at     time.Time
}

func newLimits() *limits {
	return &limits{waiting: map[net.Conn]time.Time{}, buckets: map[string]*bucket{}}
}

// connState keeps at most maxWaiting connections that ask nothing: the one that
// has been silent for longest makes room. Five hundred idle sockets push out each
// other; who asks something is not among them.
func (l *limits) connState(conn net.Conn, s http.ConnState) {
	if victim := l.track(conn, s); victim != nil {
		_ = victim.Close()
	}
}

func (l *limits) track(conn net.Conn, s http.ConnState) (victim net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s != http.StateNew && s != http.StateIdle {
		delete(l.waiting, conn)
		return nil
	}
	l.waiting[conn] = time.Now()
	if len(l.waiting) <= maxWaiting {
		return nil
	}
	for c, since := range l.waiting {
		if c != conn && (victim == nil || since.Before(l.waiting[victim])) {
			victim = c
		}
	}
	delete(l.waiting, victim)
	l.closed++
	return victim
}

// allow takes one request of an address.
func (l *limits) allow(who string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.take1(who, burst, perSecond)
}

// take1 takes a token from the bucket of key, which holds most and gets rate a
// second.
func (l *limits) take1(key string, most, rate float64) bool {
	now := time.Now()
	b := l.buckets[key]
	if b == nil {
		l.forget(now)
		b = &bucket{most, now}
		l.buckets[key] = b
	}
	b.tokens = min(most, b.tokens+rate*now.Sub(b.at).Seconds())
	b.at = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

// allowPairing takes one try to pair from an address: six at once, then one in ten
// seconds.
func (l *limits) allowPairing(who string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.take1("pair "+who, 6, .1)
}

// forget makes room for another address.
func (l *limits) forget(now time.Time) {
	if len(l.buckets) < maxCounted {
		return
	}
	for who, b := range l.buckets {
		if now.Sub(b.at) > countedLife {
			delete(l.buckets, who)
		}
	}
	if len(l.buckets) >= maxCounted { // all of them are new: count afresh
		clear(l.buckets)
	}
}

// take takes a place among the websockets; ok is false when there is none. free
// gives it back.
func (l *limits) take(talk bool) (free func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.live >= maxLive || talk && l.talks >= maxTalks {
		return nil, false
	}
	n := 0
	if talk {
		n = 1
	}
	l.live++
	l.talks += n
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.live--
		l.talks -= n
	}, true
}

// counts are what /metrics tells.
func (l *limits) counts() (waiting, live, talks, closed int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting), l.live, l.talks, l.closed
}
