package agent

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"homebot/internal/lazyregexp"
	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/internal/text"
	"homebot/skills"
	"homebot/voice"
)

// Loudspeaker is what an Agent turns up and down (R37).
type Loudspeaker interface {
	// Volume is the loudness in percent; false where nothing sounds.
	Volume() (percent int, ok bool)
	SetVolume(ctx context.Context, percent int) error
}

// toolVolume is the tool's name.
const toolVolume = "set_volume"

// volumeTurn is what one turn has to do with the loudness.
type volumeTurn struct {
	asked bool   // the words name it
	done  string // what the tool confirmed; "" for nothing
}

type setVolumeIn struct {
	Percent *int `json:"percent,omitempty"`
	Change  int  `json:"change,omitempty"`
}

// volumeOut is the tool's answer. Say is the sentence that is true now.
type volumeOut struct {
	OK     bool   `json:"ok"`
	Volume int    `json:"volume"`
	Say    string `json:"say"`
}

func (a *Agent) callSetVolume(ctx context.Context, in setVolumeIn) (string, error) {
	if in.Percent == nil && in.Change == 0 {
		return "", errors.New("give percent or change")
	}
	if in.Percent != nil && (*in.Percent < 0 || *in.Percent > 100) {
		return "", errors.New("percent must be 0 to 100")
	}
	return skills.Answer(turnOf(ctx).setVolume(ctx, in)), nil
}

// setVolume sets the loudness and says what it is then.
func (t *turn) setVolume(ctx context.Context, in setVolumeIn) volumeOut {
	before, ok := t.volume()
	if !ok {
		return volumeOut{Say: phrases.VolumeNoSound.In(t.Lang)}
	}
	want := voice.Louder(before, in.Change)
	if in.Percent != nil {
		want = *in.Percent
	}
	out := volumeOut{OK: true, Volume: want, Say: sayVolume(before, want, in.Percent == nil, t.Lang)}
	if err := t.cfg.Loudspeaker.SetVolume(ctx, want); err != nil {
		t.cfg.Logger.Error("the volume is not kept, or not set", "err", err)
		if out.Volume, _ = t.volume(); out.Volume != want {
			return volumeOut{Volume: out.Volume, Say: phrases.VolumeUnchanged.In(t.Lang, out.Volume)}
		}
	}
	t.loudness.done = out.Say
	t.note = strings.TrimSpace(t.note + " " + out.Say)
	return out
}

func (t *turn) volume() (int, bool) {
	if t.cfg.Loudspeaker == nil {
		return 0, false
	}
	return t.cfg.Loudspeaker.Volume()
}

func sayVolume(before, now int, stepped bool, lang string) string {
	switch {
	case now == 0:
		return phrases.VolumeSilent.In(lang)
	case stepped && before == now && now == 100:
		return phrases.VolumeLoudest.In(lang)
	case stepped && before == now:
		return phrases.VolumeSoftest.In(lang)
	}
	return phrases.VolumeNow.In(lang, now)
}

// atOnce answers words to the device itself: no model is needed, and none is
// waited for. They are compared as a whole (text.ControlOf, text.ParseVolume).
func (t *turn) atOnce(ctx context.Context) (next voice.Next, answered bool) {
	if t.silences() {
		return voice.End, true
	}
	if v, ok := text.ParseVolume(t.Text); ok && !(v.Vague && t.hasMode) { // in a mode "it" may be what the mode is about: a pan
		in := setVolumeIn{Change: v.Steps}
		if v.Absolute {
			in.Percent = &v.Percent
		}
		t.say(t.setVolume(ctx, in).Say)
		return voice.End, true
	}
	switch text.ControlOf(t.Text, nil) {
	case text.ControlRepeat:
		if last := t.lastReply(); last != "" {
			t.say(last)
			return voice.Unstated, true
		}
	case text.ControlMute: // spoken ones do not come this far
		t.say(phrases.MuteHow.In(t.Lang))
		return voice.End, true
	}
	return voice.Unstated, false
}

// lastReply is what the user wants to hear again: what this device said last, to
// its end, or else the conversation's last reply that was none of a failure.
func (t *turn) lastReply() string {
	if t.Said != "" {
		return t.Said
	}
	for i := len(t.visible) - 1; i >= 0; i-- {
		if r := t.visible[i]; r.Assistant != "" && r.Failed == "" {
			return r.Assistant
		}
	}
	return ""
}

// readVolume looks whether the words are about the loudness: then what is said of
// it waits until it can be checked (V9).
func (t *turn) readVolume() { t.loudness.asked = text.NamesVolume(t.Text) }

// noteVolume: a call of the tool is an attempt, whatever the words were.
func (t *turn) noteVolume(c llm.ToolCall, out string) {
	var r volumeOut
	if c.Name == toolVolume && json.Unmarshal([]byte(out), &r) == nil && !r.OK {
		t.loudness.asked = true
	}
}

// volumeClaims are clauses that claim that the loudness was changed.
var volumeClaims = lazyregexp.New(`(音量|声音)[^。！？，,]{0,8}(调|设|变|开|升|降|加|减|提|放)[^。！？，,]{0,8}(了|到|为|成|好)|(已经|已|帮你|给你|为你)[^。！？，,]{0,6}(调|设|变|开|升|降|加|减|提|放)(大|小|高|低|到|好|为)|(大|小|高|低)(声|了)(一)?(点|些)(了|啦)|(音量|声音)(现在)?(是|已经|已)|` +
	`\b(volume|sound)( is| has been| was|'s)? (now |set |turned |raised |lowered |at |up |down )|\b(i've|i have|i|i just) (just )?(turned|set|raised|lowered|made|increased|reduced)\b[^.!?]{0,16}\b(volume|up|down|louder|quieter|softer|it)\b|\b(turning|raising|lowering|setting)\b[^.!?]{0,16}\b(volume|up|down)\b|\b(is|it's|i'm|am) (now )?(louder|quieter|softer)\b`)

// volumeDenials say that nothing was done, or ask.
var volumeDenials = lazyregexp.New(`没|不能|不会|无法|没法|吗|要不要|多少|\b(not|no|can't|cannot|couldn't|didn't|unable|shall|should|how|would you like|do you want)\b`)

// checkVolume is the sentence that is true instead of reply, "" when reply claims
// no change of the loudness but one that there was.
func (t *turn) checkVolume(reply string) string {
	if !t.loudness.asked || t.loudness.done != "" {
		return ""
	}
	for _, s := range text.Sentences(reply) {
		if volumeDenials.MatchString(text.JoinHan(text.Normalize(s))) {
			continue
		}
		if slices.ContainsFunc(ownClauses(s), volumeClaims.MatchString) {
			return t.volumeTruth()
		}
	}
	return ""
}

// volumeTruth is how loud it is after all.
func (t *turn) volumeTruth() string {
	if now, ok := t.volume(); ok {
		return phrases.VolumeUnchanged.In(t.Lang, now)
	}
	return phrases.VolumeNoSound.In(t.Lang)
}
