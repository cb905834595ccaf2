package conversation_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"homebot/internal/conversation"
)

// evening is 19:30:12 in UTC+8, with a fraction that no record keeps.
var evening = time.Date(2026, 10, 22, 19, 30, 12, 987654321, time.FixedZone("", 8*3600))

func full() conversation.Record {
	return conversation.Record{
		Timestamp: evening, Channel: "voice", ChatID: "voice-20261022-193000-a1b2c3", SpeakerID: "妈妈",
		User: "盐放多少？", Assistant: "两克。",
		ID: "0123456789abcdef", Sent: "[19:30 妈妈]\n盐放多少？", Raw: "两克。<listen>",
		Facts:  []conversation.Fact{{ID: "f1", Kind: "servings", Text: "3 人"}, {ID: "f2", Kind: "allergy", Text: "花生", Replaces: "f0"}},
		Enter:  &conversation.Enter{ModeID: "cooking", SessionID: "cook-20261022-193012-00ff00"},
		Exit:   &conversation.Exit{Reason: "switched", Summary: "吃了", Next: &conversation.Enter{ModeID: "x", SessionID: "y"}},
		Failed: conversation.FailedTool,
		Unknown: []conversation.UnknownKey{
			{Name: "zeta", Value: json.RawMessage(`{"a": [1,2]}`)}, {Name: "alpha", Value: json.RawMessage(`null`)},
		},
	}
}

func marshal(t *testing.T, r conversation.Record) string {
	t.Helper()
	line, err := r.MarshalLine()
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// R43, R25: key order, numeric offset, whole seconds, text as it is, unknown
// keys in their order before the crc.
func TestMarshalLine(t *testing.T) {
	body := `{"timestamp":"2026-10-22T19:30:12+08:00","channel":"voice","chat_id":"voice-20261022-193000-a1b2c3",` +
		`"speaker_id":"妈妈","user":"盐放多少？","assistant":"两克。","id":"0123456789abcdef",` +
		`"sent":"[19:30 妈妈]\n盐放多少？","raw":"两克。<listen>",` +
		`"facts":[{"id":"f1","kind":"servings","text":"3 人"},{"id":"f2","kind":"allergy","text":"花生","replaces":"f0"}],` +
		`"enter":{"mode_id":"cooking","session_id":"cook-20261022-193012-00ff00"},` +
		`"exit":{"reason":"switched","summary":"吃了","next":{"mode_id":"x","session_id":"y"}},` +
		`"failed":"tool","zeta":{"a": [1,2]},"alpha":null`
	sum := crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli))
	want := fmt.Sprintf(`%s,"crc":"%08x"}`, body, sum)
	if got := marshal(t, full()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// R43, R36: the six keys are always there in a turn, the optional ones only when
// they say something; an exit of its own has no message.
func TestMarshalLineOmits(t *testing.T) {
	r := conversation.Record{Timestamp: evening.UTC(), Channel: "text", User: "hi", Assistant: "hello", Sent: "hi", Raw: "hello"}
	want := `{"timestamp":"2026-10-22T11:30:12+00:00","channel":"text","chat_id":"","speaker_id":"","user":"hi","assistant":"hello","crc":"`
	if got := marshal(t, r); !strings.HasPrefix(got, want) || len(got) != len(want)+10 {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	r = conversation.Record{Timestamp: evening, Channel: conversation.ChannelSystem, ID: "0123456789abcdef", Exit: &conversation.Exit{Reason: "expired"}}
	want = `{"timestamp":"2026-10-22T19:30:12+08:00","channel":"system","id":"0123456789abcdef","exit":{"reason":"expired"},"crc":"`
	if got := marshal(t, r); !strings.HasPrefix(got, want) || len(got) != len(want)+10 {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if r.IsTurn() || !full().IsTurn() {
		t.Error("IsTurn does not tell turns from exits")
	}
}

// One line whatever is said: no raw control character or line separator, and
// what json makes of it is what was said.
func TestMarshalLineEscapes(t *testing.T) {
	said := "a\"b\\c\nd\re\tf\x00g\x1fh\u2028i\u2029j<&>k中\U0001F35A\x7f"
	line := marshal(t, conversation.Record{Timestamp: evening, Channel: "text", User: said, Assistant: "bad \xff utf-8"})
	if strings.ContainsAny(line, "\n\r\t\x00\x1f\u2028\u2029") || !strings.Contains(line, "<&>k中\U0001F35A") {
		t.Errorf("line is %q", line)
	}
	var back struct{ User, Assistant string }
	if err := json.Unmarshal([]byte(line), &back); err != nil || back.User != said || back.Assistant != "bad \ufffd utf-8" {
		t.Errorf("json reads %q, %v", back, err)
	}
}

func TestMarshalLineRefuses(t *testing.T) {
	for name, r := range map[string]conversation.Record{
		"year":      {Timestamp: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)},
		"not JSON":  {Unknown: []conversation.UnknownKey{{Name: "x", Value: json.RawMessage(`{`)}}},
		"two lines": {Unknown: []conversation.UnknownKey{{Name: "x", Value: json.RawMessage("[1,\n2]")}}},
		"known key": {Unknown: []conversation.UnknownKey{{Name: "crc", Value: json.RawMessage(`"x"`)}}},
	} {
		if line, err := r.MarshalLine(); err == nil {
			t.Errorf("%s: wrote %s", name, line)
		}
	}
}

// R43, R25: what was written is read.
func TestParseLineReadsWhatMarshalWrote(t *testing.T) {
	want := full()
	got, err := conversation.ParseLine([]byte(marshal(t, want)))
	if err != nil {
		t.Fatal(err)
	}
	if !got.Timestamp.Equal(evening.Truncate(time.Second)) {
		t.Errorf("time is %v", got.Timestamp)
	}
	got.Timestamp = want.Timestamp
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

const minimal = `"timestamp":"2026-10-22T19:30:12+08:00"`

// R43: a line without crc is valid, keys may come in any order with white space
// between, null is nothing, unknown keys are kept.
func TestParseLineAccepts(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		want conversation.Record
	}{
		"without crc":     {`{` + minimal + `,"channel":"text","user":"a","assistant":"b"}`, conversation.Record{Channel: "text", User: "a", Assistant: "b"}},
		"any order":       {` { "user" : "a" , ` + minimal + "\t, \"channel\" :\r\"web\" } ", conversation.Record{Channel: "web", User: "a"}},
		"null":            {`{` + minimal + `,"user":null,"sent":null,"facts":null,"enter":null,"exit":null}`, conversation.Record{}},
		"escapes":         {`{` + minimal + `,"user":"\u76d0\n\"\\\/"}`, conversation.Record{User: "盐\n\"\\/"}},
		"invalid UTF-8":   {`{` + minimal + `,"user":"` + "\xff" + `"}`, conversation.Record{User: "\ufffd"}},
		"sent like user":  {`{` + minimal + `,"sent":"a","user":"a"}`, conversation.Record{User: "a"}},
		"no facts":        {`{` + minimal + `,"facts":[]}`, conversation.Record{}},
		"unknown":         {`{` + minimal + `,"v":{"a":[1,"]}\"",{}]},"n":-1.5e3 }`, conversation.Record{Unknown: []conversation.UnknownKey{{"v", json.RawMessage(`{"a":[1,"]}\"",{}]}`)}, {"n", json.RawMessage(`-1.5e3`)}}}},
		"crc upper case":  {upperCRC(t), conversation.Record{Channel: "text"}},
		"UTC and a split": {`{"timestamp":"2026-10-22T11:30:12.75Z"}`, conversation.Record{}},
	} {
		got, err := conversation.ParseLine([]byte(c.line))
		if err != nil || !got.Timestamp.Equal(evening.Truncate(time.Second)) {
			t.Errorf("%s: %v, %v", name, got.Timestamp, err)
		}
		got.Timestamp = time.Time{}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

func upperCRC(t *testing.T) string {
	line := marshal(t, conversation.Record{Timestamp: evening, Channel: "text"})
	at := len(line) - len(`00000000"}`)
	return line[:at] + strings.ToUpper(line[at:])
}

func TestParseLineRefuses(t *testing.T) {
	good := `{` + minimal + `}`
	for _, line := range []string{
		"", "null", "[]", "{}", `{"user":"a"}`, good + "x", good[:len(good)-1], good + "\n",
		`{` + minimal + `,}`, `{,` + minimal + `}`, `{` + minimal + ` "a":1}`, `{` + minimal + `,"a"}`, `{` + minimal + `,a:1}`,
		`{` + minimal + `,"user":5}`, `{` + minimal + `,"user":"a}`, `{` + minimal + `,"user":"\x"}`, `{` + minimal + ",\"user\":\"a\tb\"}",
		`{` + minimal + `,"facts":{}}`, `{` + minimal + `,"enter":[]}`, `{` + minimal + `,"exit":{"reason":1}}`, `{` + minimal + `,"exit":{}`,
		`{` + minimal + `,"v":}`, `{` + minimal + `,"v":[}}`, `{` + minimal + `,"v":tru}`, `{` + minimal + `,"v":"`, `{` + minimal + `,"v":[1`,
		`{"timestamp":"yesterday"}`, `{"timestamp":null}`, `{"timestamp":5}`,
		`{` + minimal + `,"crc":"0000"}`, `{` + minimal + `,"crc":"00000000"}`, `{` + minimal + `,"crc":5}`, `{` + minimal + `,"crc":"zzzzzzzz"}`,
	} {
		if r, err := conversation.ParseLine([]byte(line)); !errors.Is(err, conversation.ErrBadLine) {
			t.Errorf("%q: %+v, %v", line, r, err)
		}
	}
}

// R43: the crc finds every byte that was changed.
func TestCRCFindsEveryChange(t *testing.T) {
	line := []byte(marshal(t, full()))
	for i := range line {
		for _, flip := range []byte{1, 0x20, 0x80} {
			line[i] ^= flip
			got, err := conversation.ParseLine(line)
			line[i] ^= flip
			hexCase := flip == 0x20 && i >= len(line)-len(`00000000"}`) // A for a
			inKey := i > len(line)-len(`"crc":"00000000"}`) && i < len(line)-len(`":"00000000"}`)
			if err == nil && !hexCase && !inKey {
				t.Errorf("byte %d changed unnoticed: %+v", i, got)
			}
		}
	}
}

func FuzzParseLine(f *testing.F) {
	line, _ := full().MarshalLine()
	f.Add(line)
	for _, seed := range []string{
		"", "{}", `{` + minimal + `}`, `{` + minimal + `,"v":[{"a":"\u00e9"}],"v":1,"user":"\ud800"}`,
		`{` + minimal + `,"channel":"system","exit":{"reason":"user","next":{}}}`,
		`{"timestamp":"0000-01-01T00:00:00-23:59","facts":[{}],"raw":"a","assistant":"a"}`,
		`{` + minimal + `,"crc":"00000000","x":1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := conversation.ParseLine(line)
		if err != nil {
			return
		}
		if !json.Valid(line) {
			t.Fatalf("accepted what is not JSON: %q", line)
		}
		again := marshal(t, r)
		back, err := conversation.ParseLine([]byte(again))
		if err != nil {
			t.Fatalf("refused its own line %q: %v", again, err)
		}
		if !back.Timestamp.Equal(r.Timestamp) {
			t.Errorf("time was %v and is %v", r.Timestamp, back.Timestamp)
		}
		if third := marshal(t, back); third != again {
			t.Errorf("line was %s\nand is  %s", again, third)
		}
		back.Timestamp = r.Timestamp
		if !reflect.DeepEqual(back, r) {
			t.Errorf("was %+v\nis  %+v", r, back)
		}
	})
}

// Strings mean what encoding/json says they mean.
func FuzzString(f *testing.F) {
	for _, seed := range []string{
		"", "盐", `\n\"\\\/\b\f\r\t`, `\u76d0`, `\ud83c\udf5a`, `\ud83c`, `\ud83c\u0041`, `\ud83cA`, `\udf5a\ud83c`,
		`\u00`, `\u+123`, `\u1_23`, `\x`, `\`, "\xff\xfe", "\xe7\x9b", "\x01", `\u0000`, `\uD83C\uDF5A`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		var want string
		if strings.Contains(strings.ReplaceAll(strings.ReplaceAll(body, `\\`, ""), `\"`, ""), `"`) {
			return // the string ends earlier
		}
		jsonErr := json.Unmarshal([]byte(`"`+body+`"`), &want)
		got, err := conversation.ParseLine([]byte(`{` + minimal + `,"user":"` + body + `"}`))
		if (err == nil) != (jsonErr == nil) || got.User != want {
			t.Errorf("%q: got %q, %v; encoding/json %q, %v", body, got.User, err, want, jsonErr)
		}
	})
}

// R36: what is replayed is what was sent, or what was said when that is the same.
func TestReplay(t *testing.T) {
	r := full()
	if r.SentContent() != r.Sent || r.RawReply() != r.Raw {
		t.Error("sent and raw are not used")
	}
	r.Sent, r.Raw = "", ""
	if r.SentContent() != r.User || r.RawReply() != r.Assistant {
		t.Error("user and assistant are not used")
	}
}

// R43, R24: the shapes of ids, in the zone of the moment.
func TestIDs(t *testing.T) {
	for got, want := range map[string]string{
		conversation.NewID():                          `^[0-9a-f]{16}$`,
		conversation.NewChatID("voice", evening):      `^voice-20261022-193012-[0-9a-f]{6}$`,
		conversation.NewSessionID("cook", evening):    `^cook-20261022-193012-[0-9a-f]{6}$`,
		conversation.NewChatID("text", evening.UTC()): `^text-20261022-113012-[0-9a-f]{6}$`,
	} {
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%s does not match %s", got, want)
		}
	}
	if one, two := conversation.NewID(), conversation.NewID(); one == two {
		t.Error("two ids are the same")
	}
}

// The crc in it was computed outside of Go, bit by bit.
func ExampleRecord_MarshalLine() {
	r := conversation.Record{
		Timestamp: time.Date(2026, 10, 22, 19, 30, 12, 0, time.FixedZone("", 8*3600)),
		Channel:   "voice", ChatID: "voice-20261022-193000-a1b2c3", SpeakerID: "guest",
		User: "盐放多少", Assistant: "两克", ID: "0123456789abcdef",
	}
	line, err := r.MarshalLine()
	fmt.Println(string(line), err)
	// Output: {"timestamp":"2026-10-22T19:30:12+08:00","channel":"voice","chat_id":"voice-20261022-193000-a1b2c3","speaker_id":"guest","user":"盐放多少","assistant":"两克","id":"0123456789abcdef","crc":"2dca320e"} <nil>
}
