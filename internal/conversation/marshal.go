package conversation

import (
	"hash/crc32"
	"slices"
	"time"
	"unicode/utf8"
)

// TimeLayout is RFC 3339 with the numeric local offset and whole seconds, never
// Z (R25).
const TimeLayout = "2006-01-02T15:04:05-07:00"

// ChannelSystem is the channel of a record that is no turn: an exit by expiry or
// by the command line (R43).
const ChannelSystem = "system"

// castagnoli is the polynomial of CRC-32C.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// IsTurn says whether the record is a turn with messages, and not an exit of its
// own.
func (r Record) IsTurn() bool { return r.Channel != ChannelSystem }

// SentContent is the user content exactly as the model got it, to be replayed
// (R36).
func (r Record) SentContent() string {
	if r.Sent != "" {
		return r.Sent
	}
	return r.User
}

// RawReply is the assistant text exactly as it is to be replayed (R36).
func (r Record) RawReply() string {
	if r.Raw != "" {
		return r.Raw
	}
	return r.Assistant
}

// MarshalLine writes the record as one line of a log, without the newline: R43's
// key order, then unknown keys in theirs, then the crc. Text stays readable:
// UTF-8, and < > & as they are. It fails only for a time whose year has not four
// digits and for an unknown value that is not JSON on one line.
func (r Record) MarshalLine() ([]byte, error) {
	if y := r.Timestamp.Year(); y < 0 || y > 9999 {
		return nil, errTimestamp
	}
	b := make([]byte, 0, 256+len(r.User)+len(r.Assistant)+len(r.Sent)+len(r.Raw))
	b = append(b, `{"timestamp":"`...)
	b = r.Timestamp.AppendFormat(b, TimeLayout)
	b = append(b, '"')
	b = r.appendMessages(b)
	b = r.appendOptional(b)
	for _, k := range r.Unknown {
		if !validUnknown(k) {
			return nil, errUnknown
		}
		b = appendKey(b, k.Name)
		b = append(b, k.Value...)
	}
	sum := crc32.Checksum(b, castagnoli)
	b = append(b, crcKey...)
	b = appendHex32(b, sum)
	return append(b, `"}`...), nil
}

// appendMessages writes the keys that every turn has. A system record has no
// message, only those that somebody filled all the same.
func (r Record) appendMessages(b []byte) []byte {
	b = appendField(b, "channel", r.Channel)
	always := r.IsTurn()
	for _, f := range [...]struct{ key, value string }{
		{"chat_id", r.ChatID}, {"speaker_id", r.SpeakerID},
		{"user", r.User}, {"assistant", r.Assistant},
	} {
		if always || f.value != "" {
			b = appendField(b, f.key, f.value)
		}
	}
	return b
}

func (r Record) appendOptional(b []byte) []byte {
	b = appendUnless(b, "id", r.ID, "")
	b = appendUnless(b, "sent", r.Sent, r.User)
	b = appendUnless(b, "raw", r.Raw, r.Assistant)
	if len(r.Facts) > 0 {
		b = appendFacts(b, r.Facts)
	}
	if r.Enter != nil {
		b = appendKey(b, "enter")
		b = appendEnter(b, *r.Enter)
	}
	if r.Exit != nil {
		b = appendExit(b, *r.Exit)
	}
	return appendUnless(b, "failed", r.Failed, "")
}

func appendFacts(b []byte, facts []Fact) []byte {
	b = appendKey(b, "facts")
	for i, f := range facts {
		b = append(b, "[,"[min(i, 1)])
		b = append(b, `{"id":`...)
		b = appendString(b, f.ID)
		b = appendField(b, "kind", f.Kind)
		b = appendField(b, "text", f.Text)
		b = appendUnless(b, "replaces", f.Replaces, "")
		b = append(b, '}')
	}
	return append(b, ']')
}

func appendEnter(b []byte, e Enter) []byte {
	b = append(b, `{"mode_id":`...)
	b = appendString(b, e.ModeID)
	b = appendField(b, "session_id", e.SessionID)
	return append(b, '}')
}

func appendExit(b []byte, e Exit) []byte {
	b = appendKey(b, "exit")
	b = append(b, `{"reason":`...)
	b = appendString(b, e.Reason)
	b = appendUnless(b, "summary", e.Summary, "")
	if e.Next != nil {
		b = appendKey(b, "next")
		b = appendEnter(b, *e.Next)
	}
	return append(b, '}')
}

func appendKey(b []byte, key string) []byte {
	b = append(b, ',')
	b = appendString(b, key)
	return append(b, ':')
}

func appendField(b []byte, key, value string) []byte {
	return appendString(appendKey(b, key), value)
}

// appendUnless leaves an empty value out, and one that equals same.
func appendUnless(b []byte, key, value, same string) []byte {
	if value == "" || value == same {
		return b
	}
	return appendField(b, key, value)
}

const hexDigits = "0123456789abcdef"

// appendString writes a JSON string. Escaped are only what JSON demands, and
// U+2028 and U+2029, at which some readers of lines would cut. Bytes that are
// not UTF-8 become U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' {
				i++
				continue
			}
			b = appendEscape(append(b, s[from:i]...), c)
			i++
			from = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || r == '\u2028' || r == '\u2029' {
			b = append(b, s[from:i]...)
			b = append(b, `\u`...)
			b = append(b, hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
			from = i + n
		}
		i += n
	}
	return append(append(b, s[from:]...), '"')
}

func appendEscape(b []byte, c byte) []byte {
	if i := slices.Index([]byte("\"\\\n\r\t"), c); i >= 0 {
		return append(b, '\\', `"\nrt`[i])
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

func appendHex32(b []byte, v uint32) []byte {
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[v>>shift&15])
	}
	return b
}

// wholeSeconds drops what a record cannot hold.
func wholeSeconds(t time.Time) time.Time { return t.Truncate(time.Second) }
