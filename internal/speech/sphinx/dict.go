package sphinx

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// phones is one pronunciation: the phones of a word or phrase in order.
type phones []string

func (p phones) String() string { return strings.Join(p, " ") }

// near reports whether p and q are at most one phone apart (one put in, left
// out or replaced).
func (p phones) near(q phones) bool {
	if len(p) > len(q) {
		p, q = q, p
	}
	if len(q)-len(p) > 1 {
		return false
	}
	i := 0
	for i < len(p) && p[i] == q[i] {
		i++
	}
	if len(p) == len(q) {
		return i == len(p) || slices.Equal(p[i+1:], q[i+1:])
	}
	return slices.Equal(p[i:], q[i+1:])
}

// lexicon is what was read from one pronunciation dictionary: the wanted words
// and the names of all phones, sorted.
type lexicon struct {
	words  map[string][]phones
	phones []string
}

// readLexicon reads the wanted words of the dictionary at path.
func readLexicon(path string, wanted map[string]bool) (lexicon, error) {
	f, err := os.Open(path)
	if err != nil {
		return lexicon{}, fmt.Errorf("reading a pronunciation dictionary: %w", err)
	}
	defer f.Close()
	lex, err := scanLexicon(f, wanted)
	if err != nil {
		return lexicon{}, fmt.Errorf("reading the pronunciation dictionary %s: %w", path, err)
	}
	return lex, nil
}

// scanLexicon reads "word phone phone…" lines; a further pronunciation is
// written "word(2)". Lines it cannot use are passed over.
func scanLexicon(r io.Reader, wanted map[string]bool) (lexicon, error) {
	lex := lexicon{words: map[string][]phones{}}
	inventory := map[string]bool{}
	for s := bufio.NewScanner(r); ; {
		if !s.Scan() {
			for p := range inventory {
				lex.phones = append(lex.phones, p)
			}
			slices.Sort(lex.phones)
			return lex, s.Err()
		}
		word, sounds := splitEntry(s.Bytes())
		if len(sounds) == 0 {
			continue
		}
		for rest := sounds; len(rest) > 0; {
			var phone []byte
			phone, rest = nextField(rest)
			if len(phone) > 0 && !inventory[string(phone)] {
				inventory[string(phone)] = true
			}
		}
		if wanted[string(word)] {
			p := phones(strings.Fields(string(sounds)))
			lex.words[string(word)] = append(lex.words[string(word)], p)
		}
	}
}

// splitEntry splits a dictionary line into the word without its "(2)" and the
// phones. A comment or an empty line has no phones.
func splitEntry(line []byte) (word, sounds []byte) {
	line = bytes.TrimSpace(line)
	if bytes.HasPrefix(line, []byte(";")) || bytes.HasPrefix(line, []byte("#")) {
		return nil, nil
	}
	word, sounds = nextField(line)
	if i := bytes.IndexByte(word, '('); i > 0 {
		word = word[:i]
	}
	return word, sounds
}

// nextField returns the first field of b and what follows the space after it.
func nextField(b []byte) (field, rest []byte) {
	i := bytes.IndexAny(b, " \t")
	if i < 0 {
		return b, nil
	}
	return b[:i], bytes.TrimLeft(b[i:], " \t")
}
