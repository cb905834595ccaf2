package sherpa

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"homebot/internal/phrases"
)

// tokens is a model's tokens.txt: what its network knows, and in which order
// (byte pairs are joined in it).
type tokens map[string]int

// maxLine bounds a line of a model's text files.
const maxLine = 1 << 16

// readTokens reads "token id" lines. A token may itself be a space or hold one.
func readTokens(r io.Reader) (tokens, error) {
	t := tokens{}
	for s := lines(r); ; {
		if !s.Scan() {
			if s.Err() == nil && len(t) == 0 {
				return nil, phrases.Errorf(phrases.SherpaNoTokens)
			}
			return t, s.Err()
		}
		line := strings.TrimRight(s.Text(), " \t\r")
		i := strings.LastIndexAny(line, " \t")
		if i < 0 {
			continue
		}
		id, err := strconv.Atoi(line[i+1:])
		if err != nil || id < 0 {
			return nil, phrases.Errorf(phrases.SherpaNoToken, line)
		}
		t[line[:i]] = id
	}
}

func lines(r io.Reader) *bufio.Scanner {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	return s
}

// vocabulary is how a keyword model spells: its tokens, and the pronunciations
// of English words where it has them.
type vocabulary struct {
	tokens tokens
	// phones holds the wanted words only, in capitals.
	phones map[string][]string
}

// readVocabulary reads tokens.txt of a model's directory, and from en.phone, if
// it is there, the pronunciations of the wanted words.
func readVocabulary(dir string, wanted map[string]bool) (vocabulary, error) {
	var v vocabulary
	data, err := os.ReadFile(filepath.Join(dir, "tokens.txt"))
	if err == nil {
		v.tokens, err = readTokens(bytes.NewReader(data))
	}
	if err != nil {
		return v, phrases.Errorf(phrases.SherpaBadTokens, dir, err)
	}
	f, err := os.Open(filepath.Join(dir, "en.phone"))
	if os.IsNotExist(err) {
		return v, nil // a model that spells English in byte pairs
	}
	if err != nil {
		return v, phrases.Errorf(phrases.SherpaBadPhones, dir, err)
	}
	defer f.Close()
	v.phones, err = readPhones(f, wanted)
	return v, err
}

// readPhones reads "WORD PHONE PHONE…" lines; of several ways to say a word the
// first is taken.
func readPhones(r io.Reader, wanted map[string]bool) (map[string][]string, error) {
	phones := map[string][]string{}
	s := lines(r)
	for s.Scan() {
		word, rest, _ := strings.Cut(strings.ReplaceAll(s.Text(), "\t", " "), " ")
		word, _, _ = strings.Cut(word, "(")
		word = strings.ToUpper(word)
		if fields := strings.Fields(rest); wanted[word] && phones[word] == nil && len(fields) > 0 {
			phones[word] = fields
		}
	}
	return phones, s.Err()
}
