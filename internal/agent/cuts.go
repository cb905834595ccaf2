package agent

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"homebot/internal/contextmode"
	"homebot/internal/store"
)

// cutFile is the log of cut records beside a mode session's dialogue; a normal
// session's has its chat id in front.
const cutFile = "context.jsonl"

// readCuts reads the cut records at path, which are of log. A file that cannot be
// read is told, and counts as empty: the whole conversation is then shown, which
// loses nothing.
func (a *Agent) readCuts(path string, log []contextmode.Turn) []contextmode.Cut {
	lines, report, err := store.ReadLog(a.cfg.FS, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	cuts, bad := parseCuts(lines, log)
	if err != nil || bad+report.Bad > 0 {
		a.cfg.Logger.Warn("cut records", "path", path, "passed_over", bad+report.Bad, "err", err)
	}
	return cuts
}

// wholeCuts is how many of the newest records are read whole.
const wholeCuts = 4

// parseCuts reads records. Only the one in force is needed with its text, and it
// is nearly always the last: the text of older ones is passed over, which is most
// of a long file.
func parseCuts(lines [][]byte, log []contextmode.Turn) (cuts []contextmode.Cut, bad int) {
	if len(lines) <= wholeCuts {
		return contextmode.ParseCuts(lines)
	}
	short := slices.Clone(lines)
	for i, line := range short[:len(short)-wholeCuts] {
		if end := bytes.Index(line, []byte(`,"blocks":[`)); end > 0 {
			short[i] = append(slices.Clone(line[:end]), '}')
		}
	}
	cuts, bad = contextmode.ParseCuts(short)
	if v := contextmode.Fold(log, cuts); bad > 0 || v.LastCut < len(cuts)-wholeCuts {
		return contextmode.ParseCuts(lines)
	}
	return cuts, bad
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
