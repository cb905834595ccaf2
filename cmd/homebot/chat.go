package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"homebot/internal/cli"
	"homebot/internal/engine"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/internal/text"
	"homebot/voice"
)

// maxChatLine bounds one message, in bytes: some twenty pages.
const maxChatLine = 64 << 10

// chatPrompt asks a person at a terminal for a line.
const chatPrompt = "> "

// errLong: a line over maxChatLine was read to its end and thrown away.
var errLong = errors.New("line too long")

func (a *app) chatCommand() *cobra.Command {
	var speaker, profile string
	var asJSON bool
	c := &cobra.Command{
		Use: "chat", Short: phrases.HelpChat.In(a.lang), Args: cli.NoArgs,
		Long: a.lines(phrases.HelpChatLong, phrases.HelpChatKeys, phrases.HelpChatEnd, phrases.HelpChatLines),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkProfile(profile); err != nil {
				return err
			}
			client, err := a.connect(c.Context())
			if err != nil {
				return err
			}
			talk := &chat{app: a, client: client, speaker: speaker, profile: profile, json: asJSON}
			return errors.Join(talk.run(c.Context()), client.Close())
		},
	}
	c.Flags().StringVar(&speaker, "speaker", "guest", phrases.HelpChatSpeaker.In(a.lang))
	c.Flags().StringVar(&profile, "profile", "", phrases.HelpChatProfile.In(a.lang))
	c.Flags().BoolVar(&asJSON, "json", false, phrases.HelpChatJSON.In(a.lang))
	return c
}

// chat is one conversation on the text channel.
type chat struct {
	*app
	client  *engine.Client
	speaker string
	profile string
	json    bool
	session string // mode session that is active, as far as was told
	cut     bool   // a turn was cut off: it was told, and is a failure
}

func (c *chat) run(ctx context.Context) error {
	in := bufio.NewReaderSize(c.stdin, 64<<10)
	read := func() (string, error) {
		c.prompt()
		return readLine(in)
	}
	if c.interactive() {
		watch, stop := context.WithCancel(ctx)
		var rings sync.WaitGroup
		rings.Go(func() { c.watchRings(watch) })
		defer rings.Wait()
		defer stop()
	}
	c.greet()
	if e := c.newEditor(); e != nil {
		defer e.Close()
		read = e.read
	}
	lines := newLines(read)
	for {
		line, err := lines.next(ctx)
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			c.farewell()
			return c.ended()
		}
		switch {
		case errors.Is(err, errLong):
			err = c.tooLong(line)
		case err != nil:
			return phrases.Errorf(phrases.ChatInput, err)
		default:
			err = c.turn(ctx, line)
		}
		if ctx.Err() != nil {
			c.farewell()
			return c.ended()
		}
		if err != nil {
			return err
		}
	}
}

// ended is how the chat ended: well, unless a turn was cut off.
func (c *chat) ended() error {
	if c.cut {
		return cli.ErrSilent
	}
	return nil
}

// tooLong answers a line that is not sent: nothing of it was done or recorded.
func (c *chat) tooLong(line string) error {
	o := engine.Outcome{DialogueState: event.Idle, Switch: []voice.Switch{},
		Error: &voice.TurnError{Code: "too_long", Text: phrases.LineTooLong.In(text.Lang(line, "en"), maxChatLine>>10)}}
	if c.json {
		return c.print(o)
	}
	fmt.Fprintln(c.stdout, o.Error.Text)
	return nil
}

func (c *chat) print(o engine.Outcome) error {
	e := json.NewEncoder(c.stdout)
	e.SetEscapeHTML(false)
	return e.Encode(o)
}

// lines reads ahead on a goroutine of its own, so that Ctrl-C ends the chat at
// once. It is not joined: a read of a terminal cannot be interrupted, and the
// process ends right after.
type lines struct {
	want chan struct{}
	got  chan line
}

type line struct {
	text string
	err  error
}

func newLines(read func() (string, error)) *lines {
	l := &lines{want: make(chan struct{}), got: make(chan line, 1)}
	go func() {
		for range l.want {
			text, err := read()
			l.got <- line{text, err}
		}
	}()
	return l
}

// next reads one line when it is wanted, no earlier: another chat may read the
// same input after this one.
func (l *lines) next(ctx context.Context) (string, error) {
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	l.want <- struct{}{}
	select {
	case r := <-l.got:
		return r.text, r.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// readLine reads one line, whatever its end. Of one longer than maxChatLine it
// returns the beginning and errLong.
func readLine(in *bufio.Reader) (string, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		long = long || len(line)+len(part) > maxChatLine+len("\r\n")
		line = append(line, part[:min(len(part), maxChatLine-min(len(line), maxChatLine))]...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(line) > 0, err == nil:
			if long {
				return strings.ToValidUTF8(string(line[:1<<10]), ""), errLong
			}
			return strings.ToValidUTF8(strings.TrimRight(string(line), "\r\n"), "�"), nil
		default:
			return "", err
		}
	}
}

func (c *chat) turn(ctx context.Context, line string) error {
	t := engine.Turn{Channel: voice.ChannelText, Speaker: c.speaker, Text: line, Profile: c.profile}
	if c.json {
		o, err := c.client.Turn(ctx, t, nil)
		if err != nil {
			return err
		}
		return c.print(o)
	}
	shown := 0
	o, err := c.client.Turn(ctx, t, func(d string) {
		shown += len(d)
		fmt.Fprint(c.stdout, d)
	})
	if err != nil {
		return err
	}
	cut := o.Error != nil && o.Error.Code == "cancelled"
	if shown == 0 && o.Error != nil && !cut {
		fmt.Fprint(c.stdout, o.Error.Text)
	}
	if after := c.after(o); shown > 0 || !cut || after != "" {
		fmt.Fprintln(c.stdout, after)
	}
	if cut { // the next line is for the next engine
		c.cut = true
		fmt.Fprintf(c.stderr, "homebot: %s\n", o.Error.Text)
	}
	return nil
}

// after tells a person what the light shows and what was not saved.
func (c *chat) after(o engine.Outcome) string {
	var b strings.Builder
	if o.Error != nil && strings.HasPrefix(o.Error.Code, "disk_") && o.Reply != o.Error.Text {
		b.WriteString("\n! " + o.Error.Text)
	}
	if now := value(o.SessionID); now != c.session {
		c.session = now
		b.WriteString("\n  " + modeLine(o, c.lang))
	}
	return b.String()
}

// modeLine says which mode is active after a turn that changed it.
func modeLine(o engine.Outcome, lang string) string {
	if o.Mode == nil {
		return phrases.ChatNoMode.In(lang)
	}
	return phrases.ChatMode.In(lang, *o.Mode)
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// greet says how to leave, and which mode goes on.
func (c *chat) greet() {
	s, err := c.client.Status()
	if err != nil {
		return
	}
	if s.Mode != nil {
		c.session = s.Mode.SessionID
	}
	if !c.interactive() {
		return
	}
	fmt.Fprintln(c.stdout, phrases.ChatHow.In(c.lang))
	if s.Mode != nil {
		fmt.Fprintln(c.stdout, phrases.ChatMode.In(c.lang, s.Mode.ID))
	}
}

// prompt and farewell are for a person at a terminal only.
func (c *chat) prompt() {
	if c.interactive() {
		fmt.Fprint(c.stdout, chatPrompt)
	}
}

func (c *chat) farewell() {
	if c.interactive() {
		fmt.Fprintln(c.stdout)
	}
}

func (c *chat) interactive() bool {
	f, ok := c.stdin.(*os.File)
	return ok && !c.json && isTerminal(f)
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
