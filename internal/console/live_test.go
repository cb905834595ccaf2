package console

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"homebot/internal/event"
)

// fakeDevice keeps what it was told.
type fakeDevice struct {
	mu   sync.Mutex
	told []string
}

func (d *fakeDevice) tell(s string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.told = append(d.told, s)
	return nil
}

func (d *fakeDevice) heard() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.told, " | ")
}

func (d *fakeDevice) Mute(_ context.Context, on bool) error { return d.tell(fmt.Sprint("mute ", on)) }
func (d *fakeDevice) SetVolume(_ context.Context, n int) error {
	return d.tell(fmt.Sprint("volume ", n))
}
func (d *fakeDevice) Stop(context.Context) error   { return d.tell("stop") }
func (d *fakeDevice) Repeat(context.Context) error { return d.tell("repeat") }
func (d *fakeDevice) Forget()                      { _ = d.tell("forget") }
func (d *fakeDevice) Announce(_ context.Context, text, lang string) error {
	return d.tell(lang + ": " + text)
}

// socket is a page's websocket.
type socket struct {
	t    testing.TB
	conn *websocket.Conn
}

func (h *house) dial(path string) *socket {
	h.t.Helper()
	address := "ws" + strings.TrimPrefix(h.url(path), "http")
	conn, res, err := websocket.DefaultDialer.Dial(address, http.Header{"Authorization": {"Bearer " + h.token}})
	if err != nil {
		h.t.Fatalf("%s: %v %v", path, err, res)
	}
	h.t.Cleanup(func() { _ = conn.Close() })
	return &socket{h.t, conn}
}

// next is the next message.
func (s *socket) next() object {
	s.t.Helper()
	_ = s.conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	kind, data, err := s.conn.ReadMessage()
	if err != nil {
		s.t.Fatal(err)
	}
	if kind == websocket.BinaryMessage {
		return object{"type": "sound", "bytes": len(data)}
	}
	var m object
	if err := json.Unmarshal(data, &m); err != nil {
		s.t.Fatal(err)
	}
	return m
}

// until reads on to a message that ok takes.
func (s *socket) until(what string, ok func(object) bool) object {
	s.t.Helper()
	for range 500 {
		if m := s.next(); ok(m) {
			return m
		}
	}
	s.t.Fatalf("never came: %s", what)
	return nil
}

func (s *socket) send(v any) {
	s.t.Helper()
	if err := s.conn.WriteJSON(v); err != nil {
		s.t.Fatal(err)
	}
}

// result is the answer to a command.
func (s *socket) result(id string) object {
	s.t.Helper()
	return s.until("result of "+id, func(m object) bool { return m["type"] == "result" && m["id"] == id })
}

// A page gets a snapshot, then events; its commands are answered, a reply as it is
// written; another page sees the same turn.
func TestLive(t *testing.T) {
	device := &fakeDevice{}
	h := newHouse(t, func(c *Config) { c.Device = device })
	one, two := h.dial("/api/v1/live"), h.dial("/api/v1/live")
	for _, s := range []*socket{one, two} {
		m := s.next()
		sound := m["sound"].(object)
		if m["type"] != "snapshot" || m["boot"] == "" || sound["present"] != true || sound["volume"] != 70.0 || m["cooking"] != nil || m["timers"] == nil {
			t.Fatalf("first came %v", m)
		}
	}
	one.send(object{"id": "c1", "do": "turn", "text": "打开做饭模式", "speaker_id": "mama"})
	text := ""
	m := one.until("the outcome", func(m object) bool {
		if m["type"] == "delta" && m["id"] == "c1" {
			text += m["text"].(string)
		}
		return m["type"] == "result"
	})
	if o := m["outcome"].(object); m["ok"] != true || o["reply"] != strings.TrimSpace(text) || o["mode"] == nil {
		t.Errorf("%v; deltas %q", m, text)
	}
	two.until("the mode", func(m object) bool { return m["kind"] == "mode" && m["cooking"] != nil })
	two.until("the turn", func(m object) bool { return m["kind"] == "turn" && m["data"].(object)["user"] == "打开做饭模式" })
	one.send(object{"id": "c2", "do": "cook", "action": "start", "recipe": "番茄炒蛋", "lang": "zh"})
	two.until("the step", func(m object) bool {
		c, ok := m["cooking"].(object)
		return ok && c["step"] == 1.0
	})
	one.send(object{"id": "c3", "do": "timer", "action": "set", "words": "鸡蛋八分钟"})
	two.until("the timer", func(m object) bool { return m["kind"] == "timer_set" && len(m["timers"].([]any)) == 1 })
	for i, c := range []object{
		{"do": "device", "action": "mute"}, {"do": "device", "action": "unmute"}, {"do": "device", "action": "volume", "volume": 30},
		{"do": "device", "action": "stop"}, {"do": "device", "action": "repeat"}, {"do": "ping"}, {"do": "mode", "action": "exit"},
	} {
		c["id"] = fmt.Sprint("d", i)
		one.send(c)
		if m := one.result(c["id"].(string)); m["ok"] != true {
			t.Errorf("%v: %v", c, m)
		}
	}
	if got := device.heard(); got != "mute true | mute false | volume 30 | stop | repeat" {
		t.Errorf("the device was told %q", got)
	}
	for i, c := range []string{`{"id":"e0","do":"fly"}`, `{"id":"e1","do":"device","action":"volume"}`, `{"id":"e2","do":"cook","action":"next"}`} {
		if err := one.conn.WriteMessage(websocket.TextMessage, []byte(c)); err != nil {
			t.Fatal(err)
		}
		if m := one.result(fmt.Sprint("e", i)); m["ok"] != false || m["error"].(object)["text"] == "" {
			t.Errorf("%s: %v", c, m)
		}
	}
}

// A page that comes back gets the snapshot and, marked, what it missed.
func TestReconnect(t *testing.T) {
	h := newHouse(t, nil)
	s := h.dial("/api/v1/live")
	boot := s.next()["boot"].(string)
	h.bus.Publish(event.NothingHeard, nil)
	seen := s.next()["seq"].(float64)
	_ = s.conn.Close()
	for i := range 3 {
		h.bus.Publish(event.FinalHeard, event.Words{Text: fmt.Sprint(i), Lang: "en"})
	}
	within(t, "the hub has them", func() bool { return h.console.hub.snapshot().Seq >= uint64(seen)+3 })
	s = h.dial(fmt.Sprintf("/api/v1/live?boot=%s&seq=%.0f", boot, seen))
	if m := s.next(); m["type"] != "snapshot" || m["seq"] != seen+3 {
		t.Fatalf("first came %v", m)
	}
	for i := range 3 {
		if m := s.next(); m["replayed"] != true || m["data"].(object)["text"] != fmt.Sprint(i) {
			t.Errorf("then came %v", m)
		}
	}
	h.bus.Publish(event.BargedIn, nil)
	if m := s.next(); m["kind"] != "barge_in" || m["replayed"] != nil {
		t.Errorf("then came %v", m)
	}
	s = h.dial("/api/v1/live?boot=another&seq=1")
	s.next()
	h.bus.Publish(event.NothingHeard, nil)
	if m := s.next(); m["replayed"] != nil {
		t.Errorf("of another boot came %v", m)
	}
}

// A page that does not read never delays the hub; when it reads again it gets a
// snapshot in the place of what it missed, then what follows.
func TestSlowPage(t *testing.T) {
	h := newHouse(t, nil)
	hub := h.console.hub
	slow := newClient("x")
	if !hub.join(slow, "", 0) {
		t.Fatal("closed")
	}
	defer hub.leave(slow)
	const events = 3*pageQueue + 5
	start := hub.snapshot().Seq
	for i := range events {
		hub.happened(event.Event{Seq: start + uint64(i) + 1, Kind: event.PartialHeard, Data: event.Words{Text: fmt.Sprint(i)}})
	}
	if !slow.due() {
		t.Fatal("no snapshot is due")
	}
	if s := hub.snapshotFor(slow); s.Seq != start+events {
		t.Errorf("snapshot of %d, want %d", s.Seq, start+events)
	}
	if all, _ := slow.take(); len(all) != 0 {
		t.Errorf("%d events are in the snapshot and come again", len(all))
	}
	if slow.lost < 2*pageQueue {
		t.Errorf("%d are counted as lost", slow.lost)
	}
	hub.happened(event.Event{Seq: start + events + 1, Kind: event.BargedIn})
	if all, _ := slow.take(); len(all) != 1 || !strings.Contains(string(all[0]), "barge_in") {
		t.Errorf("then came %s", all)
	}
}

// A page that reads nothing does not hold up the end of the console.
func TestStuckPageAtTheEnd(t *testing.T) {
	h := newHouse(t, nil)
	h.dial("/api/v1/live")
	hub := h.console.hub
	within(t, "the page", func() bool { hub.mu.Lock(); defer hub.mu.Unlock(); return len(hub.clients) == 1 })
	const mebibytes = 16 // more than sockets hold
	hub.happened(event.Event{Seq: hub.snapshot().Seq + 1, Kind: event.Said, Data: event.Words{Text: strings.Repeat("x", mebibytes<<20)}})
	within(t, "it is being sent", func() bool {
		hub.mu.Lock()
		defer hub.mu.Unlock()
		for p := range hub.clients {
			p.mu.Lock()
			waits := len(p.events) > 0
			p.mu.Unlock()
			return !waits
		}
		return false
	})
	began := time.Now()
	hub.closeAll()
	hub.sockets.Wait()
	if took := time.Since(began); took > writeWait/2 {
		t.Errorf("it took %v", took)
	}
}

// Who is revoked loses the page that is open; when the device ends, all do.
func TestRevokedPageIsClosed(t *testing.T) {
	h := newHouse(t, nil)
	s := h.dial("/api/v1/live")
	s.next()
	var list struct{ Access []Access }
	h.do("GET", "/api/v1/access", nil, 200, &list)
	if len(list.Access) != 1 || !list.Access[0].This {
		t.Fatalf("access %+v", list)
	}
	h.do("DELETE", "/api/v1/access/"+list.Access[0].ID, nil, 204, nil)
	_ = s.conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, _, err := s.conn.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseGoingAway) {
		t.Errorf("the page ended with %v", err)
	}
	h.do("GET", "/api/v1/state", nil, 401, nil)
}

// What a page or a program got wrong is answered with its id and names the
// field, in the language of who asks, without a word of Go's.
func TestWrongTypes(t *testing.T) {
	for sent, want := range map[string][3]string{
		`{"id":"a","do":"timer","seconds":"x"}`: {"a", "请求有误：seconds 要写整数。", "The request is wrong: seconds takes a whole number."},
		`{"do":"timer","all":1,"id":"b"}`:       {"b", "请求有误：all 要写 true 或 false。", "The request is wrong: all takes true or false."},
		`{"id":7,"do":"ping"}`:                  {"", "请求有误：id 要写文字。", "The request is wrong: id takes text."},
		`{"id":"c","volume":1.5}`:               {"c", "请求有误：volume 要写整数。", "The request is wrong: volume takes a whole number."},
		`{"id":"e","do":"fly"}`:                 {"e", "请求有误：do 要写其中一个：turn, timer, cook, mode, device, ping。", "The request is wrong: do takes one of: turn, timer, cook, mode, device, ping."},
		`{"id":"d"`:                             {"", "请求有误：需要一个 JSON 对象。", "The request is wrong: it takes one JSON object."},
		`["id"]`:                                {"", "请求有误：需要一个 JSON 对象。", "The request is wrong: it takes one JSON object."},
	} {
		cmd, err := parseCommand([]byte(sent))
		if err == nil || cmd.ID != want[0] || problemIn(err, "zh").Text != want[1] || problemIn(err, "en").Text != want[2] {
			t.Errorf("%s: id %q, %v", sent, cmd.ID, err)
		}
	}
	h := newHouse(t, nil)
	s := h.dial("/api/v1/live")
	s.send(object{"id": "w", "do": "timer", "action": "set", "seconds": "x"})
	if m := s.result("w"); m["ok"] != false {
		t.Errorf("over the websocket: %v", m)
	}
	for _, c := range []struct {
		path string
		body any
		want string
	}{
		{"/api/v1/turns", object{"text": 5}, "The request is wrong: text takes text."},
		{"/api/v1/timers", object{"seconds": "x"}, "The request is wrong: seconds takes a whole number."},
		{"/api/v1/recipes", object{"title": "x", "steps": "boil"}, "The request is wrong: steps takes a list."},
	} {
		var got struct{ Error problem }
		h.do("POST", c.path, c.body, 400, &got)
		if got.Error.Text != c.want || got.Error.Code != "bad_request" {
			t.Errorf("%s: %+v, want %q", c.path, got.Error, c.want)
		}
	}
}

// FuzzCommand: whatever a page sends, it is a command of the list or one line.
func FuzzCommand(f *testing.F) {
	for _, s := range []string{`{"id":"c1","do":"turn","text":"x"}`, `{"do":"cook","action":"goto","step":-1}`, `[]`, `{"id":1}`, `{"do":"ping"}{}`, "\xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		cmd, err := parseCommand(data)
		if err != nil {
			if p := problemIn(err, "en"); strings.Contains(p.Text, "\n") || p.Code != "bad_request" {
				t.Errorf("%+v", p)
			}
			return
		}
		if len(cmd.ID) > maxID {
			t.Errorf("id of %d bytes", len(cmd.ID))
		}
		if cmd.Do == doCook {
			if words, err := cookWords(cmd); err == nil && strings.Contains(words, "\n") {
				t.Errorf("words %q", words)
			}
		}
	})
}

// A page that asks on and on and reads nothing has a bound: then it is gone.
func TestPageThatOnlyAsks(t *testing.T) {
	c := newClient("x")
	for range 2 * maxAnswers {
		c.answer([]byte("{}"))
	}
	if all, over := c.take(); len(all) != maxAnswers || !over {
		t.Errorf("%d answers wait, over %v", len(all), over)
	}
}
