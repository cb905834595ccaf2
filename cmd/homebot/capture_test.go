package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"homebot/internal/event"
)

// The two ends of the cable between this machine and the other one; two runs of
// the tests at once have two cables.
var (
	nearIP = fmt.Sprintf("10.213.%d.1", os.Getpid()%256)
	farIP  = fmt.Sprintf("10.213.%d.2", os.Getpid()%256)
)

const (
	farPort   = 9790
	testToken = "a-token-for-the-test"
)

// otherMachine is a network namespace at the end of a cable.
type otherMachine struct{ name, near string }

// newOtherMachine makes one; the test is skipped where that is not allowed.
func newOtherMachine(t *testing.T) otherMachine {
	t.Helper()
	m := otherMachine{fmt.Sprintf("homebot%d", os.Getpid()), fmt.Sprintf("hb%d", os.Getpid())}
	for _, args := range [][]string{
		{"netns", "add", m.name},
		{"link", "add", m.near, "type", "veth", "peer", "name", "far", "netns", m.name},
		{"addr", "add", nearIP + "/30", "dev", m.near},
		{"link", "set", m.near, "up"},
		{"-n", m.name, "addr", "add", farIP + "/30", "dev", "far"},
		{"-n", m.name, "link", "set", "far", "up"},
	} {
		if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
			m.remove()
			t.Skipf("no network namespace can be made here (ip %s: %v %s)", strings.Join(args, " "), err, bytes.TrimSpace(out))
		}
	}
	t.Cleanup(m.remove)
	return m
}

// remove takes the cable along.
func (m otherMachine) remove() { _ = exec.Command("ip", "netns", "del", m.name).Run() }

// serveSpeech runs homebot-speech on the other machine until the test ends.
func (m otherMachine) serveSpeech(t *testing.T) {
	t.Helper()
	c := exec.Command("ip", "netns", "exec", m.name, speechDir+"/homebot-speech", "serve", "--listen", fmt.Sprintf("%s:%d", farIP, farPort))
	c.Env = append(os.Environ(), "HOMEBOT_SPEECH_TOKEN="+testToken)
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.HasPrefix(line, "READY") {
		t.Fatalf("%q %v", line, err)
	}
}

// cable records what goes over the near end of the cable.
type cable struct {
	fd      int
	mu      sync.Mutex
	streams map[uint16]*stream // by our port, of connections to the server
	other   []string           // what is neither that nor the network's own housekeeping
}

// stream is what we sent on one TCP connection, put together.
type stream struct {
	first uint32 // sequence number of data[0]
	data  []byte
	gap   bool // a packet was not seen
}

// listenOn records from now on.
func listenOn(t *testing.T, device string) *cable {
	t.Helper()
	const everything = unix.ETH_P_ALL<<8&0xff00 | unix.ETH_P_ALL>>8
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0) // 0: nothing before Bind
	if err != nil {
		t.Skipf("packets cannot be captured here: %v", err)
	}
	near, err := net.InterfaceByName(device)
	if err == nil {
		err = unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: everything, Ifindex: near.Index})
	}
	if err == nil {
		err = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, 8<<20)
	}
	if err == nil {
		err = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 100_000})
	}
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{fd: fd, streams: map[uint16]*stream{}}
	done := make(chan struct{})
	var reading sync.WaitGroup
	reading.Go(func() { c.read(done) })
	t.Cleanup(func() { close(done); reading.Wait(); _ = unix.Close(fd) })
	return c
}

func (c *cable) read(done <-chan struct{}) {
	packet := make([]byte, 1<<17)
	for {
		select {
		case <-done:
			return
		default:
		}
		if n, _, err := unix.Recvfrom(c.fd, packet, 0); err == nil {
			c.mu.Lock()
			c.take(packet[:n])
			c.mu.Unlock()
		}
	}
}

// take sorts one Ethernet frame: address resolution and IPv6 neighbour discovery
// are the network's own.
func (c *cable) take(frame []byte) {
	if len(frame) < 34 {
		return
	}
	switch binary.BigEndian.Uint16(frame[12:]) {
	case unix.ETH_P_ARP:
		return
	case unix.ETH_P_IPV6:
		if frame[20] != unix.IPPROTO_ICMPV6 && frame[20] != 0 { // 0: hop-by-hop, multicast reports
			c.other = append(c.other, fmt.Sprintf("IPv6 protocol %d", frame[20]))
		}
		return
	case unix.ETH_P_IP:
		c.ip(frame[14:])
	}
}

func (c *cable) ip(p []byte) {
	length := int(binary.BigEndian.Uint16(p[2:]))
	if length == 0 || length > len(p) { // segmentation left to the card
		length = len(p)
	}
	from, to := net.IP(p[12:16]).String(), net.IP(p[16:20]).String()
	tcp := p[int(p[0]&15)*4 : length]
	switch {
	case from == farIP && to == nearIP && p[9] == unix.IPPROTO_TCP && binary.BigEndian.Uint16(tcp) == farPort:
	case from == nearIP && to == farIP && p[9] == unix.IPPROTO_TCP && binary.BigEndian.Uint16(tcp[2:]) == farPort:
		c.tcp(binary.BigEndian.Uint16(tcp), tcp)
	default:
		c.other = append(c.other, fmt.Sprintf("%s → %s, protocol %d", from, to, p[9]))
	}
}

func (c *cable) tcp(port uint16, p []byte) {
	seq := binary.BigEndian.Uint32(p[4:])
	payload := p[int(p[12]>>4)*4:]
	if p[13]&2 != 0 { // SYN
		c.streams[port] = &stream{first: seq + 1}
		return
	}
	s := c.streams[port]
	if s == nil || len(payload) == 0 {
		return
	}
	at := int(int32(seq - s.first))
	switch {
	case at > len(s.data):
		s.gap = true
	case at >= 0 && at+len(payload) > len(s.data):
		s.data = append(s.data[:at], payload...)
	}
}

// sent is what left the machine so far.
type sent struct {
	requests []string // request lines
	texts    []string // types of the websocket's text messages
	audio    int      // bytes in its binary messages
	control  int      // bytes in pings and pongs
	other    []string
}

// sent reads the streams.
func (c *cable) sent(t *testing.T) sent {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	out := sent{other: slices.Clone(c.other)}
	for _, s := range c.streams {
		if s.gap {
			t.Error("the capture has a gap")
		}
		out.read(t, s.data)
	}
	slices.Sort(out.requests)
	return out
}

// read takes one stream apart: a request, and behind an upgrade the messages.
func (o *sent) read(t *testing.T, data []byte) {
	t.Helper()
	for len(data) > 0 {
		in := bufio.NewReader(bytes.NewReader(data))
		r, err := http.ReadRequest(in)
		if err != nil {
			o.other = append(o.other, fmt.Sprintf("not HTTP: %.40q", data))
			return
		}
		o.requests = append(o.requests, r.Method+" "+r.URL.Path)
		_, body, _ := bytes.Cut(data, []byte("\r\n\r\n"))
		if r.Header.Get("Upgrade") == "websocket" {
			o.messages(body)
			return
		}
		data = body[min(int(max(r.ContentLength, 0)), len(body)):]
	}
}

// messages reads the frames of a websocket, from client to server: masked.
func (o *sent) messages(b []byte) {
	var text []byte // of a message in several frames: a hello may be long
	var in byte
	for len(b) >= 6 {
		last, opcode, n, head := b[0]&128 != 0, b[0]&15, int(b[1]&127), 2
		switch n {
		case 126:
			n, head = int(binary.BigEndian.Uint16(b[2:])), 4
		case 127:
			n, head = int(binary.BigEndian.Uint64(b[2:])), 10
		}
		if len(b) < head+4+n {
			return // still under way
		}
		mask, payload := b[head:head+4], slices.Clone(b[head+4:head+4+n])
		for i := range payload {
			payload[i] ^= mask[i%4]
		}
		b = b[head+4+n:]
		if opcode == 0 {
			opcode = in
		} else if opcode < 8 {
			in = opcode
		}
		switch opcode {
		case 1:
			if text = append(text, payload...); !last {
				continue
			}
			var m struct{ Type string }
			_ = json.Unmarshal(text, &m)
			o.texts, text = append(o.texts, m.Type), nil
		case 9, 10:
			o.control += n
		case 8:
		default:
			o.audio += n
		}
	}
}

// V1: with a recogniser on another machine configured, nothing that was heard
// before the wake word goes there: what passes the cable is the upgrade of the
// connection, its hello, pings, and sentences of the device's own to be spoken
// (a busy machine loses its sound card, and says so). After the wake word the
// utterance goes, and with its end that is over.
func TestNothingLeavesBeforeTheWakeWord(t *testing.T) {
	t.Parallel()
	k := talksInTests[0]
	h := k.home(t)
	m := newOtherMachine(t)
	c := listenOn(t, m.near)
	m.serveSpeech(t)
	h.configure(fmt.Sprintf("[system]\nlanguage = %q\n[speech]\nurl = \"http://%s:%d\"\ntoken = %q\n", k.lang, farIP, farPort, testToken))
	a := h.appliance(newRoom(t, h))
	within(t, patience, "the connection to the other machine", func() bool { return len(c.sent(t).texts) > 0 })
	for _, words := range foreign["en"] {
		a.room.say(words, "en")
	}
	a.room.play(make([]int16, 16000)) // or the wake word is the end of a sentence
	checkSilent(t, c.sent(t), sent{}, a.since(0))
	mark := a.mark()
	a.order(k.wake, k.open, k.lang)
	checkEntered(t, a)
	a.rest(event.Idle)
	utterance := c.sent(t)
	if seconds := float64(utterance.audio) / 32000; seconds < 1 || !slices.Contains(utterance.texts, "take") {
		t.Errorf("of the utterance %.1f s went, messages %q", seconds, utterance.texts)
	}
	checkSentWhileListening(t, a.since(mark), utterance.audio)
	mark = a.mark()
	for _, words := range foreign["en"][:2] {
		a.room.say(words, "en")
	}
	checkSilent(t, c.sent(t), utterance, a.since(mark))
}

// checkSilent: between two looks at the cable nothing went that was heard. It
// does not judge a wake: that is for the test of foreign speech.
func checkSilent(t *testing.T, now, before sent, seen []event.Event) {
	t.Helper()
	if slices.ContainsFunc(seen, is(event.Woken)) {
		t.Logf("woken in between:\n%s", story(seen))
		return
	}
	odd := slices.ContainsFunc(now.requests, func(r string) bool { return r != "GET /v1/listen" && r != "POST /v1/audio/speech" }) ||
		slices.ContainsFunc(now.texts[len(before.texts):], func(m string) bool { return m != "hello" && m != "wait" })
	if odd || now.audio != before.audio || len(now.other) > 0 || now.control > 1000 {
		t.Errorf("without a wake word there left %+v, before %+v; seen:\n%s", now, before, story(seen))
	}
}

// checkSentWhileListening: not more went than was said while it listened, with
// the pre-roll and what was on its way.
func checkSentWhileListening(t *testing.T, all []event.Event, audio int) {
	t.Helper()
	var listening time.Duration
	var from time.Time
	for _, e := range all {
		switch on := e.State.Dialogue == event.Listening; {
		case on && from.IsZero():
			from = e.At
		case !on && !from.IsZero():
			listening += e.At.Sub(from) + 1500*time.Millisecond
			from = time.Time{}
		}
	}
	if went := time.Duration(audio) * time.Second / 32000; went > listening {
		t.Errorf("%v of audio left, in %v of listening and pre-roll", went, listening)
	}
}
