// Package wav reads and writes the WAV files people have: recordings for
// `homebot listen`, and what the virtual card and the tests play.
//
// Read takes PCM of 8, 16, 24 or 32 bits and 32-bit float, mono or more
// channels, at any usual rate, and gives mono 16-bit samples at the rate asked
// for. A file cut off in its data (a recorder that lost power) gives what is
// there.
package wav

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"

	"homebot/audio"
	"homebot/internal/phrases"
)

// Info is what a file said about itself.
type Info struct {
	Rate     int // hertz
	Channels int
	Bits     int
	Float    bool
	Short    bool // the data ended before its header said
}

const (
	formatPCM        = 1
	formatFloat      = 3
	formatExtensible = 0xFFFE
	// maxBytes bounds what Read takes into memory: 30 minutes of 48 kHz stereo
	// 32-bit, far longer than anything said to a kitchen.
	maxBytes = 30 * 60 * 48000 * 2 * 4
)

// unfit is what is wrong with a format, and the way out.
func unfit(p phrases.Phrase, args ...any) error {
	return phrases.Errorf(phrases.WavConvert, phrases.Errorf(p, args...))
}

// ReadFile is Read of a file; its errors name the file.
func ReadFile(path string, rate int) ([]int16, Info, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Info{}, err
	}
	defer f.Close()
	pcm, info, err := Read(f, rate)
	if err != nil {
		return nil, info, fmt.Errorf("%s: %w", path, err)
	}
	return pcm, info, nil
}

// Read returns the whole of r as mono samples at rate hertz (0: the file's
// own). Channels are averaged. An error is one line that says what is wrong
// and what to do.
func Read(r io.Reader, rate int) ([]int16, Info, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, Info{}, err
	}
	if len(b) > maxBytes {
		return nil, Info{}, phrases.Errorf(phrases.WavLong, maxBytes>>20)
	}
	info, data, err := parse(b)
	if err != nil {
		return nil, info, err
	}
	pcm := mono(data, info)
	if rate == 0 || rate == info.Rate {
		return pcm, info, nil
	}
	pcm, err = audio.Resample(pcm, info.Rate, rate)
	if err != nil {
		return nil, info, fmt.Errorf("wav: %w", err)
	}
	return pcm, info, nil
}

// parse walks the chunks. Chunks other than fmt and data (LIST, fact, bext …)
// are skipped.
func parse(b []byte) (Info, []byte, error) {
	if len(b) < 12 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WAVE" {
		return Info{}, nil, unfit(phrases.WavNone)
	}
	var info Info
	b = b[12:]
	for len(b) >= 8 {
		id, size := string(b[:4]), int64(binary.LittleEndian.Uint32(b[4:]))
		body := b[8:]
		short := size > int64(len(body))
		if short {
			size = int64(len(body))
		}
		switch id {
		case "fmt ":
			var err error
			if info, err = parseFormat(body[:size]); err != nil {
				return info, nil, err
			}
		case "data":
			if info.Rate == 0 {
				return info, nil, unfit(phrases.WavOrder)
			}
			info.Short = short
			return info, body[:size], nil
		}
		b = body[min(size+size&1, int64(len(body))):]
	}
	return info, nil, phrases.Errorf(phrases.WavEmpty)
}

// parseFormat reads a fmt chunk and refuses what Read cannot take.
func parseFormat(b []byte) (Info, error) {
	if len(b) < 16 {
		return Info{}, unfit(phrases.WavCut)
	}
	code := binary.LittleEndian.Uint16(b)
	info := Info{
		Channels: int(binary.LittleEndian.Uint16(b[2:])),
		Rate:     int(binary.LittleEndian.Uint32(b[4:])),
		Bits:     int(binary.LittleEndian.Uint16(b[14:])),
	}
	if code == formatExtensible && len(b) >= 26 {
		code = binary.LittleEndian.Uint16(b[24:])
	}
	info.Float = code == formatFloat
	switch {
	case code != formatPCM && code != formatFloat:
		return info, unfit(phrases.WavCompressed, code)
	case info.Float && info.Bits != 32, !info.Float && info.Bits != 8 && info.Bits != 16 && info.Bits != 24 && info.Bits != 32:
		return info, unfit(phrases.WavBits, info.Bits)
	case info.Channels < 1 || info.Channels > 16:
		return info, unfit(phrases.WavChannels, info.Channels)
	case info.Rate < 1000 || info.Rate > 384000:
		return info, unfit(phrases.WavRate, info.Rate)
	}
	return info, nil
}

// mono averages the channels of data into 16-bit samples; half a frame at the
// end is dropped.
func mono(data []byte, info Info) []int16 {
	width := info.Bits / 8
	frame := width * info.Channels
	out := make([]int16, 0, len(data)/frame)
	for ; len(data) >= frame; data = data[frame:] {
		sum := 0.0
		for c := range info.Channels {
			sum += sample(data[c*width:], info)
		}
		v := math.Round(sum / float64(info.Channels))
		out = append(out, int16(min(max(v, math.MinInt16), math.MaxInt16)))
	}
	return out
}

// sample is one sample on the scale of 16 bits.
func sample(b []byte, info Info) float64 {
	switch {
	case info.Float:
		v := float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		if math.IsNaN(v) {
			return 0
		}
		return min(max(v, -1), 1) * 32767
	case info.Bits == 8: // the one unsigned width
		return (float64(b[0]) - 128) * 256
	case info.Bits == 16:
		return float64(int16(binary.LittleEndian.Uint16(b)))
	case info.Bits == 24:
		return float64(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)>>8) / 256
	}
	return float64(int32(binary.LittleEndian.Uint32(b))) / 65536
}

// Write writes pcm as a mono 16-bit file.
func Write(w io.Writer, pcm []int16, rate int) error {
	size := uint32(2 * len(pcm))
	h := make([]byte, 0, 44+2*len(pcm))
	h = append(h, "RIFF"...)
	h = binary.LittleEndian.AppendUint32(h, 36+size)
	h = append(h, "WAVEfmt "...)
	h = binary.LittleEndian.AppendUint32(h, 16)
	h = binary.LittleEndian.AppendUint16(h, formatPCM)
	h = binary.LittleEndian.AppendUint16(h, 1)
	h = binary.LittleEndian.AppendUint32(h, uint32(rate))
	h = binary.LittleEndian.AppendUint32(h, uint32(2*rate))
	h = binary.LittleEndian.AppendUint16(h, 2)
	h = binary.LittleEndian.AppendUint16(h, 16)
	h = append(h, "data"...)
	h = binary.LittleEndian.AppendUint32(h, size)
	for _, s := range pcm {
		h = binary.LittleEndian.AppendUint16(h, uint16(s))
	}
	_, err := w.Write(h)
	return err
}

// WriteFile writes pcm as a mono 16-bit file at path.
func WriteFile(path string, pcm []int16, rate int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := Write(f, pcm, rate); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
