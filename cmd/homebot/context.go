package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"homebot/internal/agent"
	"homebot/internal/agent/tables"
	"homebot/internal/cli"
	"homebot/internal/contextmode"
	"homebot/internal/phrases"
)

// checkProfile refuses a value of --profile that is none (C3).
func checkProfile(s string) error {
	if s == "" || s == contextmode.Auto || contextmode.Profile(s).Valid() {
		return nil
	}
	return &cli.UsageError{Err: phrases.Errorf(phrases.ProfileNone, s)}
}

func (a *app) contextCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "context", Short: phrases.HelpContext.In(a.lang), Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.explainCommand(), a.profilesCommand())
	return c
}

func (a *app) explainCommand() *cobra.Command {
	last := 1
	c := &cobra.Command{
		Use: "explain", Short: phrases.HelpExplain.In(a.lang), Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var r agent.ExplainReport
			if err := a.inspect(c, agent.AskExplain, agent.ExplainQuery{Last: last}, &r); err != nil {
				return err
			}
			a.printExplain(r)
			return nil
		},
	}
	c.Flags().IntVar(&last, "last", 1, phrases.HelpExplainLast.In(a.lang))
	return c
}

func (a *app) profilesCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "profiles", Short: phrases.HelpProfiles.In(a.lang), Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	var share float64
	canary := a.tableCommand("canary FILE", phrases.HelpCanary.In(a.lang), agent.AskCanary, &share)
	canary.Flags().Float64Var(&share, "share", 0.2, phrases.HelpCanaryShare.In(a.lang))
	c.AddCommand(
		&cobra.Command{Use: "list", Short: phrases.HelpProfilesList.In(a.lang), Args: cli.NoArgs, RunE: a.listTables},
		&cobra.Command{
			Use: "show [VERSION]", Short: phrases.HelpProfilesShow.In(a.lang), RunE: a.showTable,
			Args: cli.AtMostArgs(1),
		},
		a.tableCommand("apply FILE", phrases.HelpApply.In(a.lang), agent.AskApply, new(float64)),
		canary,
		&cobra.Command{
			Use: "rollback", Short: phrases.HelpRollback.In(a.lang), Args: cli.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error { return a.askText(c, agent.AskRollback, nil) },
		},
		a.compareCommand(),
	)
	return c
}

// inspect asks the engine of the workspace.
func (a *app) inspect(c *cobra.Command, what string, args, into any) error {
	client, err := a.connect(c.Context())
	if err != nil {
		return err
	}
	return errors.Join(client.Inspect(what, args, into), client.Close())
}

func (a *app) askText(c *cobra.Command, what string, args any) error {
	var r agent.TextReport
	if err := a.inspect(c, what, args, &r); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout, strings.TrimSuffix(r.In(a.lang), "\n"))
	return nil
}

// tableCommand sends a file to the engine.
func (a *app) tableCommand(use, short, what string, share *float64) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short,
		Args: cli.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			data, err := os.ReadFile(args[0])
			if err != nil {
				return phrases.Errorf(phrases.ProfilesNoFile, err)
			}
			return a.askText(c, what, agent.TableQuery{Name: args[0], Text: string(data), Share: *share})
		},
	}
}

func (a *app) listTables(c *cobra.Command, _ []string) error {
	var r agent.TablesReport
	if err := a.inspect(c, agent.AskTables, nil, &r); err != nil {
		return err
	}
	comma := map[string]string{phrases.Chinese: "，", phrases.English: ", "}[a.lang]
	for _, v := range r.Versions {
		fmt.Fprintf(a.stdout, "%4d  %s\n", v.Version, strings.Join(a.tableNotes(v), comma))
	}
	return nil
}

// tableNotes are what there is to say of a version.
func (a *app) tableNotes(v tables.Version) (notes []string) {
	if v.Current {
		notes = append(notes, phrases.ProfilesInForce.In(a.lang))
	}
	if v.Canary > 0 {
		notes = append(notes, phrases.ProfilesCanary.In(a.lang, 100*v.Canary))
	}
	if v.Builtin {
		notes = append(notes, phrases.ProfilesBuiltin.In(a.lang))
	}
	if v.Broken != "" {
		notes = append(notes, phrases.ProfilesBroken.In(a.lang, v.Why(a.lang)))
	}
	return notes
}

func (a *app) showTable(c *cobra.Command, args []string) error {
	q := agent.VersionQuery{}
	if len(args) > 0 {
		n, err := strconv.Atoi(args[0])
		if err != nil {
			return &cli.UsageError{Err: phrases.Errorf(phrases.ProfilesNoVersion, args[0])}
		}
		q.Version = n
	}
	return a.askText(c, agent.AskTable, q)
}

// prices turn tokens into costs.
type prices struct{ hit, million float64 }

func (a *app) compareCommand() *cobra.Command {
	p := prices{}
	c := &cobra.Command{
		Use: "compare", Short: phrases.HelpCompare.In(a.lang), Args: cli.NoArgs,
		Long: a.lines(phrases.HelpCompare, phrases.HelpCompareFigures),
		RunE: func(c *cobra.Command, _ []string) error {
			if p.hit < 0 || p.hit > 1 || p.million < 0 {
				return &cli.UsageError{Err: phrases.Errorf(phrases.CompareFlags)}
			}
			var r agent.CompareReport
			if err := a.inspect(c, agent.AskCompare, nil, &r); err != nil {
				return err
			}
			a.printCompare(r, p)
			return nil
		},
	}
	c.Flags().Float64Var(&p.hit, "hit", 0.1, phrases.HelpCompareHit.In(a.lang))
	c.Flags().Float64Var(&p.million, "price", 0, phrases.HelpComparePrice.In(a.lang))
	return c
}

func (a *app) printCompare(r agent.CompareReport, p prices) {
	if len(r.Versions) == 0 {
		a.tell(phrases.ExplainNoTurns)
		return
	}
	a.tell(phrases.CompareHead)
	for _, v := range r.Versions {
		fmt.Fprintf(a.stdout, "%5d %8d %5d | %7.1f%% %8.1f%% %10.1f%% %9d | %10dms %dms | %9s %5.1f%% | %4d %6d | %7.1f%% %2d %4d %6d\n",
			v.Table, v.Sessions, v.Turns, 100*v.Repeated, 100*v.Corrected, 100*v.Interrupted, v.Fallbacks,
			v.LatencyP50.Milliseconds(), v.LatencyP95.Milliseconds(), p.cost(v), 100*v.Cached, v.Cuts, v.Breaks,
			100*v.SwitchRate, v.Up, v.Down, v.Alarms)
	}
}

// cost is what a turn's prompt costs, in fresh tokens or in money.
func (p prices) cost(v contextmode.VersionStats) string {
	tokens := v.PromptMean() * (1 - v.Cached + p.hit*v.Cached)
	if p.million == 0 {
		return fmt.Sprintf("%.0f", tokens)
	}
	return fmt.Sprintf("%.6f", tokens*p.million/1e6)
}

func (a *app) printExplain(r agent.ExplainReport) {
	if r.Canary != 0 {
		a.tell(phrases.ExplainTables, r.Table, r.Canary, 100*r.Share, r.Load)
	} else {
		a.tell(phrases.ExplainTable, r.Table, r.Load)
	}
	for _, p := range r.Budgets {
		turns := strconv.Itoa(p.MaxTurns)
		if p.MaxTurns < 0 {
			turns = phrases.ExplainNoLimit.In(a.lang)
		}
		fmt.Fprintf(a.stdout, "  %-8s %s\n", p.Profile,
			phrases.ExplainProfile.In(a.lang, p.Name, p.Budget, p.Base, turns, a.whether(p.Summarize), a.whether(p.Session), p.Keep, p.Cache))
	}
	if len(r.Turns) == 0 {
		a.tell(phrases.ExplainNoTurns)
	}
	for _, t := range r.Turns {
		a.explainTurn(t)
	}
}

// whether is a flag in words.
func (a *app) whether(is bool) string {
	return map[bool]phrases.Phrase{true: phrases.ExplainTrue, false: phrases.ExplainFalse}[is].In(a.lang)
}

func (a *app) explainTurn(t agent.TurnLine) {
	line := func(label, p phrases.Phrase, args ...any) {
		fmt.Fprintf(a.stdout, "  %s%s\n", cli.Pad(label.In(a.lang), 11), p.In(a.lang, args...))
	}
	s := t.Signals
	fmt.Fprintf(a.stdout, "\n%s  %s\n", t.At.Format("2006-01-02 15:04:05"), phrases.ExplainTurn.In(a.lang, t.ID, t.Session))
	line(phrases.ExplainDecided, phrases.ExplainDecision, t.Profile, t.Reason, t.Table, t.DecideMS)
	fmt.Fprintf(a.stdout, "  %swords=%q request=%q config=%q mode=%q tier=%q turns=%d load=%.2f before=%q hint=%q\n",
		cli.Pad(phrases.ExplainSignals.In(a.lang), 11), s.Asked, s.Request, s.Config, s.Mode, s.Tier, s.Turns, s.Load, s.Before, t.Hint)
	line(phrases.ExplainKept, phrases.ExplainKeeps, t.Kept, t.Blocks, len(t.Pinned))
	for _, f := range t.Pinned {
		fmt.Fprintf(a.stdout, "               %s\n", phrases.ExplainPinned.In(a.lang, f))
	}
	line(phrases.ExplainTrimmed, phrases.ExplainTrims, t.Trimmed.Turns, t.Trimmed.Summarised, t.Trimmed.Items, t.TrimMS)
	line(phrases.ExplainEstimated, phrases.ExplainEstimate, t.Estimate, t.Budget, t.Fixed)
	line(phrases.ExplainBilled, phrases.ExplainBill, t.Prompt, t.Cached, t.Completion)
	for _, f := range []struct {
		is   bool
		says phrases.Phrase
		args []any
	}{
		{t.Cuts > 0, phrases.ExplainCut, nil}, {t.Overrun, phrases.ExplainOverrun, nil},
		{t.Breaks > 0, phrases.ExplainBroke, nil}, {t.Failed != "", phrases.ExplainFailed, []any{t.Failed}},
	} {
		if f.is {
			line(phrases.DoctorNote, f.says, f.args...)
		}
	}
}
