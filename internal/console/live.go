package console

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"homebot/internal/console/door"
	"homebot/internal/phrases"
)

// Bounds of a websocket.
const (
	maxMessage = 64 << 10 // bytes from a page
	writeWait  = 10 * time.Second
	pingEvery  = 25 * time.Second
	pongWait   = 60 * time.Second
	maxAtOnce  = 4 // commands of one page that run
)

// upgrader trusts guarded, which looked at the origin.
var upgrader = websocket.Upgrader{
	ReadBufferSize: 1 << 10, WriteBufferSize: 4 << 10, WriteBufferPool: &sync.Pool{},
	CheckOrigin: func(*http.Request) bool { return true },
}

// live serves one page's websocket until either side goes.
func (c *Console) live(w http.ResponseWriter, r *http.Request) error {
	free, ok := c.limits.take(false)
	if !ok {
		return refusal{http.StatusServiceUnavailable, "too_many_pages", phrases.ConsoleTooManyPages, nil}
	}
	defer free()
	conn, err := c.upgrade(w, r)
	if err != nil {
		return nil // upgrade has answered
	}
	defer conn.Close()
	defer c.hub.parts(conn)()
	s := &livePage{c: c, conn: conn, client: newClient(entryOf(r).ID), lang: c.lang(r), who: entryOf(r), slots: make(chan struct{}, maxAtOnce)}
	seq, _ := strconv.ParseUint(r.URL.Query().Get("seq"), 10, 64)
	if !c.hub.join(s.client, r.URL.Query().Get("boot"), seq) {
		return nil
	}
	defer c.hub.leave(s.client)
	var writing sync.WaitGroup
	writing.Go(s.write)
	s.read()
	s.client.end()
	writing.Wait()
	c.meters.lost(s.client.lost)
	return nil
}

// upgrade makes a websocket of a request, without the deadlines of one.
func (c *Console) upgrade(w http.ResponseWriter, r *http.Request) (*websocket.Conn, error) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{})
	_ = control.SetWriteDeadline(time.Time{})
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(maxMessage)
	_ = conn.SetReadDeadline(time.Now().Add(pongWait))
	conn.SetPongHandler(func(string) error { return conn.SetReadDeadline(time.Now().Add(pongWait)) })
	return conn, nil
}

// livePage is one websocket.
type livePage struct {
	c      *Console
	conn   *websocket.Conn
	client *client
	lang   string
	who    door.Entry
	slots  chan struct{}
}

// read takes commands until the page goes. The commands it began go on: what a
// person asked for is done.
func (s *livePage) read() {
	for {
		kind, data, err := s.conn.ReadMessage()
		if err != nil {
			return
		}
		_ = s.conn.SetReadDeadline(time.Now().Add(pongWait))
		if kind != websocket.TextMessage {
			s.client.answer(encode(result{Type: "result", Error: s.problem(badCommand(phrases.ConsoleTextOnly))}))
			continue
		}
		s.take(data)
	}
}

// take begins one command, or refuses it.
func (s *livePage) take(data []byte) {
	cmd, err := parseCommand(data)
	if err != nil {
		s.client.answer(encode(result{Type: "result", ID: cmd.ID, Error: s.problem(err)}))
		return
	}
	select {
	case s.slots <- struct{}{}:
	default:
		busy := refusal{http.StatusTooManyRequests, "busy", phrases.ConsoleBusy, nil}
		s.client.answer(encode(result{Type: "result", ID: cmd.ID, Error: s.problem(busy)}))
		return
	}
	if !s.c.limits.allow("page " + s.who.ID) {
		<-s.slots
		many := refusal{http.StatusTooManyRequests, "too_many_requests", phrases.ConsoleTooMany, nil}
		s.client.answer(encode(result{Type: "result", ID: cmd.ID, Error: s.problem(many)}))
		return
	}
	s.c.turns.Go(func() {
		defer func() { <-s.slots }()
		res := s.c.do(s.c.stopped, cmd, s.lang, func(delta string) {
			s.client.answer(encode(deltaMessage{"delta", cmd.ID, delta}))
		})
		s.client.answer(encode(res))
	})
}

func (s *livePage) problem(err error) *problem { return problemIn(err, s.lang) }

// write sends what waits until the page goes, and pings between.
func (s *livePage) write() {
	defer s.conn.Close()
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for {
		select {
		case <-ping.C:
			if s.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeWait)) != nil {
				return
			}
		case <-s.client.wake:
			if over := s.flush(); over {
				return
			}
		}
	}
}

// flush sends what waits; true ends the websocket.
func (s *livePage) flush() (over bool) {
	if s.client.due() && !s.send(encode(s.c.hub.snapshotFor(s.client))) {
		return true
	}
	all, over := s.client.take()
	for _, data := range all {
		if !s.send(data) {
			return true
		}
	}
	if over {
		_ = s.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseGoingAway, ""), time.Now().Add(time.Second))
	}
	return over
}

func (s *livePage) send(data []byte) bool {
	_ = s.conn.SetWriteDeadline(time.Now().Add(writeWait))
	return s.conn.WriteMessage(websocket.TextMessage, data) == nil
}

// encode is for values that always have a JSON form.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		return []byte(`{"type":"error"}`)
	}
	return data
}
