package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"homebot/internal/config"
	"homebot/internal/engine"
	"homebot/internal/health"
	"homebot/internal/led"
)

// lookWait bounds one question of the doctor.
const lookWait = 5 * time.Second

// fewBytes is the free room below which the doctor says something, in bytes: a
// week of talk and its audio cache.
const fewBytes = 64 << 20

// examineRunning asks the homebot that runs what it knows to be wrong: it has
// been looking all the while.
func examineRunning(ctx context.Context, cfg config.Config) (all []finding) {
	ctx, cancel := context.WithTimeout(ctx, lookWait)
	defer cancel()
	state, err := engine.Look(ctx, cfg.Workspace)
	switch {
	case errors.Is(err, engine.ErrNobody):
		return []finding{{"note", "running", "no homebot runs in this workspace; what it would see is looked at here"}}
	case err != nil:
		return []finding{{"BAD", "running", fmt.Sprintf("homebot does not answer on its socket: %v; start it again", err)}}
	case len(state.Faults) == 0:
		return []finding{{"ok", "running", fmt.Sprintf("homebot is %s and knows of nothing wrong", state.Dialogue)}}
	}
	for _, f := range state.Faults {
		all = append(all, finding{"BAD", "running", fmt.Sprintf("since %s: %s (%s)", f.Since.Format("15:04:05"), f.Text, f.Code)})
	}
	return all
}

// examineRoom tells how much room the disk has.
func examineRoom(cfg config.Config) finding {
	free, readOnly, err := health.Room(cfg.Workspace)
	what := fmt.Sprintf("%d MB free", free>>20)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return finding{"note", "disk", "there is no workspace yet; it is made at the first start"}
	case err != nil:
		return finding{"BAD", "disk", err.Error()}
	case readOnly:
		return finding{"BAD", "disk", "mounted read-only, mostly after an error of the card; dmesg tells, and another card helps"}
	case free < health.DiskRoom:
		return finding{"BAD", "disk", what + ": full; make some room (cache/ in the workspace may always go)"}
	case free < fewBytes:
		return finding{"note", "disk", what}
	}
	return finding{"ok", "disk", what}
}

// examineClock tells whether the time can be trusted.
func examineClock() finding {
	c := health.Clock{Built: built(), Synchronised: synchronised}
	now := time.Now().Format("2006-01-02 15:04 MST")
	switch {
	case c.Wrong():
		return finding{"BAD", "clock", now + " was never set since the power came, so alarms may be wrong; check the network (timedatectl shows the time service)"}
	case !synchronised():
		return finding{"note", "clock", now + "; nobody sets it from the network"}
	}
	return finding{"ok", "clock", now}
}

// examineNetwork tells whether this machine is on a network at all.
func examineNetwork() finding {
	if health.Online() {
		return finding{"ok", "network", "there is a default route"}
	}
	return finding{"BAD", "network", "this machine is on no network; check Wi-Fi or the cable ([system] wifi_ssid on the appliance)"}
}

// examineModel asks for the list of models, which costs nothing. It does not call
// the model.
func examineModel(ctx context.Context, cfg config.Config) finding {
	if !cfg.LLM.Configured() {
		return finding{"note", "model", "none configured; only the offline answers work. Set OPENAI_API_KEY, or [llm] base_url and model"}
	}
	what := fmt.Sprintf("%s at %s", cfg.LLM.Model, cfg.LLM.BaseURL)
	ctx, cancel := context.WithTimeout(ctx, lookWait)
	defer cancel()
	r := health.Reach{BaseURL: cfg.LLM.BaseURL, Model: cfg.LLM.Model, Key: cfg.LLM.APIKey.Reveal()}
	status, listed, err := r.Look(ctx)
	switch {
	case err != nil:
		return finding{"BAD", "model", what + " cannot be reached; check the network and [llm] base_url"}
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return finding{"BAD", "model", what + " refuses the key; check OPENAI_API_KEY or [llm] api_key"}
	case status >= 500:
		return finding{"BAD", "model", fmt.Sprintf("%s answers with status %d; its server is in trouble", what, status)}
	case status != http.StatusOK:
		return finding{"ok", "model", what + " answers (it has no list of models: key and name were not tried)"}
	case !listed:
		return finding{"note", "model", what + " answers, and its list of models lacks that name; check [llm] model"}
	}
	return finding{"ok", "model", what + " takes the key and has the model"}
}

// examineSpeechHealth asks a speech server whether it can really hear and speak.
func examineSpeechHealth(ctx context.Context, base string) finding {
	ctx, cancel := context.WithTimeout(ctx, 3*lookWait) // it may have to load a model for the answer
	defer cancel()
	var said struct {
		Status, Engine, Error string
		Languages             []string
	}
	err := getJSON(ctx, strings.TrimSuffix(strings.TrimRight(base, "/"), "/v1")+"/healthz", &said)
	switch {
	case err != nil:
		return finding{"BAD", "speech", fmt.Sprintf("the server %s does not answer: %v; start it, or correct [speech] url", base, err)}
	case said.Status == "ok":
		return finding{"ok", "speech", fmt.Sprintf("server %s: %s hears %s", base, said.Engine, strings.Join(said.Languages, ", "))}
	}
	return finding{"BAD", "speech", fmt.Sprintf("server %s is %s: %s", base, said.Status, said.Error)}
}

func getJSON(ctx context.Context, url string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(into)
}

// examineSoundServer tells which sound server is between homebot and the card.
func examineSoundServer(getenv func(string) string) finding {
	path := strings.TrimPrefix(getenv("PULSE_SERVER"), "unix:")
	if path == "" {
		path = filepath.Join(getenv("XDG_RUNTIME_DIR"), "pulse", "native")
	}
	if !filepath.IsAbs(path) {
		return finding{"note", "sound server", "none that is known here; ALSA is used as it is"}
	}
	c, err := net.DialTimeout("unix", path, lookWait)
	switch {
	case errors.Is(err, os.ErrNotExist) && getenv("PULSE_SERVER") == "":
		return finding{"note", "sound server", "none; ALSA is used as it is"}
	case err != nil:
		return finding{"BAD", "sound server", fmt.Sprintf("%s does not answer; start PipeWire or PulseAudio again", path)}
	}
	_ = c.Close()
	return finding{"ok", "sound server", "answers at " + path}
}

// examineButtons looks for the lines of the buttons.
func examineButtons(cfg config.LED) (all []finding) {
	for _, b := range []struct{ key, line string }{{"mute_pin", cfg.MutePin}, {"stop_pin", cfg.StopPin}} {
		if b.line == "" {
			continue
		}
		f := finding{"ok", "button", b.key + " on " + b.line}
		if _, err := led.OpenButton(b.line, b.key, nil, slog.New(slog.DiscardHandler)); err != nil {
			f = finding{"BAD", "button", err.Error()}
		}
		all = append(all, f)
	}
	return all
}

// examineServices tells what systemd knows of homebot's services: whether they
// run, whether their watchdog is fed, how often they had to be started again.
func examineServices(ctx context.Context) (all []finding) {
	if _, err := exec.LookPath("systemctl"); err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookWait)
	defer cancel()
	for _, unit := range []string{"homebot.service", "homebot-speech.service"} {
		out, err := exec.CommandContext(ctx, "systemctl", "show", unit,
			"--property=LoadState,ActiveState,WatchdogUSec,NRestarts,StatusText").Output()
		if f, ok := unitFinding(unit, string(out)); err == nil && ok {
			all = append(all, f)
		}
	}
	return all
}

// unitFinding reads `systemctl show`; ok is false for a unit that is not installed.
func unitFinding(unit, shown string) (f finding, ok bool) {
	is := map[string]string{}
	for line := range strings.Lines(shown) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		is[key] = value
	}
	if is["LoadState"] != "loaded" {
		return finding{}, false
	}
	what := fmt.Sprintf("%s, started again %s times, watchdog %s", is["ActiveState"], is["NRestarts"], is["WatchdogUSec"])
	if is["StatusText"] != "" {
		what += ": " + is["StatusText"]
	}
	level := "ok"
	switch {
	case is["ActiveState"] != "active":
		level, what = "BAD", what+"; journalctl -u "+unit+" tells why"
	case is["WatchdogUSec"] == "0" || is["WatchdogUSec"] == "infinity":
		level, what = "note", what+"; it has none, WatchdogSec= in the unit sets it"
	}
	return finding{level, unit, what}, true
}
