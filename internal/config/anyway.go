package config

import (
	"bytes"
	"slices"
)

// maxSalvaged is how many lines of a file may be wrong before it counts as no
// homebot.toml at all.
const maxSalvaged = 40

// LoadAnyway is Load for a device that must start whatever the files hold. What is
// right is in force; a line or value that is wrong is as if it were not there, and
// so is a file that cannot be read at all. The Problems are what a person should
// hear of, in the order of the file. Without a workspace the Config has none.
func LoadAnyway(path string, getenv func(string) string) (Config, Problems) {
	c, from, found := locate(path, getenv)
	if c.Workspace == "" {
		return c, found
	}
	text, broken, _ := Salvage(c.Path, from.file)
	from.file, found = text, append(found, broken...)
	if _, wrong := readTOML(c.Secrets, from.secrets); wrong != nil {
		found, from.secrets = append(found, *wrong), nil
	}
	return c.fillAnyway(from, found)
}

// fillAnyway fills c with what is right: as long as something is wrong it begins
// anew without that.
func (c Config) fillAnyway(from sources, found Problems) (Config, Problems) {
	from.skip = map[string]bool{}
	for {
		filled, err := c.fill(from)
		wrong, _ := err.(Problems)
		known := len(from.skip)
		for _, p := range wrong {
			if !from.skip[p.Key] && !slices.Contains(found, p) {
				found = append(found, p)
			}
			from.skip[p.Key] = true
		}
		if len(from.skip) == known {
			slices.SortStableFunc(found, inOrderOfFile)
			return filled, found
		}
	}
}

// Salvage returns a file's text as UTF-8 in which every line that is not TOML is
// blank, so that all else stands where it stood, and what was wrong with each. It
// is not ok when there is no end to them, no telling where, or nothing left.
func Salvage(file string, data []byte) (text []byte, broken Problems, ok bool) {
	text = slices.Clone(decode(data))
	for len(broken) < maxSalvaged {
		doc, wrong := readTOML(file, text)
		if wrong == nil {
			return text, broken, len(broken) == 0 || len(doc.entries) > 0
		}
		broken = append(broken, *wrong)
		if wrong.Line == 0 || !blankLine(text, wrong.Line) {
			break
		}
	}
	return nil, broken[:1], false
}

// blankLine fills a line, from 1, with spaces; false: it was blank before.
func blankLine(text []byte, number int) bool {
	for line := range bytes.Lines(text) {
		if number--; number > 0 {
			continue
		}
		line = bytes.TrimRight(line, "\r\n")
		was := len(bytes.TrimSpace(line)) > 0
		for i := range line {
			line[i] = ' '
		}
		return was
	}
	return false
}

// ReadAnyway is LoadAnyway of a homebot.toml and a file of secrets at hand, without
// the environment. file is the name in the Problems.
func ReadAnyway(file string, text, secrets []byte) (Config, Problems) {
	c := Default()
	c.Path = file
	good, found, _ := Salvage(file, text)
	if _, wrong := readTOML("", secrets); wrong != nil {
		found, secrets = append(found, *wrong), nil
	}
	none := func(string) string { return "" }
	return c.fillAnyway(sources{file: good, secrets: secrets, getenv: none}, found)
}
