package audio

import (
	"encoding/binary"
	"io"
)

// AppendPCM appends pcm as little-endian bytes, the form it has in pipes, files
// and websocket messages.
func AppendPCM(dst []byte, pcm []int16) []byte {
	for _, s := range pcm {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(s))
	}
	return dst
}

// ParsePCM fills dst from little-endian bytes and returns the number of
// samples; an odd last byte is ignored.
func ParsePCM(dst []int16, b []byte) int {
	n := min(len(dst), len(b)/2)
	for i := range n {
		dst[i] = int16(binary.LittleEndian.Uint16(b[2*i:]))
	}
	return n
}

// ReadPCM fills p from a stream of little-endian bytes; like io.ReadFull it
// returns io.EOF at the end and io.ErrUnexpectedEOF in the middle, with what
// there was.
func ReadPCM(r io.Reader, p []int16) (int, error) {
	b := make([]byte, 2*len(p))
	n, err := io.ReadFull(r, b)
	return ParsePCM(p, b[:n]), err
}

// NewByteReader reads pcm as little-endian bytes.
func NewByteReader(pcm []int16) io.Reader { return &byteReader{pcm: pcm} }

type byteReader struct {
	pcm  []int16
	rest []byte
}

func (r *byteReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		n := min(len(r.pcm), 4096)
		if n == 0 {
			return 0, io.EOF
		}
		r.rest = AppendPCM(r.rest[:0:0], r.pcm[:n])
		r.pcm = r.pcm[n:]
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
