package config

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"unicode/utf16"

	"homebot/internal/phrases"
)

// maxSize of a file in bytes; the sample has a twentieth of it.
const maxSize = 64 << 10

var errTooLarge = errors.New("the file is too large")

// read returns the content of a file of at most maxSize.
func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err == nil && len(data) > maxSize {
		err = errTooLarge
	}
	return data, err
}

func unreadable(err error) error {
	var inPath *fs.PathError
	if errors.As(err, &inPath) {
		err = inPath.Err // the path is in front already
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return phrases.Errorf(phrases.ConfigNoFile)
	case errors.Is(err, fs.ErrPermission):
		return phrases.Errorf(phrases.ConfigNoPermission)
	case errors.Is(err, errTooLarge):
		return phrases.Errorf(phrases.ConfigTooLarge, maxSize>>10)
	}
	return phrases.Errorf(phrases.ConfigUnreadable, err)
}

// encoding is how a text file is written. Editors on Windows begin files with a
// byte order mark, and some write UTF-16 ("Unicode").
type encoding struct {
	mark  string           // what the file begins with
	order binary.ByteOrder // of UTF-16; nil: UTF-8
}

var encodings = []encoding{
	{"\xef\xbb\xbf", nil},
	{"\xff\xfe", binary.LittleEndian},
	{"\xfe\xff", binary.BigEndian},
}

// encodingOf tells how data is written by its mark; no mark is UTF-8.
func encodingOf(data []byte) encoding {
	for _, e := range encodings {
		if bytes.HasPrefix(data, []byte(e.mark)) {
			return e
		}
	}
	return encoding{}
}

// decode returns a file's text as UTF-8 without its mark. Half a character of
// UTF-16 becomes a byte that is not UTF-8, so that readTOML refuses it.
func decode(data []byte) []byte {
	e := encodingOf(data)
	data = data[len(e.mark):]
	if e.order == nil {
		return data
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = e.order.Uint16(data[2*i:])
	}
	text := []byte(string(utf16.Decode(units)))
	if len(data)%2 != 0 {
		text = append(text, 0xff)
	}
	return text
}

// encode is the opposite of decode.
func (e encoding) encode(text []byte) []byte {
	if e.order == nil {
		return append([]byte(e.mark), text...)
	}
	units := utf16.Encode([]rune(string(text)))
	out := make([]byte, len(e.mark)+2*len(units))
	copy(out, e.mark)
	for i, unit := range units {
		e.order.PutUint16(out[len(e.mark)+2*i:], unit)
	}
	return out
}

// width is how many units of this encoding text takes: what stays the same when
// something else of the same width takes its place.
func (e encoding) width(text []byte) int {
	if e.order == nil {
		return len(text)
	}
	return len(utf16.Encode([]rune(string(text))))
}
