package skills

import "context"

// langKey carries the language of the turn a tool is called in.
type langKey struct{}

// WithLang is ctx for tools called in a turn in lang, "zh" or "en".
func WithLang(ctx context.Context, lang string) context.Context {
	return context.WithValue(ctx, langKey{}, lang)
}

// LangOf is the language of the turn, fallback outside one.
func LangOf(ctx context.Context, fallback string) string {
	if lang, ok := ctx.Value(langKey{}).(string); ok && lang != "" {
		return lang
	}
	return fallback
}
