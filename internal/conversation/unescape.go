package conversation

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// plain are the escapes of one letter, and what they stand for at the same
// place.
const plain, plainMeans = `"\/bfnrt`, "\"\\/\b\f\n\r\t"

// unescape resolves the escapes in the inside of a JSON string; false when one
// is not JSON. Half a surrogate pair becomes U+FFFD, as in encoding/json. Nearly
// every record has the newline after its header, hence not left to that.
func unescape(s string) (string, bool) {
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			b.WriteString(s)
			return b.String(), true
		}
		b.WriteString(s[:i])
		s = s[i+1:]
		if s == "" {
			return "", false
		}
		if p := strings.IndexByte(plain, s[0]); p >= 0 {
			b.WriteByte(plainMeans[p])
			s = s[1:]
			continue
		}
		r, n := unicodeEscape(s)
		if n == 0 {
			return "", false
		}
		b.WriteRune(r)
		s = s[n:]
	}
}

// unicodeEscape reads uXXXX, or a surrogate pair uXXXX\uXXXX, at the start of s
// and returns the rune and the bytes read, 0 when there is none.
func unicodeEscape(s string) (rune, int) {
	r, ok := hexRune(s)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 5
	}
	if len(s) > 5 && s[5] == '\\' {
		if low, ok := hexRune(s[6:]); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, 11
			}
		}
	}
	return utf8.RuneError, 5
}

// hexRune reads uXXXX.
func hexRune(s string) (rune, bool) {
	if len(s) < 5 || s[0] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(s[1:5], 16, 16)
	return rune(v), err == nil && !strings.ContainsAny(s[1:5], "+_")
}
