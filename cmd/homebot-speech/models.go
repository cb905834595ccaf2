package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"homebot/internal/cli"
	"homebot/internal/phrases"
	"homebot/internal/speech/models"
)

// modelOptions are the flags of the models command.
type modelOptions struct {
	dir     string
	run     bool
	files   bool
	mirror  string
	onlyFor string
}

// modelsDir is where models lie: the flag's, $HOMEBOT_MODELS, else beside the
// workspace's other files.
func (p *program) modelsDir(flag string) string {
	if flag != "" {
		return flag
	}
	if dir := p.env("HOMEBOT_MODELS"); dir != "" {
		return dir
	}
	workspace := p.env("HOMEBOT_WORKSPACE")
	if workspace == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			home = "."
		}
		workspace = filepath.Join(home, ".homebot")
	}
	return filepath.Join(workspace, "models")
}

func (p *program) modelsCommand() *cobra.Command {
	var o modelOptions
	c := &cobra.Command{
		Use: "models", Short: phrases.HelpModels.In(p.lang), Args: cli.NoArgs,
		RunE: wants(phrases.SpeechModelsWhat),
	}
	c.PersistentFlags().StringVar(&o.dir, "models", "", phrases.HelpSpeechModels.In(p.lang))
	do := func(use string, short phrases.Phrase, args cobra.PositionalArgs, f func(ctx context.Context, st *models.Store, args []string) error) *cobra.Command {
		sub := &cobra.Command{Use: use, Short: short.In(p.lang), Args: args, RunE: func(cmd *cobra.Command, args []string) error {
			st, err := models.Open(p.modelsDir(o.dir))
			if err != nil {
				return err
			}
			return f(cmd.Context(), st, args)
		}}
		c.AddCommand(sub)
		return sub
	}
	list := do("list", phrases.HelpModelsList, cli.NoArgs,
		func(_ context.Context, st *models.Store, _ []string) error { p.listModels(st, o); return nil })
	list.Flags().BoolVar(&o.files, "files", false, phrases.HelpModelsFiles.In(p.lang))
	check := do("check [NAME…]", phrases.HelpModelsCheck, cli.AtLeastArgs(0),
		func(ctx context.Context, st *models.Store, args []string) error {
			return p.checkModels(ctx, st, args, o.run)
		})
	check.Flags().BoolVar(&o.run, "run", false, phrases.HelpModelsRun.In(p.lang))
	pull := do("pull NAME…", phrases.HelpModelsPull, cli.AtLeastArgs(1),
		func(ctx context.Context, st *models.Store, args []string) error {
			return p.unlessStopped(ctx, p.pullModels(ctx, st, args, o.mirror))
		})
	pull.Flags().StringVar(&o.mirror, "mirror", "", phrases.HelpModelsMirror.In(p.lang))
	imp := do("import DIR", phrases.HelpModelsImport, cli.ExactArgs(1),
		func(ctx context.Context, st *models.Store, args []string) error {
			return p.unlessStopped(ctx, p.importModels(ctx, st, o.onlyFor, args[0]))
		})
	imp.Flags().StringVar(&o.onlyFor, "only", "", phrases.HelpModelsOnly.In(p.lang))
	do("remove NAME…", phrases.HelpModelsRemove, cli.AtLeastArgs(1), func(_ context.Context, st *models.Store, args []string) error {
		for _, name := range args {
			if err := st.Remove(name); err != nil {
				return err
			}
			p.say(phrases.ModelsRemoved, name)
		}
		return nil
	})
	return c
}

// listModels prints the manifest with what is here of it.
func (p *program) listModels(st *models.Store, o modelOptions) {
	fmt.Fprintf(p.stdout, "%s\n\n", phrases.ModelsIn.In(p.lang, st.Dir))
	rows := [][]string{heads(phrases.ModelsHeads, p.lang)}
	for _, m := range st.Catalog.Models {
		rows = append(rows, []string{
			m.Name, purpose(m, p.lang), strings.Join(m.Languages, ","), fmt.Sprintf("%d MB", megabytes(m.Size())), fmt.Sprintf("%d MB", m.Memory),
			here(st, m.Name).In(p.lang), m.LicenceIn(p.lang),
		})
	}
	cli.Table(p.stdout, rows)
	fmt.Fprintln(p.stdout)
	for _, b := range st.Catalog.Boards {
		title, note := b.Words(p.lang)
		p.say(phrases.ModelsBoard, b.ID, strings.Join(b.Models, " "), title)
		fmt.Fprintf(p.stdout, "  %s\n", note)
	}
	if o.files {
		p.listFiles(st.Catalog)
	}
}

// heads are the headings of a table.
func heads(row phrases.Phrase, lang string) []string { return strings.Split(row.In(lang), "|") }

// purpose is what m is for, in words.
func purpose(m models.Model, lang string) string {
	words := map[string]phrases.Phrase{
		models.PurposeVAD: phrases.ModelsForVAD, models.PurposeWake: phrases.ModelsForWake, models.PurposeSTT: phrases.ModelsForSTT,
		models.PurposeTTS: phrases.ModelsForTTS, models.PurposeSpeaker: phrases.ModelsForSpeaker,
	}
	if p, ok := words[m.Purpose]; ok {
		return p.In(lang)
	}
	return m.Purpose
}

func megabytes(n int64) int64 { return (n + 999_999) / 1_000_000 }

func here(st *models.Store, name string) phrases.Phrase {
	switch err := st.Whole(name); {
	case err == nil && st.Verified(name):
		return phrases.ModelsHere
	case err == nil:
		return phrases.ModelsUnverified
	case models.Missing(err):
		return phrases.ModelsNotHere
	}
	return phrases.ModelsDamaged
}

// listFiles names what import looks for: packages, or the files in them.
func (p *program) listFiles(c models.Catalog) {
	for _, m := range c.Models {
		fmt.Fprintf(p.stdout, "\n%s\n", m.Name)
		for _, d := range m.Downloads {
			from := d.URL
			if d.NPM != "" {
				from = "npm pack " + d.NPM
			}
			fmt.Fprintf(p.stdout, "  %s\n", from)
			if d.SHA256 != "" {
				fmt.Fprintf(p.stdout, "    sha256 %s\n", d.SHA256)
			}
			for _, f := range d.Files {
				name := f.From
				if f.Optional {
					name = phrases.ModelsOptional.In(p.lang, name)
				}
				fmt.Fprintf(p.stdout, "    %s\n", name)
			}
		}
	}
}

// named are the models that args name; none: all that are installed.
func named(st *models.Store, args []string) ([]string, error) {
	var all []string
	for _, a := range args {
		names, err := st.Catalog.Names(a)
		if err != nil {
			return nil, err
		}
		all = append(all, names...)
	}
	if len(args) == 0 {
		for _, m := range st.Catalog.Models {
			if !models.Missing(st.Whole(m.Name)) {
				all = append(all, m.Name)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// checkModels prints a line for each model; one that is not right is a failure.
func (p *program) checkModels(ctx context.Context, st *models.Store, args []string, run bool) error {
	names, err := named(st, args)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return phrases.Errorf(phrases.ModelsNoneHere, st.Dir)
	}
	var bad []string
	for _, name := range names {
		text := phrases.ModelsWhole.In(p.lang)
		if err := st.Check(name); err != nil {
			bad = append(bad, name)
			text = phrases.Told(err, p.lang)
		} else if !st.Verified(name) {
			text = phrases.ModelsWholeUnverified.In(p.lang)
		}
		fmt.Fprintf(p.stdout, "%-20s %s\n", name, text)
	}
	if run {
		bad = append(bad, p.runModels(ctx, st, names)...)
	}
	if len(bad) > 0 {
		return phrases.Errorf(phrases.ModelsUnusable, strings.Join(slices.Compact(bad), ", "))
	}
	return nil
}

// runModels lets a child load each whole model and prints what it measured: the
// table to send back from a Pi.
func (p *program) runModels(ctx context.Context, st *models.Store, names []string) (bad []string) {
	fmt.Fprintf(p.stdout, "\n%s\n", machine(p.lang))
	rows := [][]string{heads(phrases.ModelsRunHeads, p.lang)}
	for _, name := range names {
		m, _ := st.Catalog.Model(name)
		if st.Whole(name) != nil {
			continue
		}
		f, err := try(ctx, st, m)
		if err != nil {
			bad = append(bad, name)
			rows = append(rows, []string{name, phrases.Told(err, p.lang)})
			continue
		}
		rows = append(rows, []string{name, fmt.Sprint(f.Load.Round(time.Millisecond)), fmt.Sprintf("%.4f", f.RTF), fmt.Sprintf("%d MB", f.Memory)})
	}
	cli.Table(p.stdout, rows)
	return bad
}

// pullModels gets what args name, in their order.
func (p *program) pullModels(ctx context.Context, st *models.Store, args []string, mirror string) error {
	names, err := named(st, args)
	if err != nil {
		return err
	}
	progress := &progress{w: p.stderr, lang: p.lang, terminal: isTerminal(p.stderr)}
	puller := models.Puller{Store: st, Base: mirror, Progress: progress.tell}
	for _, name := range names {
		if st.Check(name) == nil {
			p.say(phrases.ModelsIsHere, name)
			continue
		}
		err := puller.Pull(ctx, name)
		progress.done()
		if err != nil {
			return err
		}
		p.say(phrases.ModelsInstalled, name)
	}
	return nil
}

// unlessStopped is err, or what it means that a person ended the command: what
// was got is kept, and nothing is half installed.
func (p *program) unlessStopped(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return phrases.Errorf(phrases.ModelsStopped)
	}
	return err
}

func (p *program) importModels(ctx context.Context, st *models.Store, only, dir string) error {
	names, err := st.Import(ctx, only, dir)
	for _, name := range names {
		said := phrases.ModelsInstalled
		if !st.Verified(name) {
			said = phrases.ModelsInstalledUnverified
		}
		p.say(said, name)
	}
	return err
}

// progress draws a line that changes on a terminal, and one each tenth elsewhere.
type progress struct {
	w        io.Writer
	lang     string
	terminal bool
	last     time.Time
	tenth    int64
	open     bool
}

func (g *progress) tell(name string, done, total int64) {
	text := phrases.ModelsProgress.In(g.lang, name, float64(done)/1e6)
	tenth := int64(-1)
	if total > 0 {
		text = phrases.ModelsProgressOf.In(g.lang, name, float64(done)/1e6, float64(total)/1e6)
		tenth = done * 10 / total
	}
	switch {
	case g.terminal && time.Since(g.last) > 200*time.Millisecond:
		fmt.Fprintf(g.w, "\r%s   ", text)
		g.open = true
	case !g.terminal && tenth != g.tenth:
		fmt.Fprintln(g.w, text)
	default:
		return
	}
	g.last, g.tenth = time.Now(), tenth
}

func (g *progress) done() {
	if g.open {
		fmt.Fprintln(g.w)
	}
	g.open = false
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
