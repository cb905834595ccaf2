package config

import (
	"slices"
	"strings"

	"homebot/internal/phrases"
	edit "homebot/internal/text"
)

// unknown is the text for a key or table that does not exist, with the nearest
// one that does.
func unknown(e entry) error {
	if e.table {
		if near := nearest(e.path, tableNames()); near != "" {
			return phrases.Errorf(phrases.ConfigNoTable, near)
		}
		return phrases.Errorf(phrases.ConfigTables, strings.Join(tableNames(), ", "))
	}
	known, _ := index()
	var keys []string
	for _, f := range fields() {
		keys = append(keys, f.key)
	}
	last := e.parts[len(e.parts)-1]
	for _, key := range keys { // the right name under the wrong table
		if _, name, _ := strings.Cut(key, "."); name == last && known[e.path].key == "" {
			return phrases.Errorf(phrases.ConfigKeyElsewhere, name, tableOf(key))
		}
	}
	if near := nearest(e.path, keys); near != "" {
		return phrases.Errorf(phrases.ConfigNoKey, near)
	}
	return phrases.Errorf(phrases.ConfigUnknownKey)
}

func tableNames() []string {
	var names []string
	for _, f := range fields() {
		if table := tableOf(f.key); !slices.Contains(names, table) {
			names = append(names, table)
		}
	}
	return names
}

// nearest is the nearest of words, "" when none is near enough: a third of its
// length, at most 3 edits.
func nearest(word string, words []string) string {
	best, least := "", 4
	for _, w := range words {
		if len(word) > 2*len(w) {
			continue
		}
		if d := edit.Distance([]rune(word), []rune(w)); d < least && d <= 1+len(w)/3 {
			best, least = w, d
		}
	}
	return best
}
