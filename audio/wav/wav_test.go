package wav_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"homebot/audio"
	"homebot/audio/wav"
	"homebot/internal/phrases"
)

// file builds a WAV file: format code, channels, rate, bits, its data, and
// chunks to put before the data.
func file(code, channels, rate, bits int, data []byte, before ...string) []byte {
	body := []byte("WAVEfmt ")
	body = binary.LittleEndian.AppendUint32(body, 16)
	body = binary.LittleEndian.AppendUint16(body, uint16(code))
	body = binary.LittleEndian.AppendUint16(body, uint16(channels))
	body = binary.LittleEndian.AppendUint32(body, uint32(rate))
	body = binary.LittleEndian.AppendUint32(body, uint32(rate*channels*bits/8))
	body = binary.LittleEndian.AppendUint16(body, uint16(channels*bits/8))
	body = binary.LittleEndian.AppendUint16(body, uint16(bits))
	for _, c := range before {
		body = append(body, "LIST"...)
		body = binary.LittleEndian.AppendUint32(body, uint32(len(c)))
		body = append(body, c...)
		body = append(body, make([]byte, len(c)&1)...)
	}
	body = append(body, "data"...)
	body = binary.LittleEndian.AppendUint32(body, uint32(len(data)))
	body = append(body, data...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

// samples encodes values on the scale of 16 bits.
func samples(bits int, float bool, values ...int) []byte {
	var b []byte
	for _, v := range values {
		switch {
		case float:
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)/32767))
		case bits == 8:
			b = append(b, byte(v/256+128))
		case bits == 16:
			b = binary.LittleEndian.AppendUint16(b, uint16(v))
		case bits == 24:
			b = append(b, 0, byte(v), byte(v>>8))
		case bits == 32:
			b = binary.LittleEndian.AppendUint32(b, uint32(v)<<16)
		}
	}
	return b
}

func TestFormats(t *testing.T) {
	values := []int{0, 256, -256, 25600, -32768}
	for _, c := range []struct {
		code, bits int
	}{{1, 8}, {1, 16}, {1, 24}, {1, 32}, {3, 32}} {
		b := file(c.code, 1, 16000, c.bits, samples(c.bits, c.code == 3, values...), "odd", "even")
		got, info, err := wav.Read(bytes.NewReader(b), 16000)
		if err != nil || info.Bits != c.bits || info.Rate != 16000 || info.Short {
			t.Errorf("%+v: %+v, %v", c, info, err)
		}
		if len(got) != len(values) {
			t.Errorf("%+v: %d samples", c, len(got))
			continue
		}
		for i, v := range got {
			if math.Abs(float64(int(v)-values[i])) > 1 {
				t.Errorf("%+v: %v, want %v", c, got, values)
				break
			}
		}
	}
}

// Channels are averaged; an extensible header is understood.
func TestStereo(t *testing.T) {
	got, _, err := wav.Read(bytes.NewReader(file(1, 2, 16000, 16, samples(16, false, 100, 300, -5, -7))), 16000)
	if err != nil || !slices.Equal(got, []int16{200, -6}) {
		t.Errorf("%v, %v", got, err)
	}
}

// Any rate comes out at the one asked for, the sound the same.
func TestRates(t *testing.T) {
	for _, rate := range []int{8000, 22050, 44100, 48000} {
		pcm := make([]int16, rate)
		for i := range pcm {
			pcm[i] = int16(8000 * math.Sin(2*math.Pi*440*float64(i)/float64(rate)))
		}
		var b bytes.Buffer
		if err := wav.Write(&b, pcm, rate); err != nil {
			t.Fatal(err)
		}
		got, info, err := wav.Read(&b, audio.CaptureRate)
		if err != nil || info.Rate != rate || len(got) != audio.CaptureRate {
			t.Fatalf("%d Hz: %d samples, %v", rate, len(got), err)
		}
		for i := 1000; i < 15000; i++ {
			if want := 8000 * math.Sin(2*math.Pi*440*float64(i)/audio.CaptureRate); math.Abs(float64(got[i])-want) > 25 {
				t.Fatalf("%d Hz: sample %d is %d, want %.0f", rate, i, got[i], want)
			}
		}
	}
}

// A recorder that lost power: what is there is given, and it is said.
func TestTruncated(t *testing.T) {
	b := file(1, 2, 16000, 16, samples(16, false, 10, 20, 30, 40, 50, 60))
	got, info, err := wav.Read(bytes.NewReader(b[:len(b)-3]), 0)
	if err != nil || !info.Short || !slices.Equal(got, []int16{15, 35}) {
		t.Errorf("%v, %+v, %v", got, info, err)
	}
}

// Every refusal is one line that says what to do.
func TestRefusals(t *testing.T) {
	good := file(1, 1, 16000, 16, samples(16, false, 1, 2, 3))
	for name, b := range map[string][]byte{
		"empty":       nil,
		"mp3":         []byte("ID3\x04 not a wav at all, something else"),
		"header only": good[:36],
		"a-law":       file(6, 1, 8000, 8, []byte{1, 2}),
		"12 bit":      file(1, 1, 16000, 12, []byte{1, 2}),
		"no channels": file(1, 0, 16000, 16, []byte{1, 2}),
		"rate 0":      file(1, 1, 0, 16, []byte{1, 2}),
		"half fmt":    append([]byte("RIFF\x20\x00\x00\x00WAVEfmt \x04\x00\x00\x00"), 1, 0, 1, 0),
		"data first":  []byte("RIFF\x20\x00\x00\x00WAVEdata\x04\x00\x00\x00\x01\x02\x03\x04"),
		"odd rate":    file(1, 1, 15999, 16, samples(16, false, 1, 2)),
	} {
		_, _, err := wav.Read(bytes.NewReader(b), 16000)
		if err == nil {
			t.Errorf("%s is read", name)
			continue
		}
		if s := err.Error(); strings.Contains(s, "\n") || !(strings.Contains(s, "convert it") || strings.Contains(s, "record it")) {
			t.Errorf("%s: %q names no way out", name, s)
		}
		if s := phrases.Told(err, phrases.Chinese); !strings.Contains(s, "；请") {
			t.Errorf("%s in Chinese: %q", name, s)
		}
	}
}

func TestFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.wav")
	pcm := []int16{1, -2, 3}
	if err := wav.WriteFile(path, pcm, 16000); err != nil {
		t.Fatal(err)
	}
	if got, _, err := wav.ReadFile(path, 16000); err != nil || !slices.Equal(got, pcm) {
		t.Errorf("%v, %v", got, err)
	}
	if err := os.WriteFile(path, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := wav.ReadFile(path, 16000); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("the error does not name the file: %v", err)
	}
}

// No file, however broken, makes Read panic or give more than it holds.
func FuzzRead(f *testing.F) {
	f.Add(file(1, 1, 16000, 16, samples(16, false, 1, 2, 3), "LIST chunk"))
	f.Add(file(3, 2, 44100, 32, samples(32, true, 1, 2, 3, 4)))
	f.Add(file(1, 16, 384000, 24, make([]byte, 96)))
	f.Add(file(0xFFFE, 1, 8000, 8, []byte{128}))
	f.Add([]byte("RIFF\xff\xff\xff\xffWAVEdata\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		pcm, info, err := wav.Read(bytes.NewReader(b), audio.CaptureRate)
		if err == nil && len(pcm) > (len(b)*audio.CaptureRate)/info.Rate+1 {
			t.Errorf("%d samples from %d bytes at %d Hz", len(pcm), len(b), info.Rate)
		}
	})
}
