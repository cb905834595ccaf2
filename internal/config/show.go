package config

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Sample returns a homebot.toml that names and explains every key and sets each
// to its default.
func Sample() []byte {
	var b bytes.Buffer
	b.WriteString("# homebot.toml: the configuration of homebot. Every key is here with its default;\n" +
		"# a line that is taken out changes nothing. Check it with: homebot config check\n" +
		"# 这是 homebot 的配置文件，列出了所有设置和默认值。改完请运行 homebot config check。\n")
	c, table := Default(), ""
	c.System.Language = "" // as the shell has it
	for _, f := range fields() {
		name := nextTable(&b, &table, f)
		for line := range strings.Lines(f.about) {
			fmt.Fprintf(&b, "# %s\n", strings.TrimSuffix(line, "\n"))
		}
		fmt.Fprintf(&b, "%s = %s\n", name, f.bind(&c).toml())
	}
	return b.Bytes()
}

// Show writes the effective configuration as TOML, secrets masked, each setting
// with where it comes from.
func (c Config) Show(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# workspace %s\n# file %s\n", c.Workspace, c.Path)
	table := ""
	for _, f := range fields() {
		name := nextTable(&b, &table, f)
		fmt.Fprintf(&b, "%-48s # %s\n", name+" = "+f.bind(&c).toml(), c.Source(f.key))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Source says where the setting key ("table.name") comes from: "default",
// "file line 3", "secrets line 3" or the variable of the environment.
func (c Config) Source(key string) string {
	from, set := c.origins[key]
	switch {
	case !set:
		return "default"
	case from.env != "":
		return from.env
	case from.secrets:
		return fmt.Sprintf("secrets line %d", from.line)
	}
	return fmt.Sprintf("file line %d", from.line)
}

// nextTable begins f's table if it is another one than before, and returns f's
// name in it.
func nextTable(b *bytes.Buffer, table *string, f field) string {
	of, name, _ := strings.Cut(f.key, ".")
	if of != *table {
		fmt.Fprintf(b, "\n[%s]\n", of)
		*table = of
	}
	return name
}
