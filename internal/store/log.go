package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// MaxLine is the longest line of a log in bytes, newline included: far above
// any turn, low enough that a damaged file cannot fill the memory of a small
// board with one line.
const MaxLine = 1 << 20

// Errors of Append about the line itself; the log is untouched and usable.
var (
	ErrTooLong = errors.New("line longer than 1 MiB")
	ErrBadLine = errors.New("line empty, or with a newline or a NUL in it")
	ErrClosed  = errors.New("log is closed")
)

// logPerm: a log holds what people said at home.
const logPerm = 0o600

// Report tells what was found while reading or repairing a log. The zero value
// is a clean log.
type Report struct {
	Lines int // lines returned
	Bad   int // lines skipped: a NUL in them, or longer than MaxLine

	Torn int    // bytes after the last newline, not part of any line
	Kept string // where OpenLog put those bytes; "" when there were none
}

// Clean says that nothing had to be skipped or cut off.
func (r Report) Clean() bool { return r.Bad == 0 && r.Torn == 0 }

// Log appends lines durably to one file. It is not safe for concurrent use: a
// log has one writer. Readers use ReadLog at any time; they see whole lines.
type Log struct {
	fsys   FS
	path   string
	f      File  // nil after a failure: the next Append opens it again (S2)
	size   int64 // bytes known durable; always 0 or just after a newline
	closed bool
}

// OpenLog opens the log at path for appending and makes it durable as it is, so
// that a line found in it can be relied upon. When absent it is created (its
// directory must exist, see MkdirAll). Bytes after the last newline, text or
// zeros, were never acknowledged: they are kept in `<path>.torn-<n>` and cut
// off (S1). The caller closes the Log.
func OpenLog(fsys FS, path string) (*Log, Report, error) {
	l := &Log{fsys: fsys, path: path}
	report, err := l.open()
	if err != nil {
		return nil, report, fmt.Errorf("open log %s: %w", path, err)
	}
	return l, report, nil
}

func (l *Log) open() (Report, error) {
	data, err := l.fsys.ReadFile(l.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Report{}, err
	}
	_, report := split(data)
	if report.Torn > 0 {
		report.Kept, err = keepTorn(l.fsys, l.path, data[len(data)-report.Torn:])
		if err != nil {
			return report, err
		}
	}
	return report, l.attach(int64(len(data)-report.Torn), int64(len(data)))
}

// attach opens the file, cuts it to size when it has more, and makes content
// and directory entry durable before anything is appended. A file found there
// may be the work of a process that died before its own sync.
func (l *Log) attach(size, found int64) error {
	f, err := l.fsys.OpenFile(l.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, logPerm)
	if err != nil {
		return err
	}
	if err := l.settle(f, size, found); err != nil {
		_ = f.Close()
		return err
	}
	l.f, l.size = f, size
	return nil
}

func (l *Log) settle(f File, size, found int64) error {
	if found > size {
		if err := f.Truncate(size); err != nil {
			return err
		}
	}
	if err := syncData(f); err != nil {
		return err
	}
	return l.fsys.SyncDir(filepath.Dir(l.path))
}

// Append writes line and a newline in one write and makes them durable (S1).
// After nil the line survives anything. After an error the line counts as not
// written: whatever of it reached the file is cut off by the next Append, which
// opens the file anew (S2), or, when the process dies first, by OpenLog if it
// was torn. Only a whole line whose sync failed in a process that then died may
// still turn up; records carry ids so that a repeat is known.
func (l *Log) Append(line []byte) error {
	if err := l.append(line); err != nil {
		return fmt.Errorf("append to %s: %w", l.path, err)
	}
	return nil
}

func (l *Log) append(line []byte) error {
	if err := checkLine(line); err != nil {
		return err
	}
	if l.closed {
		return ErrClosed
	}
	if l.f == nil {
		if err := l.reopen(); err != nil {
			return err
		}
	}
	buf := make([]byte, 0, len(line)+1)
	buf = append(append(buf, line...), '\n')
	_, err := l.f.Write(buf)
	if err == nil {
		err = syncData(l.f)
	}
	if err != nil {
		l.drop()
		return err
	}
	l.size += int64(len(buf))
	return nil
}

func checkLine(line []byte) error {
	if len(line) >= MaxLine {
		return ErrTooLong
	}
	if len(line) == 0 || bytes.IndexByte(line, '\n') >= 0 || bytes.IndexByte(line, 0) >= 0 {
		return ErrBadLine
	}
	return nil
}

// drop gives the descriptor up. Its error says nothing new: the caller has one.
func (l *Log) drop() {
	_ = l.f.Close()
	l.f = nil
}

// reopen verifies the tail after a failure. What lies beyond the acknowledged
// size is the line that failed, and its writer was told so: it is cut off, and
// not kept aside, because a full disk has no room for that. The cut is made
// durable before anything follows it: after a failed sync the kernel may take
// those pages for clean and would not write them again. A log that is shorter
// than acknowledged was changed by somebody else and is opened like any other.
func (l *Log) reopen() error {
	data, err := l.fsys.ReadFile(l.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	found := int64(len(data))
	if found < l.size || l.size > 0 && data[l.size-1] != '\n' {
		_, err := l.open()
		return err
	}
	return l.attach(l.size, found)
}

// Path returns the file's name.
func (l *Log) Path() string { return l.path }

// Close closes the file. Everything acknowledged is already durable. After a
// failed Append it first cuts off what that left, so that whoever opens the log
// next does not take it for acknowledged; an error says that this failed too.
// Append afterwards returns ErrClosed; a second Close does nothing.
func (l *Log) Close() error {
	if l.closed {
		return nil
	}
	l.closed = true
	if l.f == nil {
		if err := l.reopen(); err != nil {
			return fmt.Errorf("close %s: %w", l.path, err)
		}
	}
	err := l.f.Close()
	l.f = nil
	return err
}

// ReadLog returns the lines of a log without their newlines, and changes
// nothing. Lines that cannot be text are skipped and counted, and so is a torn
// tail; empty lines and lines that make no sense are the caller's business. The
// lines share one array. A missing log is fs.ErrNotExist.
func ReadLog(fsys FS, path string) ([][]byte, Report, error) {
	data, err := fsys.ReadFile(path)
	if err != nil {
		return nil, Report{}, fmt.Errorf("read log %s: %w", path, err)
	}
	lines, report := split(data)
	return lines, report, nil
}

// split cuts data into lines at newlines.
func split(data []byte) ([][]byte, Report) {
	var r Report
	lines := make([][]byte, 0, bytes.Count(data, []byte{'\n'}))
	for {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			break
		}
		line := data[:i:i]
		data = data[i+1:]
		if len(line) >= MaxLine || bytes.IndexByte(line, 0) >= 0 {
			r.Bad++
			continue
		}
		lines = append(lines, line)
	}
	r.Lines, r.Torn = len(lines), len(data)
	return lines, r
}

// keepTorn saves a torn tail beside the log, durably, and returns the file's
// name. A tail already kept (the power went again before the cut) is not kept
// twice, only written again, since that may not have been durable.
func keepTorn(fsys FS, path string, tail []byte) (string, error) {
	for n := 1; ; n++ {
		name := path + ".torn-" + strconv.Itoa(n)
		old, err := fsys.ReadFile(name)
		if err == nil && !bytes.Equal(old, tail) {
			continue
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		return name, Replace(fsys, name, tail, logPerm)
	}
}
