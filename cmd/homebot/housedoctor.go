package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"homebot/internal/engine"
	"homebot/internal/event"
	"homebot/internal/health"
	"homebot/internal/led"
	"homebot/internal/phrases"
)

// lookWait bounds one question of the doctor.
const lookWait = 5 * time.Second

// fewBytes is the free room below which the doctor says something, in bytes: a
// week of talk and its audio cache.
const fewBytes = 64 << 20

// examineRunning asks the homebot that runs what it knows to be wrong: it has
// been looking all the while.
func (d doctor) examineRunning(ctx context.Context) (all []finding) {
	ctx, cancel := context.WithTimeout(ctx, lookWait)
	defer cancel()
	state, err := engine.Look(ctx, d.cfg.Workspace)
	switch {
	case errors.Is(err, engine.ErrNobody):
		return []finding{d.note(phrases.DoctorRunning, phrases.DoctorNobody)}
	case err != nil:
		return []finding{d.bad(phrases.DoctorRunning, phrases.DoctorMute, err)}
	case len(state.Faults) == 0:
		return []finding{d.ok(phrases.DoctorRunning, phrases.DoctorWell, d.doing(state.Dialogue))}
	}
	known := phrases.Faults(d.lang) // the device may speak the other language
	for _, f := range state.Faults {
		text := cmp.Or(known[f.Text], f.Text)
		all = append(all, d.bad(phrases.DoctorRunning, phrases.DoctorFault, f.Since.Format("15:04:05"), text, f.Code))
	}
	return all
}

// doing is a state of the dialogue in a word. In English it is the state's name,
// as everywhere.
func (d doctor) doing(state event.DialogueState) string {
	words := map[event.DialogueState]phrases.Phrase{
		event.Idle: phrases.ConsolePageStateIdle, event.Listening: phrases.ConsolePageStateListening,
		event.Thinking: phrases.ConsolePageStateThinking, event.Speaking: phrases.ConsolePageStateSpeaking,
		event.Ringing: phrases.ConsolePageStateRinging, event.Muted: phrases.ConsolePageStateMuted,
	}
	if word := words[state].ZH; d.lang == phrases.Chinese && word != "" {
		return word
	}
	return string(state)
}

// examineRoom tells how much room the disk has.
func (d doctor) examineRoom() finding {
	free, readOnly, err := health.Room(d.cfg.Workspace)
	mb := free >> 20
	switch {
	case errors.Is(err, os.ErrNotExist):
		return d.note(phrases.DoctorDisk, phrases.DoctorNoWorkspace)
	case err != nil:
		return d.finding(phrases.DoctorBad, phrases.DoctorDisk, err)
	case readOnly:
		return d.bad(phrases.DoctorDisk, phrases.DoctorReadOnly)
	case free < health.DiskRoom:
		return d.bad(phrases.DoctorDisk, phrases.DoctorFull, mb)
	case free < fewBytes:
		return d.note(phrases.DoctorDisk, phrases.DoctorRoom, mb)
	}
	return d.ok(phrases.DoctorDisk, phrases.DoctorRoom, mb)
}

// examineClock tells whether the time can be trusted.
func (d doctor) examineClock() finding {
	c := health.Clock{Built: built(), Synchronised: synchronised}
	now := time.Now().Format("2006-01-02 15:04 MST")
	switch {
	case c.Wrong():
		return d.bad(phrases.DoctorClock, phrases.DoctorClockUnset, now)
	case !synchronised():
		return d.note(phrases.DoctorClock, phrases.DoctorClockAlone, now)
	}
	return d.named(phrases.DoctorClock, now)
}

// examineNetwork tells whether this machine is on a network at all.
func (d doctor) examineNetwork() finding {
	if health.Online() {
		return d.ok(phrases.DoctorNetwork, phrases.DoctorRoute)
	}
	return d.bad(phrases.DoctorNetwork, phrases.DoctorNoNetwork)
}

// examineModel asks for the list of models, which costs nothing. It does not call
// the model.
func (d doctor) examineModel(ctx context.Context) finding {
	llm := d.cfg.LLM
	if !llm.Configured() {
		return d.note(phrases.DoctorModel, phrases.DoctorNoModel)
	}
	what := phrases.DoctorModelAt.In(d.lang, llm.Model, llm.BaseURL)
	ctx, cancel := context.WithTimeout(ctx, lookWait)
	defer cancel()
	r := health.Reach{BaseURL: llm.BaseURL, Model: llm.Model, Key: llm.APIKey.Reveal()}
	status, listed, err := r.Look(ctx)
	switch {
	case err != nil:
		return d.bad(phrases.DoctorModel, phrases.DoctorModelGone, what)
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return d.bad(phrases.DoctorModel, phrases.DoctorModelKey, what)
	case status >= 500:
		return d.bad(phrases.DoctorModel, phrases.DoctorModelTrouble, what, status)
	case status != http.StatusOK:
		return d.ok(phrases.DoctorModel, phrases.DoctorModelNoList, what)
	case !listed:
		return d.note(phrases.DoctorModel, phrases.DoctorModelUnlisted, what)
	}
	return d.ok(phrases.DoctorModel, phrases.DoctorModelWell, what)
}

// examineSpeechHealth asks a speech server whether it can really hear and speak.
func (d doctor) examineSpeechHealth(ctx context.Context) finding {
	ctx, cancel := context.WithTimeout(ctx, 3*lookWait) // it may have to load a model for the answer
	defer cancel()
	var said struct {
		Status, Engine, Error string
		Languages             []string
	}
	base := d.cfg.Speech.URL
	err := getJSON(ctx, strings.TrimSuffix(strings.TrimRight(base, "/"), "/v1")+"/healthz", &said)
	switch {
	case err != nil:
		return d.bad(phrases.DoctorSpeech, phrases.DoctorSpeechGone, base, err)
	case said.Status == "ok":
		return d.ok(phrases.DoctorSpeech, phrases.DoctorSpeechHears, base, said.Engine, strings.Join(said.Languages, ", "))
	}
	return d.bad(phrases.DoctorSpeech, phrases.DoctorSpeechIs, base, said.Status, said.Error)
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
func (d doctor) examineSoundServer() finding {
	path := strings.TrimPrefix(d.getenv("PULSE_SERVER"), "unix:")
	if path == "" {
		path = filepath.Join(d.getenv("XDG_RUNTIME_DIR"), "pulse", "native")
	}
	if !filepath.IsAbs(path) {
		return d.note(phrases.DoctorSoundServer, phrases.DoctorServerUnknown)
	}
	c, err := net.DialTimeout("unix", path, lookWait)
	switch {
	case errors.Is(err, os.ErrNotExist) && d.getenv("PULSE_SERVER") == "":
		return d.note(phrases.DoctorSoundServer, phrases.DoctorServerNone)
	case err != nil:
		return d.bad(phrases.DoctorSoundServer, phrases.DoctorServerGone, path)
	}
	_ = c.Close()
	return d.ok(phrases.DoctorSoundServer, phrases.DoctorServerAnswers, path)
}

// examineButtons looks for the lines of the buttons.
func (d doctor) examineButtons() (all []finding) {
	for _, b := range []struct{ key, line string }{{"mute_pin", d.cfg.LED.MutePin}, {"stop_pin", d.cfg.LED.StopPin}} {
		if b.line == "" {
			continue
		}
		f := d.ok(phrases.DoctorButton, phrases.DoctorButtonOn, b.key, b.line)
		if _, err := led.OpenButton(b.line, b.key, nil, slog.New(slog.DiscardHandler)); err != nil {
			f = d.finding(phrases.DoctorBad, phrases.DoctorButton, err)
		}
		all = append(all, f)
	}
	return all
}

// examineServices tells what systemd knows of homebot's services: whether they
// run, whether their watchdog is fed, how often they had to be started again.
func (d doctor) examineServices(ctx context.Context) (all []finding) {
	if _, err := exec.LookPath("systemctl"); err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookWait)
	defer cancel()
	for _, unit := range []string{"homebot.service", "homebot-speech.service"} {
		out, err := exec.CommandContext(ctx, "systemctl", "show", unit,
			"--property=LoadState,ActiveState,WatchdogUSec,NRestarts,StatusText").Output()
		if f, ok := d.unitFinding(unit, string(out)); err == nil && ok {
			all = append(all, f)
		}
	}
	return all
}

// unitFinding reads `systemctl show`; ok is false for a unit that is not installed.
func (d doctor) unitFinding(unit, shown string) (f finding, ok bool) {
	is := map[string]string{}
	for line := range strings.Lines(shown) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		is[key] = value
	}
	if is["LoadState"] != "loaded" {
		return finding{}, false
	}
	says, args := phrases.DoctorUnit, []any{is["ActiveState"], is["NRestarts"], is["WatchdogUSec"]}
	if is["StatusText"] != "" {
		says, args = phrases.DoctorUnitSays, append(args, is["StatusText"])
	}
	f = finding{phrases.DoctorOK, unit, says.In(d.lang, args...)}
	switch {
	case is["ActiveState"] != "active":
		f.level, f.text = phrases.DoctorBad, phrases.DoctorUnitDown.In(d.lang, f.text, unit)
	case is["WatchdogUSec"] == "0" || is["WatchdogUSec"] == "infinity":
		f.level, f.text = phrases.DoctorNote, phrases.DoctorUnitUnwatched.In(d.lang, f.text)
	}
	return f, true
}
