package agent

import (
	"errors"
	"io/fs"
	"path/filepath"

	"homebot/internal/contextmode"
	"homebot/internal/store"
)

// cutFile is the log of cut records beside a mode session's dialogue; a normal
// session's has its chat id in front.
const cutFile = "context.jsonl"

// readCuts reads the cut records at path. A log that cannot be read is told, and
// counts as empty: the whole conversation is then shown, which loses nothing.
func (a *Agent) readCuts(path string) []contextmode.Cut {
	lines, report, err := store.ReadLog(a.cfg.FS, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	cuts, bad := contextmode.ParseCuts(lines)
	if err != nil || bad+report.Bad > 0 {
		a.cfg.Logger.Warn("cut records", "path", path, "passed_over", bad+report.Bad, "err", err)
	}
	return cuts
}

// appendCut makes a cut durable and puts it in force. After false nothing has
// changed: the request goes out as it would have without.
func (t *turn) appendCut(c contextmode.Cut) bool {
	if err := t.writeCut(t.view.cutPath, c); err != nil {
		t.cfg.Logger.Error("cut not saved", "turn", t.ID, "err", err)
		return false
	}
	t.view.cuts = append(t.view.cuts[:len(t.view.cuts):len(t.view.cuts)], c)
	t.view.made++
	return true
}

// writeCut appends one record; nil means that it is durable.
func (a *Agent) writeCut(path string, c contextmode.Cut) error {
	line, err := contextmode.MarshalCut(c)
	if err != nil {
		return err
	}
	if err := store.MkdirAll(a.cfg.FS, filepath.Dir(path), 0o700); err != nil {
		return err
	}
	log, _, err := store.OpenLog(a.cfg.FS, path)
	if err != nil {
		return err
	}
	if err := errors.Join(log.Append(line), log.Close()); err != nil {
		return err
	}
	a.cfg.Logger.Info("cut", "path", path, "reason", c.Reason, "from", c.From, "to", c.To, "turns", c.Cut,
		"profile", c.Profile, "table", c.Table, "estimate", c.Estimate, "blocks", len(c.Blocks), "facts", len(c.Facts))
	return nil
}
