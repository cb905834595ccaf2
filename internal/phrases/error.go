package phrases

import (
	"slices"
	"strings"
)

// Error is what went wrong and the way out, in both languages: for errors that end
// on a person's screen. Its text is English, as in every log.
type Error struct {
	phrase Phrase
	args   []any
}

// Errorf makes an error of p with args in its verbs. Arguments that are phrases or
// errors are put in in the language of the whole (%s and %v, no %w); errors among
// them are found by errors.Is and errors.As.
func Errorf(p Phrase, args ...any) error { return &Error{p, args} }

// Error is In English.
func (e *Error) Error() string { return e.In(English) }

// In is the error in lang.
func (e *Error) In(lang string) string {
	own := slices.Clone(e.args)
	for i, a := range own {
		switch a := a.(type) {
		case Phrase:
			own[i] = a.In(lang)
		case error:
			own[i] = Told(a, lang)
		}
	}
	return e.phrase.In(lang, own...)
}

// Unwrap returns the errors among the arguments.
func (e *Error) Unwrap() []error {
	var inner []error
	for _, a := range e.args {
		if err, ok := a.(error); ok {
			inner = append(inner, err)
		}
	}
	return inner
}

// Told is err in lang as far as it knows that language: an error with a method
// In(lang), also one that is wrapped in others or joined with others, whose own
// words stay as they are.
func Told(err error, lang string) string {
	if known, ok := err.(interface{ In(lang string) string }); ok {
		return known.In(lang)
	}
	told, rest := "", err.Error()
	for _, inner := range unwrapped(err) {
		if before, after, ok := strings.Cut(rest, inner.Error()); ok {
			told, rest = told+before+Told(inner, lang), after
		}
	}
	return told + rest
}

// unwrapped are the errors directly within err.
func unwrapped(err error) []error {
	switch outer := err.(type) {
	case interface{ Unwrap() error }:
		if inner := outer.Unwrap(); inner != nil {
			return []error{inner}
		}
	case interface{ Unwrap() []error }:
		return outer.Unwrap()
	}
	return nil
}
