package llmtest

import (
	"encoding/json"
	"unicode"
	"unicode/utf8"
)

// BlockTokens is the granularity of the simulated prefix cache.
const BlockTokens = 64

// messageTokens is what the borders of one message cost.
const messageTokens = 4

// cache simulates a provider's prefix cache: it knows every prefix, cut at whole
// blocks, of every request it has seen. The serialisation is the tools array
// followed by the messages, as sent; what counts is what a model reads of them:
// the text, tool calls and results, and the borders of messages.
type cache struct{ seen map[uint64]bool }

// reading is a request on its way through the cache.
type reading struct {
	*cache
	hash   uint64
	units  int // hundredths of a token
	blocks int
	cached int
	hits   bool // every block so far was known
}

// bill counts a request's tokens, and how many of them lie in the longest whole
// blocks that an earlier request began with; then it remembers the request, and
// reply behind it if that is not nil.
func (c *cache) bill(r Recorded, reply []byte) (tokens, cached int) {
	if c.seen == nil {
		c.seen = map[uint64]bool{}
	}
	in := reading{cache: c, hash: 14695981039346656037, hits: true}
	in.read(string(r.Tools))
	for _, m := range r.Messages {
		in.message(m)
	}
	tokens, cached = (in.units+99)/100, in.cached
	if reply != nil {
		in.hits = false
		in.message(reply)
	}
	return tokens, cached
}

// message reads what a model reads of a message.
func (r *reading) message(raw []byte) {
	var m Message
	if json.Unmarshal(raw, &m) != nil {
		r.read(string(raw))
		return
	}
	r.border(m.Role)
	r.read(m.Content)
	for _, c := range m.ToolCalls {
		r.border(c.ID)
		r.read(c.Function.Name + " " + c.Function.Arguments)
	}
}

// border is what stands before a text: it costs messageTokens, whatever it is
// called.
func (r *reading) border(name string) {
	r.add([]byte("\x00" + name + "\x00"))
	r.count(100 * messageTokens)
}

// read reads a text.
func (r *reading) read(text string) {
	for rest := []byte(text); len(rest) > 0; {
		letter, size := utf8.DecodeRune(rest)
		r.add(rest[:size])
		r.count(weight(letter))
		rest = rest[size:]
	}
}

// add is FNV-1a, 64 bits.
func (r *reading) add(part []byte) {
	for _, b := range part {
		r.hash = (r.hash ^ uint64(b)) * 1099511628211
	}
}

// count counts units; where a block is full it is looked up and remembered.
func (r *reading) count(units int) {
	for r.units += units; r.units >= (r.blocks+1)*BlockTokens*100; r.blocks++ {
		if r.hits = r.hits && r.seen[r.hash]; r.hits {
			r.cached += BlockTokens
		}
		r.seen[r.hash] = true
	}
}

// Tokens estimates the tokens of a text: by classes of runes, with weights that
// were fitted to a DeepSeek tokenizer. It is an estimate, made to be the same on
// every machine.
func Tokens(text string) int {
	units := 0
	for _, r := range text {
		units += weight(r)
	}
	return (units + 99) / 100
}

// weight is the share of one rune in a token, in hundredths.
func weight(r rune) int {
	switch {
	case unicode.Is(unicode.Han, r):
		return 58
	case r > 0xFF00 && r < 0xFF66 || r >= 0x3000 && r < 0x3040:
		return 166
	case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
		return 29
	case '0' <= r && r <= '9':
		return 43
	case r == ' ':
		return 61
	case r < utf8.RuneSelf:
		return 55
	}
	return 130
}
