package conversation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// ErrBadLine is wrapped by every error of ParseLine.
var ErrBadLine = errors.New("not a record")

var (
	errTimestamp = errors.New("timestamp without a year of four digits")
	errNewline   = errors.New("newline inside")
	errUntimed   = errors.New("no timestamp")
	errUnknown   = errors.New("unknown key whose value is not JSON on one line")
)

const crcKey = `,"crc":"`

// knownKeys are the keys that have a field of their own.
var knownKeys = []string{
	"timestamp", "channel", "chat_id", "speaker_id", "user", "assistant",
	"id", "sent", "raw", "facts", "enter", "exit", "failed", "crc",
}

// ParseLine reads one line of a log, without its newline. It takes keys in any
// order, keeps the ones it does not know, and accepts a line without crc; a crc
// that is wrong, a missing timestamp or anything that is not one JSON object is
// ErrBadLine. Sent and Raw come back empty when they equal User and Assistant.
// The record shares memory with nothing the caller holds.
func ParseLine(line []byte) (Record, error) {
	var r Record
	if err := r.parse(line); err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrBadLine, err)
	}
	return r, nil
}

// parse fills r, which must be zero; after an error it is half filled.
func (r *Record) parse(line []byte) error {
	if bytes.IndexByte(line, '\n') >= 0 {
		return errNewline
	}
	p := parser{line: line, s: string(line), rec: r}
	if err := p.object(); err != nil {
		return err
	}
	if !p.timed {
		return errUntimed
	}
	if r.Sent == r.User {
		r.Sent = ""
	}
	if r.Raw == r.Assistant {
		r.Raw = ""
	}
	return nil
}

// parser scans one line by hand: a log of ten thousand turns is read before the
// first answer after power-on, and encoding/json takes nearly three times as long. What
// is rare (facts, enter, exit, unknown keys) is left to it.
type parser struct {
	line  []byte
	s     string // line as a string, which the record's fields share
	i     int
	rec   *Record
	timed bool
}

func (p *parser) object() error {
	if !p.take('{') {
		return p.fail("an object")
	}
	if p.take('}') {
		return p.end()
	}
	for comma := 0; ; {
		p.space()
		key, err := p.str()
		if err != nil {
			return err
		}
		if !p.take(':') {
			return p.fail("a colon")
		}
		p.space()
		if err := p.value(key, comma); err != nil {
			return err
		}
		p.space()
		comma = p.i
		if p.take(',') {
			continue
		}
		if !p.take('}') {
			return p.fail("a comma or the end of the object")
		}
		return p.end()
	}
}

func (p *parser) end() error {
	p.space()
	if p.i < len(p.s) {
		return p.fail("the end of the line")
	}
	return nil
}

// value reads the value of key; comma is where the comma before the key stands.
func (p *parser) value(key string, comma int) error {
	if text := p.rec.text(key); text != nil {
		s, err := p.text()
		*text = s
		return err
	}
	switch key {
	case "timestamp":
		return p.timestamp()
	case "crc":
		return p.crc(comma)
	case "facts":
		return p.decode(&p.rec.Facts)
	case "enter":
		return p.decode(&p.rec.Enter)
	case "exit":
		return p.decode(&p.rec.Exit)
	}
	raw, err := p.raw()
	if err != nil {
		return err
	}
	p.rec.Unknown = append(p.rec.Unknown, UnknownKey{Name: key, Value: json.RawMessage(raw)})
	return nil
}

// text is the field of a key whose value is a string, nil for other keys.
func (r *Record) text(key string) *string {
	switch key {
	case "channel":
		return &r.Channel
	case "chat_id":
		return &r.ChatID
	case "speaker_id":
		return &r.SpeakerID
	case "user":
		return &r.User
	case "assistant":
		return &r.Assistant
	case "id":
		return &r.ID
	case "sent":
		return &r.Sent
	case "raw":
		return &r.Raw
	case "failed":
		return &r.Failed
	}
	return nil
}

// text reads a string; null is the empty one.
func (p *parser) text() (string, error) {
	if strings.HasPrefix(p.s[p.i:], "null") {
		p.i += len("null")
		return "", nil
	}
	return p.str()
}

func (p *parser) timestamp() error {
	s, err := p.str()
	if err != nil {
		return err
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return err
	}
	p.rec.Timestamp, p.timed = wholeSeconds(t), true
	return nil
}

// crc checks the sum of everything before the comma in front of its key.
func (p *parser) crc(comma int) error {
	s, err := p.str()
	if err != nil {
		return err
	}
	want, err := strconv.ParseUint(s, 16, 32)
	if err != nil || len(s) != 8 {
		return fmt.Errorf("crc %q is not 8 hex digits", s)
	}
	if got := crc32.Checksum(p.line[:comma], castagnoli); got != uint32(want) {
		return fmt.Errorf("crc is %08x, the line says %08x", got, want)
	}
	return nil
}

// decode leaves a value to encoding/json. v is replaced, also when the key comes
// twice.
func (p *parser) decode(v any) error {
	raw, err := p.raw()
	if err != nil {
		return err
	}
	switch v := v.(type) {
	case *[]Fact:
		*v = nil
		err = json.Unmarshal(raw, v)
		if len(*v) == 0 {
			*v = nil
		}
		return err
	case **Enter:
		*v = nil
	case **Exit:
		*v = nil
	}
	return json.Unmarshal(raw, v)
}

// raw reads any value as it stands.
func (p *parser) raw() ([]byte, error) {
	from := p.i
	for depth := 0; p.i < len(p.s); {
		switch c := p.s[p.i]; c {
		case '"':
			if _, err := p.quoted(); err != nil {
				return nil, err
			}
			continue
		case '{', '[':
			depth++
		case '}', ']', ',':
			if depth == 0 {
				return p.checked(from)
			}
			if c != ',' {
				depth--
			}
		}
		p.i++
	}
	return nil, p.fail("the end of a value")
}

func (p *parser) checked(from int) ([]byte, error) {
	raw := bytes.TrimRight([]byte(p.s[from:p.i]), " \t\r")
	if !json.Valid(raw) {
		return nil, fmt.Errorf("value at byte %d is not JSON", from)
	}
	return raw, nil
}

// str reads a string. Without escapes, and that is most of them, it shares the
// line's memory.
func (p *parser) str() (string, error) {
	from := p.i
	escaped, err := p.quoted()
	if err != nil {
		return "", err
	}
	s := p.s[from+1 : p.i-1]
	if escaped {
		var ok bool
		if s, ok = unescape(s); !ok {
			return "", p.fail("only escapes that JSON knows before this")
		}
	}
	if !utf8.ValidString(s) {
		s = string([]rune(s)) // each wrong byte becomes U+FFFD
	}
	return s, nil
}

// quoted moves past a string and says whether it has escapes.
func (p *parser) quoted() (escaped bool, err error) {
	if p.i >= len(p.s) || p.s[p.i] != '"' {
		return false, p.fail("a string")
	}
	s := p.s
	for i := p.i + 1; i < len(s); i++ {
		c := s[i]
		if c > '\\' || c != '"' && c != '\\' && c >= ' ' {
			continue
		}
		p.i = i + 1
		switch c {
		case '"':
			return escaped, nil
		case '\\':
			escaped = true
			i++
		default:
			return escaped, p.fail("no control character in a string")
		}
	}
	p.i = len(s)
	return escaped, p.fail("the end of a string")
}

// take moves past c, and white space before it, if it comes next.
func (p *parser) take(c byte) bool {
	p.space()
	if p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *parser) space() {
	for p.i < len(p.s) && (p.s[p.i] == ' ' || p.s[p.i] == '\t' || p.s[p.i] == '\r') {
		p.i++
	}
}

func (p *parser) fail(want string) error {
	return fmt.Errorf("byte %d: expected %s", p.i, want)
}

// validUnknown says whether k can be written and read again as it is.
func validUnknown(k UnknownKey) bool {
	return !slices.Contains(knownKeys, k.Name) && json.Valid(k.Value) && bytes.IndexByte(k.Value, '\n') < 0
}
