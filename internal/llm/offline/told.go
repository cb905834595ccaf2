package offline

import (
	"strings"

	"homebot/internal/phrases"
)

// tellSwitch says what the tool did, and nothing that it did not do (R8, V9).
func (m *Model) tellSwitch(t turn) reply {
	s := *t.switched
	if !s.OK {
		return m.tellRefusal(t.lang, s)
	}
	sentence := s.Note
	if sentence == "" {
		name := s.DisplayName
		if s.ModeID != "" {
			name = nameIn(modeOf(m.cfg.Modes(), s.ModeID), t.lang)
		}
		sentence = phrases.ModeEntered.In(t.lang, name)
		if s.Action == exit {
			sentence = phrases.ModeWillEnd.In(t.lang, name)
		}
	}
	said := phrases.OfflineDone.In(t.lang, lowerFirst(sentence))
	if s.Say != "" { // the mode's own line
		said += " " + s.Say
		if isQuestion(s.Say) {
			return asks(said)
		}
	}
	return ends(said)
}

func (m *Model) tellRefusal(lang string, s switched) reply {
	switch {
	case s.Reason == "negated":
		return ends(phrases.ModeNegated.In(lang, nameIn(modeOf(m.cfg.Modes(), s.ModeID), lang)))
	case s.Say == "" && s.Reason == "not_active":
		return ends(phrases.ModeNotActive.In(lang))
	case s.Say == "":
		return ends(phrases.OfflineNotSwitched.In(lang))
	case strings.ContainsAny(s.Say[len(s.Say)-1:], ".!?") || strings.HasSuffix(s.Say, "。") || strings.HasSuffix(s.Say, "！"):
		return ends(s.Say) // a sentence by itself
	case s.Reason == "other_active":
		return asks(phrases.OfflineOtherActive.In(lang, s.Say))
	case s.Action == exit:
		return asks(phrases.ModeExitNeedsNameAndVerb.In(lang, s.Say))
	}
	return asks(phrases.ModeNeedsNameAndVerb.In(lang, s.Say))
}

// lowerFirst makes an English sentence go on after a comma.
func lowerFirst(s string) string {
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'a' && s[1] <= 'z' {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}
