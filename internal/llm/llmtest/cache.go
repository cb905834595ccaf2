package llmtest

import (
	"unicode"
	"unicode/utf8"
)

// BlockTokens is the granularity of the simulated prefix cache.
const BlockTokens = 64

// cache simulates a provider's prefix cache: it knows every prefix, cut at whole
// blocks, of every request it has seen. The serialisation is the tools array
// followed by the messages, as sent.
type cache struct{ seen map[uint64]bool }

// bill counts a request's tokens, and how many of them lie in the longest whole
// blocks that an earlier request began with; then it remembers the request.
func (c *cache) bill(r Recorded) (tokens, cached int) {
	if c.seen == nil {
		c.seen = map[uint64]bool{}
	}
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a, 64 bits
	hash, units, blocks := uint64(offset), 0, 0
	add := func(part []byte) {
		for len(part) > 0 {
			letter, size := utf8.DecodeRune(part)
			for _, b := range part[:size] {
				hash = (hash ^ uint64(b)) * prime
			}
			part = part[size:]
			units += weight(letter)
			for ; units >= (blocks+1)*BlockTokens*100; blocks++ {
				if c.seen[hash] { // then all blocks before it are too
					cached += BlockTokens
				}
				c.seen[hash] = true
			}
		}
	}
	add(r.Tools)
	for _, m := range r.Messages {
		add(m)
	}
	return (units + 99) / 100, cached
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
