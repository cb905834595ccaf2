package conversation

import (
	"errors"
	"fmt"
	"slices"

	"homebot/internal/phrases"
	"homebot/internal/store"
)

// ErrDuplicate: a record with this id is in the log already; nothing was
// written (R43: a repeat is ignored).
var ErrDuplicate = errors.New("record is in the log already")

// ErrNoID: Append takes only records whose repeat could be known.
var ErrNoID = errors.New("record without an id")

// Report tells what was passed over while loading. The zero value is a clean
// log.
type Report struct {
	store.Report
	BadRecords int   // readable lines that are no record, or whose crc is wrong
	Repeats    int   // records whose id came before
	First      error // why the first bad record was refused, with its number among the readable lines
}

// Skipped is the number of lines in the file that are not among the records.
func (r Report) Skipped() int { return r.Bad + r.BadRecords + r.Repeats }

// Log is one conversation, all of it in memory and durable on disk. It only
// grows (R38). Not safe for concurrent use: the turn in progress owns it (R50);
// others Load.
type Log struct {
	file    *store.Log
	records []Record
	ids     map[string]bool
	report  Report
}

// Open opens the conversation at path and loads it, creating it when absent (its
// directory must exist: store.MkdirAll) and repairing a torn tail (S1). Lines
// that are no record are left where they are, skipped and counted.
func Open(fsys store.FS, path string) (*Log, error) {
	file, repaired, err := store.OpenLog(fsys, path)
	if err != nil {
		return nil, phrases.Errorf(phrases.ConversationWrong, err)
	}
	l := &Log{file: file}
	l.records, l.ids, l.report, err = load(fsys, path)
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	l.report.Torn, l.report.Kept = repaired.Torn, repaired.Kept
	return l, nil
}

// Load reads the records of the conversation at path and changes nothing. A
// missing file is fs.ErrNotExist. Any goroutine may call it at any time.
func Load(fsys store.FS, path string) ([]Record, Report, error) {
	records, _, report, err := load(fsys, path)
	return records, report, err
}

func load(fsys store.FS, path string) ([]Record, map[string]bool, Report, error) {
	lines, found, err := store.ReadLog(fsys, path)
	report := Report{Report: found}
	if err != nil {
		return nil, nil, report, phrases.Errorf(phrases.ConversationWrong, err)
	}
	records := make([]Record, 0, len(lines))
	ids := make(map[string]bool, len(lines))
	for i, line := range lines {
		records = append(records, Record{}) // parsed in place: a Record is large
		r := &records[len(records)-1]
		err := r.parse(line)
		if err == nil && !ids[r.ID] {
			if r.ID != "" {
				ids[r.ID] = true
			}
			continue
		}
		if err != nil {
			report.refuse(i+1, err)
		} else {
			report.Repeats++
		}
		records = records[:len(records)-1]
	}
	return records, ids, report, nil
}

func (r *Report) refuse(line int, err error) {
	if r.BadRecords++; r.First == nil {
		r.First = fmt.Errorf("readable line %d: %w: %w", line, ErrBadLine, err)
	}
}

// Append adds a record; nil means that it is durable. After an error it is not
// in the log, except ErrDuplicate, which means that it was. What Records then
// returns is what a reload would.
func (l *Log) Append(r Record) error {
	if r.ID == "" {
		return ErrNoID
	}
	if l.ids[r.ID] {
		return ErrDuplicate
	}
	line, err := r.MarshalLine()
	if err != nil {
		return phrases.Errorf(phrases.ConversationWrong, err)
	}
	stored, err := ParseLine(line)
	if err != nil {
		return phrases.Errorf(phrases.ConversationWrong, err)
	}
	if err := l.file.Append(line); err != nil {
		return phrases.Errorf(phrases.ConversationWrong, err)
	}
	l.records = append(l.records, stored)
	l.ids[r.ID] = true
	return nil
}

// Has says whether a record with this id is in the log.
func (l *Log) Has(id string) bool { return id != "" && l.ids[id] }

// Records returns all records, oldest first. The slice is shared and must not be
// written to; a later Append does not change it.
func (l *Log) Records() []Record { return slices.Clip(l.records) }

// Report tells what was passed over when the log was opened.
func (l *Log) Report() Report { return l.report }

// Close closes the file; everything appended is already durable.
func (l *Log) Close() error { return l.file.Close() }
