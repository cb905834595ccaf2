package main

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/peterh/liner"
)

// editor reads lines at a terminal that can be edited, with those before them at
// the arrow keys. Between two lines, while a reply is awaited, Ctrl-C interrupts as
// ever, and what is typed already waits for the next line.
type editor struct{ state *liner.State }

// newEditor is nil where a line cannot be edited: not a terminal, or a dumb one.
func (c *chat) newEditor() *editor {
	if !c.interactive() || c.stdin != os.Stdin || c.stdout != os.Stdout || !isTerminal(os.Stdout) || !liner.TerminalSupported() {
		return nil
	}
	e := &editor{liner.NewLiner()}
	e.state.SetCtrlCAborts(true)
	e.state.SetMultiLineMode(true)
	return e
}

// read is readLine with a prompt. Ctrl-C ends the input, and so does Ctrl-D on an
// empty line.
func (e *editor) read() (string, error) {
	line, err := e.state.Prompt(chatPrompt)
	switch {
	case errors.Is(err, liner.ErrPromptAborted):
		return "", io.EOF
	case err != nil:
		return "", err
	case len(line) > maxChatLine:
		return strings.ToValidUTF8(line[:1<<10], ""), errLong
	}
	if strings.TrimSpace(line) != "" {
		e.state.AppendHistory(line)
	}
	return line, nil
}

// Close leaves the terminal as it was.
func (e *editor) Close() error { return e.state.Close() }
