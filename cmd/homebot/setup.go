package main

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"homebot/internal/cli"
	"homebot/internal/config"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/internal/setup"
	"homebot/internal/store"
	"homebot/voice"
)

// setupOptions are the flags of setup.
type setupOptions struct{ boot, data, run, root, user string }

func (a *app) setupCommand() *cobra.Command {
	var o setupOptions
	c := &cobra.Command{
		Use: "setup", Short: phrases.HelpSetup.In(a.lang), Args: cli.NoArgs, Hidden: true,
		Long: a.lines(phrases.HelpSetupReads, phrases.HelpSetupSets),
		RunE: func(*cobra.Command, []string) error { return a.setup(o) },
	}
	c.Flags().StringVar(&o.boot, "boot", "/boot/firmware", phrases.HelpSetupBoot.In(a.lang))
	c.Flags().StringVar(&o.data, "data", "/data", phrases.HelpSetupData.In(a.lang))
	c.Flags().StringVar(&o.run, "run", "/run/homebot-setup", phrases.HelpSetupRun.In(a.lang))
	c.Flags().StringVar(&o.root, "root", "/", phrases.HelpSetupRoot.In(a.lang))
	c.Flags().StringVar(&o.user, "user", "homebot", phrases.HelpSetupUser.In(a.lang))
	return c
}

// setup fails only when the services would not get their configuration: nothing a
// person wrote on the card is a failure of the machine.
func (a *app) setup(o setupOptions) error {
	log := a.logger(slog.LevelInfo)
	r := setup.Prepare(setup.Config{
		FS: store.OS(), Boot: o.boot, Data: filepath.Join(o.data, "system"),
		Writable: func() (func(), error) { return writable(o.boot) }, Log: log,
	})
	cfg, _ := config.ReadAnyway(setup.ConfigName, r.File, nil)
	a.lang = cfg.System.Language // there is no terminal
	uid, gid := idsOf(o.user)
	r.Problems = append(r.Problems, a.cardOrders(o, uid, gid)...)
	for _, p := range r.Problems {
		fmt.Fprintln(a.stderr, p.In(a.lang))
	}
	m := setup.Machine{Root: o.root, Run: o.run, UID: uid, GID: gid}
	if o.root == "/" {
		m.SetHostname = func(name string) error { return unix.Sethostname([]byte(name)) }
	}
	err := errors.Join(m.Apply(r), m.Give(runSpeech, speechEnvironment(r)))
	fmt.Fprintf(a.stdout, "setup: %s; time zone %s; Wi-Fi networks: %d\n", r.System.Hostname, orUnset(r.System.Timezone), len(r.System.Networks))
	return err
}

// What homebot-speech.service reads, and where it finds its models.
const (
	runSpeech    = "speech.env"
	speechModels = "/run/homebot-models"
)

// speechEnvironment is an EnvironmentFile of systemd with the flags and secrets of
// homebot-speech.
func speechEnvironment(r setup.Result) []byte {
	cfg, _ := config.ReadAnyway(setup.ConfigName, r.File, r.Secrets)
	cfg.Workspace = "/data/homebot"
	var b bytes.Buffer
	line := func(name, value string) {
		fmt.Fprintf(&b, "%s=\"%s\"\n", name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value))
	}
	line("HOMEBOT_SPEECH_FLAGS", strings.Join(speechFlags(cfg, speechModels), " "))
	for _, secret := range speechSecrets(cfg) {
		name, value, _ := strings.Cut(secret, "=")
		line(name, value)
	}
	line("LC_ALL", locale(cfg.System.Language))
	return b.Bytes()
}

func orUnset(s string) string {
	if s == "" {
		return "as it was"
	}
	return s
}

// idsOf a user; -1 where there is no such user: then root keeps the files.
func idsOf(name string) (uid, gid int) {
	u, err := user.Lookup(name)
	if err != nil {
		return -1, -1
	}
	uid, err1 := strconv.Atoi(u.Uid)
	gid, err2 := strconv.Atoi(u.Gid)
	if errors.Join(err1, err2) != nil {
		return -1, -1
	}
	return uid, gid
}

// writable mounts a read-only file system for writing until done is called.
func writable(dir string) (done func(), err error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return nil, err
	}
	if fs.Flags&unix.ST_RDONLY == 0 {
		return func() {}, nil
	}
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT, ""); err != nil {
		return nil, err
	}
	return func() { _ = unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, "") }, nil
}

// applianceConfig is the configuration of a device that must start: what is right
// of it, and what was wrong with it.
func (a *app) applianceConfig() (config.Config, config.Problems, error) {
	cfg, problems := config.LoadAnyway(a.configPath, config.WithoutLocale(a.env()))
	if cfg.Workspace == "" {
		return cfg, nil, problems
	}
	problems = append(setup.ReadReport(filepath.Dir(cfg.Path)), problems...)
	var more config.Problems
	if err := a.checkWake(cfg); errors.As(err, &more) {
		problems = append(problems, more...)
		cfg.Speech.URL = ""
	}
	for _, p := range problems {
		fmt.Fprintln(a.stderr, p.In(cfg.System.Language))
	}
	return cfg, problems, nil
}

// standing is what is said of mistakes in the configuration; nothing where there
// are none.
func standing(problems config.Problems) []voice.Standing {
	if len(problems) == 0 {
		return nil
	}
	say := phrases.ConfigMistake
	for _, p := range problems {
		if p.Line == 0 {
			continue
		}
		about, args := phrases.ConfigMistakeAt, []any{filepath.Base(p.File), p.Line}
		if n := len(problems) - 1; n > 0 {
			about, args = phrases.ConfigMistakesAt, append(args, n)
		}
		say = phrases.Phrase{ZH: about.In(phrases.Chinese, args...), EN: about.In(phrases.English, args...)}
		break
	}
	return []voice.Standing{{Code: event.FaultConfig, Say: say}}
}
