package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"homebot/internal/agent"
	"homebot/internal/cli"
	"homebot/internal/contextmode"
	"homebot/internal/phrases"
)

// checkProfile refuses a value of --profile that is none (C3).
func checkProfile(s string) error {
	if s == "" || s == contextmode.Auto || contextmode.Profile(s).Valid() {
		return nil
	}
	return &cli.UsageError{Err: fmt.Errorf("--profile %s: no such context profile; use full, compact, minimal or auto", strconv.Quote(s))}
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
	fmt.Fprintln(a.stdout, strings.TrimSuffix(r.Text, "\n"))
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
				return fmt.Errorf("%w; begin with: homebot context profiles show > my-table.toml", err)
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
	for _, v := range r.Versions {
		var notes []string
		if v.Current {
			notes = append(notes, "in force")
		}
		if v.Canary > 0 {
			notes = append(notes, fmt.Sprintf("canary for %.0f %% of the sessions", 100*v.Canary))
		}
		if v.Builtin {
			notes = append(notes, "built in")
		}
		if v.Broken != "" {
			notes = append(notes, "BROKEN: "+v.Broken)
		}
		fmt.Fprintf(a.stdout, "%4d  %s\n", v.Version, strings.Join(notes, ", "))
	}
	return nil
}

func (a *app) showTable(c *cobra.Command, args []string) error {
	q := agent.VersionQuery{}
	if len(args) > 0 {
		n, err := strconv.Atoi(args[0])
		if err != nil {
			return &cli.UsageError{Err: fmt.Errorf("%s is no version; profiles list shows them", strconv.Quote(args[0]))}
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
				return &cli.UsageError{Err: errors.New("--hit must be 0 to 1, --price 0 or more")}
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
		fmt.Fprintln(a.stdout, "no turns yet")
		return
	}
	fmt.Fprintln(a.stdout, "table sessions turns | repeated corrected interrupted fallbacks | first word p50 p95 | cost/turn cached | cuts breaks | switches up down alarms")
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
	fmt.Fprintf(a.stdout, "table %d in force", r.Table)
	if r.Canary != 0 {
		fmt.Fprintf(a.stdout, ", %d for %.0f %% of the sessions", r.Canary, 100*r.Share)
	}
	fmt.Fprintf(a.stdout, "; load %.2f\n", r.Load)
	for _, p := range r.Budgets {
		turns := map[bool]string{true: "no limit"}[p.MaxTurns < 0]
		fmt.Fprintf(a.stdout, "  %-8s %s: %d tokens now (%d in the table), turns: %s, summaries: %t, unconfirmed items kept: %t, never trimmed from importance %.1f, answers kept by: %s\n",
			p.Profile, p.Name, p.Budget, p.Base, cmp.Or(turns, strconv.Itoa(p.MaxTurns)), p.Summarize, p.Session, p.Keep, p.Cache)
	}
	if len(r.Turns) == 0 {
		fmt.Fprintln(a.stdout, "no turns yet")
	}
	for _, t := range r.Turns {
		a.explainTurn(t)
	}
}

func (a *app) explainTurn(t agent.TurnLine) {
	s := t.Signals
	fmt.Fprintf(a.stdout, "\n%s  turn %s of %s\n", t.At.Format("2006-01-02 15:04:05"), t.ID, t.Session)
	fmt.Fprintf(a.stdout, "  decided    %s (%s), by table %d in %.2f ms\n", t.Profile, t.Reason, t.Table, t.DecideMS)
	fmt.Fprintf(a.stdout, "  signals    words=%q request=%q config=%q mode=%q tier=%q turns=%d load=%.2f before=%q hint=%q\n",
		s.Asked, s.Request, s.Config, s.Mode, s.Tier, s.Turns, s.Load, s.Before, t.Hint)
	fmt.Fprintf(a.stdout, "  kept       %d turns as they were said, %d summary blocks, %d pinned facts\n", t.Kept, t.Blocks, len(t.Pinned))
	for _, f := range t.Pinned {
		fmt.Fprintf(a.stdout, "               pinned: %s\n", f)
	}
	fmt.Fprintf(a.stdout, "  trimmed    %d turns, %d of them summarised; %d items; in %.2f ms\n", t.Trimmed.Turns, t.Trimmed.Summarised, t.Trimmed.Items, t.TrimMS)
	fmt.Fprintf(a.stdout, "  estimated  %d of a budget of %d tokens, beside %d of prompt and tools\n", t.Estimate, t.Budget, t.Fixed)
	fmt.Fprintf(a.stdout, "  billed     %d tokens, %d of them from the provider's cache; %d for the reply\n", t.Prompt, t.Cached, t.Completion)
	for _, f := range []struct {
		is   bool
		text string
	}{
		{t.Cuts > 0, "a cut was made before the request"}, {t.Overrun, "what must be sent was over the budget"},
		{t.Breaks > 0, "THE PREFIX BROKE outside a cut"}, {t.Failed != "", "failed: " + t.Failed},
	} {
		if f.is {
			fmt.Fprintf(a.stdout, "  note       %s\n", f.text)
		}
	}
}
