package sphinx

import (
	"fmt"
	"strconv"
	"strings"
)

// Word names in the generated dictionary and grammar. Phrases get numbers, so
// that no character of a phrase can break the grammar.
const (
	wakePrefix = "wake"
	cmdPrefix  = "cmd"
	loopPrefix = "g_"
)

// dictionary writes one dictionary word per phrase, so that a phrase pays the
// word insertion penalty once, while the phone loop pays it once per phone;
// that alone decides between them (JSGF weights have no effect).
func dictionary(wakes, cmds []pronounced, inventory []string) string {
	var b strings.Builder
	writeWords(&b, wakePrefix, wakes)
	writeWords(&b, cmdPrefix, cmds)
	for _, p := range inventory {
		fmt.Fprintf(&b, "%s%s %s\n", loopPrefix, p, p)
	}
	return b.String()
}

func writeWords(b *strings.Builder, prefix string, list []pronounced) {
	for i, p := range list {
		for j, way := range p.ways {
			name := fmt.Sprintf("%s%d", prefix, i)
			if j > 0 {
				name += fmt.Sprintf("(%d)", j+1)
			}
			fmt.Fprintf(b, "%s %s\n", name, way)
		}
	}
}

// wakeGrammar hears a wake phrase within any speech.
func wakeGrammar(wakes, inventory []string) string {
	rule := "<g>+"
	if len(wakes) > 0 {
		rule = "[<g>+] [<wake> [<g>+]]"
	}
	return jsgf(rule, map[string][]string{"wake": wakes, "g": inventory})
}

// commandGrammar hears a set phrase within any speech. The wake phrase may come
// first: said again, or the end of the one that woke us.
func commandGrammar(wakes, cmds, inventory []string) string {
	rule := "[<g>+]"
	if len(wakes) > 0 {
		rule += " [<wake>] [<g>+]"
	}
	if len(cmds) > 0 {
		rule += " [<cmd>] [<g>+]"
	}
	return jsgf(rule, map[string][]string{"wake": wakes, "cmd": cmds, "g": inventory})
}

func jsgf(rule string, alternatives map[string][]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#JSGF V1.0;\ngrammar k;\npublic <s> = %s;\n", rule)
	for name, words := range alternatives {
		if len(words) > 0 {
			fmt.Fprintf(&b, "<%s> = %s;\n", name, strings.Join(words, " | "))
		}
	}
	return b.String()
}

// numbered returns the names of n phrases: prefix0, prefix1, …
func numbered(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	return names
}

// phraseIndex returns which phrase of prefix a decoded word is, or -1.
func phraseIndex(word, prefix string) int {
	digits, ok := strings.CutPrefix(word, prefix)
	if !ok {
		return -1
	}
	digits, _, _ = strings.Cut(digits, "(")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return -1
	}
	return n
}
