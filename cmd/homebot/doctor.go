package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"homebot/internal/cli"
	"homebot/internal/config"
	"homebot/internal/engine"
	"homebot/internal/led"
	"homebot/internal/phrases"
)

func (a *app) doctorCommand() *cobra.Command {
	var codes bool
	c := &cobra.Command{
		Use: "doctor", Short: phrases.HelpDoctor.In(a.lang), Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, err := a.config()
			if codes { // the configuration's mistakes are doctor's to tell, not this table's
				printLightCodes(a.stdout, a.lang)
				return nil
			}
			bad := printFindings(a.stdout, doctor{a, cfg}.examine(c.Context(), err), a.lang)
			if bad > 0 {
				return cli.ErrSilent
			}
			return nil
		},
	}
	c.Flags().BoolVar(&codes, "light-codes", false, phrases.HelpDoctorLightCodes.In(a.lang))
	return c
}

// A finding is one line of the doctor: ok, a note, or what is wrong with the way
// out.
type finding struct {
	level phrases.Phrase // phrases.DoctorOK, DoctorNote or DoctorBad
	what  string
	text  string
}

func printFindings(w io.Writer, all []finding, lang string) (bad int) {
	for _, f := range all {
		fmt.Fprintf(w, "%s %s %s\n", cli.Pad(f.level.In(lang), 5), cli.Pad(f.what, 12), f.text)
		if f.level == phrases.DoctorBad {
			bad++
		}
	}
	return bad
}

// doctor looks at what homebot needs, and tells it in the language of the
// terminal.
type doctor struct {
	*app
	cfg config.Config
}

// ok, note and bad are findings about what, in a sentence.
func (d doctor) ok(what, says phrases.Phrase, args ...any) finding {
	return d.finding(phrases.DoctorOK, what, phrases.Errorf(says, args...))
}

func (d doctor) note(what, says phrases.Phrase, args ...any) finding {
	return d.finding(phrases.DoctorNote, what, phrases.Errorf(says, args...))
}

func (d doctor) bad(what, says phrases.Phrase, args ...any) finding {
	return d.finding(phrases.DoctorBad, what, phrases.Errorf(says, args...))
}

func (d doctor) finding(level, what phrases.Phrase, err error) finding {
	return finding{level, what.In(d.lang), phrases.Told(err, d.lang)}
}

// named is a finding with nothing to say but the name of what is well.
func (d doctor) named(what phrases.Phrase, name string) finding {
	return finding{phrases.DoctorOK, what.In(d.lang), name}
}

// examine looks at everything; wrong is what is wrong with the configuration.
func (d doctor) examine(ctx context.Context, wrong error) []finding {
	all := append(d.examineConfig(wrong), d.examineSecrets()...)
	if d.cfg.Workspace == "" {
		return all
	}
	all = append(all, d.examineRunning(ctx)...)
	all = append(all, d.examineWorkspace(), d.examineRoom(), d.examineClock(), d.examineNetwork(), d.examineModel(ctx))
	all = append(all, d.examineModes()...)
	all = append(all, d.examineLight(), d.examineStateLight())
	all = append(all, d.examineButtons()...)
	all = append(all, d.examineSound(ctx)...)
	return append(all, d.examineServices(ctx)...)
}

// examineConfig lists the mistakes; what was right of the file is in force for
// the other findings. It tells, too, who else may read the secrets in it.
func (d doctor) examineConfig(wrong error) (all []finding) {
	var found config.Problems
	switch {
	case errors.As(wrong, &found):
		for _, p := range found {
			all = append(all, finding{phrases.DoctorBad, phrases.DoctorConfig.In(d.lang), p.In(d.lang)})
		}
	case wrong != nil:
		all = []finding{d.finding(phrases.DoctorBad, phrases.DoctorConfig, wrong)}
	}
	path := d.cfg.Path
	_, err := os.Stat(path)
	switch {
	case d.cfg.HoldsSecret() && everybodyReads(path):
		return append(all, d.bad(phrases.DoctorConfig, phrases.DoctorOpenConfig, path, path))
	case wrong != nil:
		return all
	case err != nil:
		return []finding{d.note(phrases.DoctorConfig, phrases.DoctorNoFile, path)}
	}
	return []finding{d.named(phrases.DoctorConfig, path)}
}

// everybodyReads reports whether a file is there and open to all users of the
// machine.
func everybodyReads(path string) bool {
	const others = 0o004
	info, err := os.Stat(path)
	return err == nil && info.Mode()&others != 0
}

// examineSecrets tells who else may read the file of secrets. Without one there
// is nothing to tell.
func (d doctor) examineSecrets() []finding {
	path := d.cfg.Secrets
	if _, err := os.Stat(path); err != nil {
		return nil // none, or its mistake is the configuration's
	}
	if everybodyReads(path) {
		return []finding{d.bad(phrases.DoctorSecrets, phrases.DoctorOpenSecrets, path, path)}
	}
	return []finding{d.named(phrases.DoctorSecrets, path)}
}

// examineWorkspace writes a file and takes it away again, unless an engine is
// alive, which would have noticed.
func (d doctor) examineWorkspace() finding {
	dir := d.cfg.Workspace
	lock, err := engine.Acquire(dir)
	if errors.Is(err, engine.ErrHeld) {
		return d.named(phrases.DoctorWorkspace, dir+": "+phrases.Told(err, d.lang))
	}
	if err != nil {
		return d.finding(phrases.DoctorBad, phrases.DoctorWorkspace, err)
	}
	defer lock.Release()
	probe := filepath.Join(dir, ".doctor")
	if err := os.WriteFile(probe, []byte("x"), 0o600); err != nil {
		return d.bad(phrases.DoctorWorkspace, phrases.DoctorNotWritten, err)
	}
	_ = os.Remove(probe)
	return d.ok(phrases.DoctorWorkspace, phrases.DoctorWritable, dir)
}

func (d doctor) examineModes() []finding {
	cat := newRegistry(d.cfg, slog.New(slog.DiscardHandler)).Scan()
	all := []finding{d.ok(phrases.DoctorModes, phrases.DoctorUsable, len(cat.Modes))}
	for _, b := range cat.Broken {
		all = append(all, finding{phrases.DoctorBad, phrases.DoctorModes.In(d.lang), b.In(d.lang)})
	}
	return all
}

func (d doctor) examineLight() finding {
	pin := d.cfg.LED.ModePin
	light, err := led.Open(pin, d.cfg.LED.ModeActiveLow)
	if err == nil {
		err = light.Halt()
	}
	switch {
	case errors.Is(err, led.ErrNoPin):
		return d.note(phrases.DoctorLight, phrases.DoctorNoPin, pin)
	case err != nil:
		return d.finding(phrases.DoctorBad, phrases.DoctorLight, err)
	case pin == "":
		return d.note(phrases.DoctorLight, phrases.DoctorNoLight)
	}
	return d.named(phrases.DoctorLight, pin)
}
