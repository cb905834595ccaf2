package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

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
		Use:   "models",
		Short: "List, check, pull, import and remove speech models",
		RunE: func(*cobra.Command, []string) error {
			return fmt.Errorf("say what to do with models: list, check, pull, import or remove")
		},
	}
	c.PersistentFlags().StringVar(&o.dir, "models", "", "directory of speech models (default $HOMEBOT_MODELS, or models in the workspace)")
	do := func(use, short string, args cobra.PositionalArgs, f func(ctx context.Context, st *models.Store, args []string) error) *cobra.Command {
		sub := &cobra.Command{Use: use, Short: short, Args: args, RunE: func(cmd *cobra.Command, args []string) error {
			p.began = true
			st, err := models.Open(p.modelsDir(o.dir))
			if err != nil {
				return err
			}
			return f(cmd.Context(), st, args)
		}}
		c.AddCommand(sub)
		return sub
	}
	list := do("list", "Show the models there are, and which are here", cobra.NoArgs,
		func(_ context.Context, st *models.Store, _ []string) error { return p.listModels(st, o) })
	list.Flags().BoolVar(&o.files, "files", false, "show the files each model needs, for import")
	check := do("check [NAME…]", "Read every file of the installed models and compare checksums", cobra.ArbitraryArgs,
		func(ctx context.Context, st *models.Store, args []string) error {
			return p.checkModels(ctx, st, args, o.run)
		})
	check.Flags().BoolVar(&o.run, "run", false, "load each model too, let it work, and print a table of figures")
	pull := do("pull NAME…", "Get models; NAME is a model or a board's set, such as pi-4", cobra.MinimumNArgs(1),
		func(ctx context.Context, st *models.Store, args []string) error {
			return p.unlessStopped(ctx, p.pullModels(ctx, st, args, o.mirror))
		})
	pull.Flags().StringVar(&o.mirror, "mirror", "", "URL of a directory that holds the packages, instead of where they are published")
	imp := do("import DIR", "Take models from a directory, for a machine without a network", cobra.ExactArgs(1),
		func(ctx context.Context, st *models.Store, args []string) error {
			return p.unlessStopped(ctx, p.importModels(ctx, st, o.onlyFor, args[0]))
		})
	imp.Flags().StringVar(&o.onlyFor, "only", "", "the one model to take")
	do("remove NAME…", "Remove models", cobra.MinimumNArgs(1), func(_ context.Context, st *models.Store, args []string) error {
		for _, name := range args {
			if err := st.Remove(name); err != nil {
				return err
			}
			fmt.Fprintf(p.stdout, "%s removed\n", name)
		}
		return nil
	})
	return c
}

// listModels prints the manifest with what is here of it.
func (p *program) listModels(st *models.Store, o modelOptions) error {
	fmt.Fprintf(p.stdout, "models in %s\n\n", st.Dir)
	w := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tFOR\tLANGUAGES\tDOWNLOAD\tMEMORY\tHERE\tLICENCE")
	for _, m := range st.Catalog.Models {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d MB\t%d MB\t%s\t%s\n", m.Name, m.Purpose, strings.Join(m.Languages, ","),
			megabytes(m.Size()), m.Memory, here(st, m.Name), m.Licence)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(p.stdout)
	for _, b := range st.Catalog.Boards {
		fmt.Fprintf(p.stdout, "pi-%s: %s, %s\n  %s\n", b.ID, strings.Join(b.Models, " "), b.Title, b.Note)
	}
	if o.files {
		listFiles(p.stdout, st.Catalog)
	}
	return nil
}

func megabytes(n int64) int64 { return (n + 999_999) / 1_000_000 }

func here(st *models.Store, name string) string {
	switch err := st.Whole(name); {
	case err == nil && st.Verified(name):
		return "yes"
	case err == nil:
		return "yes, unverified"
	case models.Missing(err):
		return "no"
	}
	return "damaged"
}

// listFiles names what import looks for: packages, or the files in them.
func listFiles(w io.Writer, c models.Catalog) {
	for _, m := range c.Models {
		fmt.Fprintf(w, "\n%s\n", m.Name)
		for _, d := range m.Downloads {
			from := d.URL
			if d.NPM != "" {
				from = "npm pack " + d.NPM
			}
			fmt.Fprintf(w, "  %s\n", from)
			if d.SHA256 != "" {
				fmt.Fprintf(w, "    sha256 %s\n", d.SHA256)
			}
			for _, f := range d.Files {
				note := ""
				if f.Optional {
					note = " (may be missing)"
				}
				fmt.Fprintf(w, "    %s%s\n", f.From, note)
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
		return fmt.Errorf("no model is installed in %s: homebot-speech models pull pi-4 gets those for a Raspberry Pi 4", st.Dir)
	}
	var bad []string
	for _, name := range names {
		text := "whole"
		if err := st.Check(name); err != nil {
			bad = append(bad, name)
			text = err.Error()
		} else if !st.Verified(name) {
			text = "whole, as it was installed; no published checksum covers all of it"
		}
		fmt.Fprintf(p.stdout, "%-20s %s\n", name, text)
	}
	if run {
		bad = append(bad, p.runModels(ctx, st, names)...)
	}
	if len(bad) > 0 {
		return fmt.Errorf("not usable: %s", strings.Join(slices.Compact(bad), ", "))
	}
	return nil
}

// runModels lets a child load each whole model and prints what it measured: the
// table to send back from a Pi.
func (p *program) runModels(ctx context.Context, st *models.Store, names []string) (bad []string) {
	fmt.Fprintf(p.stdout, "\n%s\n", machine())
	w := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "MODEL\tLOAD\tRTF\tPEAK MEMORY\t")
	for _, name := range names {
		m, _ := st.Catalog.Model(name)
		if st.Whole(name) != nil {
			continue
		}
		f, err := try(ctx, st, m)
		if err != nil {
			bad = append(bad, name)
			fmt.Fprintf(w, "%s\t%v\n", name, err)
			continue
		}
		fmt.Fprintf(w, "%s\t%v\t%.4f\t%d MB\t\n", name, f.Load.Round(time.Millisecond), f.RTF, f.Memory)
	}
	_ = w.Flush()
	return bad
}

// pullModels gets what args name, in their order.
func (p *program) pullModels(ctx context.Context, st *models.Store, args []string, mirror string) error {
	names, err := named(st, args)
	if err != nil {
		return err
	}
	progress := &progress{w: p.stderr, terminal: isTerminal(p.stderr)}
	puller := models.Puller{Store: st, Base: mirror, Progress: progress.tell}
	for _, name := range names {
		if st.Check(name) == nil {
			fmt.Fprintf(p.stdout, "%s is here\n", name)
			continue
		}
		err := puller.Pull(ctx, name)
		progress.done()
		if err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "%s installed\n", name)
	}
	return nil
}

// unlessStopped is err, or what it means that a person ended the command: what
// was got is kept, and nothing is half installed.
func (p *program) unlessStopped(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errors.New(phrases.ModelsStopped.In(p.lang()))
	}
	return err
}

func (p *program) importModels(ctx context.Context, st *models.Store, only, dir string) error {
	names, err := st.Import(ctx, only, dir)
	for _, name := range names {
		fmt.Fprintf(p.stdout, "%s installed%s\n", name, map[bool]string{false: ", unverified: no published checksum covers its files"}[st.Verified(name)])
	}
	return err
}

// progress draws a line that changes on a terminal, and one each tenth elsewhere.
type progress struct {
	w        io.Writer
	terminal bool
	last     time.Time
	tenth    int64
	open     bool
}

func (g *progress) tell(name string, done, total int64) {
	text := fmt.Sprintf("%s  %.1f MB", name, float64(done)/1e6)
	tenth := int64(-1)
	if total > 0 {
		text += fmt.Sprintf(" of %.1f MB", float64(total)/1e6)
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
