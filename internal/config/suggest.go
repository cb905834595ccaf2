package config

import (
	"slices"
	"strings"

	edit "homebot/internal/text"
)

// unknown is the text for a key or table that does not exist, with the nearest
// one that does.
func unknown(e entry) string {
	if e.table {
		return "there is no such table" + suggestion(e.path, tableNames(), "; did you mean [%]?", "; the tables are "+strings.Join(tableNames(), ", "))
	}
	known, _ := index()
	var keys []string
	for _, f := range fields() {
		keys = append(keys, f.key)
	}
	last := e.parts[len(e.parts)-1]
	for _, key := range keys { // the right name under the wrong table
		if _, name, _ := strings.Cut(key, "."); name == last && known[e.path].key == "" {
			return "there is no such key here; " + name + " belongs under [" + tableOf(key) + "]"
		}
	}
	return "there is no such key" + suggestion(e.path, keys, "; did you mean %?", "; take the line out (homebot config sample lists every key)")
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

// suggestion returns found with the nearest of words in place of %, or otherwise
// when none is near enough: a third of its length, at most 3 edits.
func suggestion(word string, words []string, found, otherwise string) string {
	best, least := "", 4
	for _, w := range words {
		if len(word) > 2*len(w) {
			continue
		}
		if d := edit.Distance([]rune(word), []rune(w)); d < least && d <= 1+len(w)/3 {
			best, least = w, d
		}
	}
	if best == "" {
		return otherwise
	}
	return strings.Replace(found, "%", best, 1)
}
