package console

import "sync"

// maxAnswers waits for one page. The replies of its commands are far less; who
// asks on and on and reads nothing is gone.
const maxAnswers = 4096

// client is what waits for one websocket. No method waits: a page that lags
// loses its events, and gets a snapshot when it reads again.
type client struct {
	owner string        // id of who was let in
	wake  chan struct{} // capacity 1

	mu      sync.Mutex
	events  [][]byte
	answers [][]byte // to its own commands, at most maxAnswers
	missed  [][]byte // events from before it came back
	again   bool     // a snapshot comes first
	over    bool
	lost    int // events it did not get
}

func newClient(owner string) *client { return &client{owner: owner, wake: make(chan struct{}, 1)} }

// put queues an event.
func (c *client) put(data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.events) >= pageQueue {
		c.lost += len(c.events)
		c.events, c.again = nil, true
	}
	c.events = append(c.events, data)
	c.poke()
}

// answer queues what must not be lost; one too many ends the websocket.
func (c *client) answer(data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.answers) < maxAnswers {
		c.answers = append(c.answers, data)
	} else {
		c.over = true
	}
	c.poke()
}

// begin makes a snapshot, and then missed, what comes next.
func (c *client) begin(missed [][]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events, c.missed, c.again = nil, missed, true
	c.poke()
}

// stale makes a snapshot what comes next.
func (c *client) stale() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.again = true
	c.poke()
}

// end closes the websocket after what waits.
func (c *client) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	c.poke()
}

// forget drops the events that wait: a snapshot has them.
func (c *client) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = nil
}

// poke wakes the writer; with the lock held.
func (c *client) poke() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// due reports whether a snapshot is due.
func (c *client) due() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	due := c.again
	c.again = false
	return due
}

// take is what is to be sent now, in this order.
func (c *client) take() (all [][]byte, over bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all = append(append(c.missed, c.answers...), c.events...)
	c.missed, c.answers, c.events = nil, nil, nil
	return all, c.over
}
