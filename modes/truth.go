package modes

import (
	"slices"
	"strings"

	"homebot/internal/phrases"
	"homebot/internal/text"
)

// Holds reports whether a sentence is true that says that a mode is on, or that
// one is off. A sentence that names no mode means the active one.
func (t *Switching) Holds(on bool, sentence string) bool {
	if t.now == nil {
		return !on
	}
	named := t.namedIn(sentence)
	ours := len(named) == 0 || slices.Contains(named, t.now.ModeID)
	return on == ours
}

// Named is the first mode whose name a sentence holds, "" if none.
func (t *Switching) Named(sentence string) string {
	if all := t.namedIn(sentence); len(all) > 0 {
		return all[0]
	}
	return ""
}

// namedIn are the modes whose names a sentence holds.
func (t *Switching) namedIn(sentence string) (ids []string) {
	plain := text.JoinHan(text.Normalize(sentence))
	for _, m := range t.catalogue().Modes {
		if slices.ContainsFunc(m.Names(), func(n string) bool {
			return strings.Contains(plain, text.JoinHan(text.Normalize(n)))
		}) {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// Truth tells which mode is active, and the words that would switch to what the
// user's words name, else to the mode that was meant, "" for none.
func (t *Switching) Truth(meant string) string {
	named := t.named()
	if named == "" && t.known(meant) {
		named = meant
	}
	switch {
	case t.now == nil && named == "":
		return phrases.ModeNotActive.In(t.lang)
	case t.now == nil:
		words := t.catalogue().Gate().Say(gateEnter, named, t.lang)
		return t.join(phrases.ModeNotActive.In(t.lang), phrases.ModeNeedsNameAndVerb.In(t.lang, words))
	case named == "" || named == t.now.ModeID:
		words := t.catalogue().Gate().Say(gateExit, t.now.ModeID, t.lang)
		return t.join(phrases.ModeStillOn.In(t.lang, t.nameOf(t.now.ModeID)), phrases.ModeExitNeedsNameAndVerb.In(t.lang, words))
	default:
		words := phrases.ModeSwitchWords.In(t.lang, t.nameOf(named))
		return t.join(phrases.ModeStillOn.In(t.lang, t.nameOf(t.now.ModeID)), phrases.ModeNeedsNameAndVerb.In(t.lang, words))
	}
}

func (t *Switching) join(a, b string) string {
	if t.lang == text.Chinese {
		return a + b
	}
	return a + " " + b
}

func (t *Switching) known(id string) bool {
	_, ok := t.catalogue().Lookup(id)
	return ok
}

// named is the first mode that the user's words hold the name of, "" if none.
func (t *Switching) named() string {
	cat := t.catalogue()
	for _, m := range cat.Modes {
		if v := cat.Gate().Enter(t.raw, m.ID); v.Reason != NoName {
			return m.ID
		}
	}
	return ""
}
