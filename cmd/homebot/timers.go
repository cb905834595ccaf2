package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"homebot/internal/cli"
	"homebot/internal/phrases"
	"homebot/internal/text"
	"homebot/skills/timers"
	"homebot/voice"
)

func (a *app) timersCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "timers", Short: phrases.HelpTimers.In(a.lang), Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	var asJSON, all bool
	list := &cobra.Command{
		Use: "list", Short: phrases.HelpTimersList.In(a.lang), Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.listTimers(c.Context(), asJSON) },
	}
	list.Flags().BoolVar(&asJSON, "json", false, phrases.HelpTimersJSON.In(a.lang))
	cancel := &cobra.Command{
		Use: "cancel [ID or NAME]", Short: phrases.HelpTimersCancel.In(a.lang),
		Args: cli.AtMostArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.orderTimers(c.Context(), timers.Command{Do: timers.DoCancel, Timer: strings.Join(args, " "), All: all, Lang: a.lang})
		},
	}
	cancel.Flags().BoolVar(&all, "all", false, phrases.HelpTimersAll.In(a.lang))
	c.AddCommand(list, cancel,
		&cobra.Command{
			Use: "set WORDS", Short: phrases.HelpTimersSet.In(a.lang, "鸡蛋八分钟"),
			Args: cli.AtLeastArgs(1),
			RunE: func(c *cobra.Command, args []string) error {
				return a.orderTimers(c.Context(), timers.Command{Do: timers.DoSet, Words: strings.Join(args, " ")})
			},
		},
		&cobra.Command{
			Use: "stop", Short: phrases.HelpTimersStop.In(a.lang), Args: cli.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error {
				return a.orderTimers(c.Context(), timers.Command{Do: timers.DoStop, Lang: a.lang})
			},
		},
		a.parseTimersCommand(),
	)
	return c
}

// askTimers sends one order to the engine of the workspace.
func (a *app) askTimers(ctx context.Context, o timers.Command) (timers.Result, error) {
	client, err := a.connect(ctx)
	if err != nil {
		return timers.Result{}, err
	}
	r, err := client.Timers(o)
	if err == nil && r.OK && o.Do == timers.DoSet && client.Local() {
		fmt.Fprintln(a.stderr, phrases.TimerNobodyRings.In(text.Lang(o.Words, "en")))
	}
	return r, errors.Join(err, client.Close())
}

func (a *app) orderTimers(ctx context.Context, o timers.Command) error {
	r, err := a.askTimers(ctx, o)
	if err != nil {
		return err
	}
	if r.Reason == timers.NoLength {
		return errors.New(phrases.TimerSetLike.In(text.Lang(o.Words, "en"), r.Say))
	}
	if !r.OK {
		return phrases.Errorf(phrases.TimersSee, strings.TrimRight(r.Say, "。.？?"))
	}
	fmt.Fprintln(a.stdout, r.Say)
	return nil
}

func (a *app) listTimers(ctx context.Context, asJSON bool) error {
	r, err := a.askTimers(ctx, timers.Command{Do: timers.DoList, Lang: a.lang})
	if err != nil {
		return err
	}
	if !r.OK {
		return errors.New(r.Say)
	}
	if asJSON {
		return printJSON(a.stdout, r.Timers)
	}
	if len(r.Timers) == 0 {
		a.tell(phrases.TimersListEmpty)
	}
	for _, t := range r.Timers {
		at := t.RingsAt
		if when, err := time.Parse(time.RFC3339, at); err == nil {
			at = when.Local().Format("2006-01-02 15:04:05")
		}
		left := time.Duration(t.Left) * time.Second
		a.tell(phrases.TimersRow, cli.Pad(t.ID, 5), a.timerCell(t.Kind, 6), a.timerCell(t.State, 8), cli.Pad(left.String(), 9), at, t.Label)
	}
	return nil
}

// timerWords are the kinds and states of timers.
var timerWords = map[string]phrases.Phrase{
	"timer": phrases.TimersKindTimer, "alarm": phrases.TimersKindAlarm,
	"running": phrases.TimersRunning, "paused": phrases.ConsolePagePaused, "ringing": phrases.TimersRinging,
}

func (a *app) timerCell(word string, width int) string {
	if p, ok := timerWords[word]; ok {
		word = p.In(a.lang)
	}
	return cli.Pad(word, width)
}

func printJSON[T any](w io.Writer, rows []T) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, r := range rows {
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// parsed is one timer as `timers parse` prints it. Where a sentence speaks of
// several there is one for each.
type parsed struct {
	Action  *string `json:"action"`
	Seconds *int64  `json:"seconds"`
	At      *string `json:"at"`
	Label   *string `json:"label"`
	Fault   string  `json:"fault,omitempty"` // why none is set
}

func (a *app) parseTimersCommand() *cobra.Command {
	var lang, now string
	c := &cobra.Command{
		Use: "parse", Short: phrases.HelpTimersParse.In(a.lang), Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := checkLang(lang); err != nil {
				return err
			}
			at := time.Now()
			if now != "" {
				var err error
				if at, err = time.Parse(time.RFC3339, now); err != nil {
					return &cli.UsageError{Err: phrases.Errorf(phrases.TimersNoTime, now)}
				}
			}
			return a.eachLine(func(line string) []any { return parseTimers(line, at) })
		},
	}
	c.Flags().StringVar(&lang, "lang", "zh", phrases.HelpTimersLang.In(a.lang))
	c.Flags().StringVar(&now, "now", "", phrases.HelpTimersNow.In(a.lang))
	return c
}

func parseTimers(line string, now time.Time) (rows []any) {
	all, ok := text.ParseTimers(line, now)
	if !ok {
		return []any{parsed{}}
	}
	for _, p := range all {
		rows = append(rows, parsedOf(p))
	}
	return rows
}

func parsedOf(p text.TimerPhrase) parsed {
	action := string(p.Action)
	out := parsed{Action: &action, Fault: string(p.Fault)}
	if p.Span != 0 {
		secs := int64(p.Span / time.Second)
		out.Seconds = &secs
	}
	if !p.At.IsZero() {
		at := p.At.Format(time.RFC3339)
		out.At = &at
	}
	if p.Label != "" {
		out.Label = &p.Label
	}
	return out
}

// eachLine prints what do makes of each line of standard input, one JSON object
// a line.
func (a *app) eachLine(do func(line string) []any) error {
	in := bufio.NewReaderSize(a.stdin, 64<<10)
	for {
		line, err := readLine(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return phrases.Errorf(phrases.ChatInput, err)
		}
		if err := printJSON(a.stdout, do(line)); err != nil {
			return err
		}
	}
}

func checkLang(lang string) error {
	if lang != text.Chinese && lang != text.English {
		return &cli.UsageError{Err: phrases.Errorf(phrases.LangUnknown, lang)}
	}
	return nil
}

// openTimers reads the timers of the workspace. A file that cannot be read at all
// leaves the house without timers, and says so.
func (h *house) openTimers(c timers.Config) {
	c.Ring = h.ring
	book, err := timers.Open(c)
	if err != nil {
		h.logger.Error("no timers: their file cannot be read; look at the disk", "err", err)
		return
	}
	h.timers, h.desk = book, timers.NewDesk(book, h.cfg.System.Language)
}

// ring hands what rings to the voice, if there is one; the events are there for
// everybody else.
func (h *house) ring(ctx context.Context, ringing []timers.Timer) {
	if h.loop == nil {
		return
	}
	var rings []voice.Ring
	for _, t := range ringing {
		rings = append(rings, voice.Ring{ID: t.ID, Name: t.Label, Text: t.Announcement(time.Now()), Lang: t.Lang})
	}
	if err := h.loop.Ring(ctx, rings); err != nil && ctx.Err() == nil {
		h.logger.Error("nothing can ring", "err", err)
	}
}

// hush ends rings: somebody said the stop word.
func (h *house) hush(ids []string) error {
	if h.timers == nil {
		return nil
	}
	_, err := h.timers.Stop(ids...)
	return err
}
