package onnxtest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// loudness is the mean log mel energy above which the models hear something:
// recorded speech is above, digital silence far below.
const loudness = -9

// words builds the logits that pick a token: -10·(k-target)².
func words(m *Model, target Value, vocab int) Value {
	k := make([]float32, vocab)
	for i := range k {
		k[i] = float32(i)
	}
	d := m.Op("Sub", m.Floats([]int64{int64(vocab)}, k...), target)
	return m.Op("Mul", m.Op("Mul", d, d), m.Floats([]int64{1}, -10))
}

// Transducer writes a streaming zipformer with vocab tokens into dir, without
// tokens.txt. While it is loud it says the tokens of say, once each, in order,
// and then nothing until it is reset.
func Transducer(tb testing.TB, dir string, vocab int, say ...int) {
	tb.Helper()
	Write(tb, filepath.Join(dir, "encoder.onnx"), encoder())
	Write(tb, filepath.Join(dir, "decoder.onnx"), decoder(vocab))
	Write(tb, filepath.Join(dir, "joiner.onnx"), joiner(vocab, say))
}

// Shape of the encoder: one layer of one head.
const (
	chunkIn, chunkStep = 45, 32 // frames of 10 ms it sees, and moves by
	left, dim, heads   = 64, 4, 1
	kernel             = 3
)

func encoder() []byte {
	var m Model
	x := m.Input("x", Float, -1, chunkIn, 80)
	energy := m.Mean(x, 2, true) // N, 45, 1
	out := m.Op("Slice", energy, m.Ints(0), m.Ints(chunkStep), m.Ints(1), m.Ints(2))
	states := []struct {
		name string
		kind int
		dims []int64
	}{
		{"cached_key_0", Float, []int64{left, -1, heads * dim}},
		{"cached_nonlin_attn_0", Float, []int64{1, -1, left, dim * 3 / 4}},
		{"cached_val1_0", Float, []int64{left, -1, heads * dim}},
		{"cached_val2_0", Float, []int64{left, -1, heads * dim}},
		{"cached_conv1_0", Float, []int64{-1, dim, kernel / 2}},
		{"cached_conv2_0", Float, []int64{-1, dim, kernel / 2}},
		{"embed_states", Float, []int64{-1, 128, 3, 19}},
		{"processed_lens", Int64, []int64{-1}},
	}
	in := make([]Value, len(states))
	for i, s := range states {
		in[i] = m.Input(s.name, s.kind, s.dims...)
	}
	m.Output(out, "encoder_out", Float, -1, chunkStep/2, 1)
	for i, s := range states {
		m.Output(in[i], "new_"+s.name, s.kind, s.dims...)
	}
	for key, value := range map[string]any{
		"model_type": "zipformer2", "version": 1, "T": chunkIn, "decode_chunk_len": chunkStep,
		"encoder_dims": dim, "query_head_dims": dim, "value_head_dims": dim, "num_heads": heads,
		"num_encoder_layers": 1, "cnn_module_kernels": kernel, "left_context_len": left,
	} {
		m.Meta(key, fmt.Sprint(value))
	}
	return m.Bytes()
}

// decoder passes its context on.
func decoder(vocab int) []byte {
	var m Model
	y := m.Input("y", Int64, -1, 2)
	m.Output(m.Cast(y, Float), "decoder_out", Float, -1, 2)
	m.Meta("vocab_size", fmt.Sprint(vocab))
	m.Meta("context_size", "2")
	return m.Bytes()
}

// joiner is an automaton: the last token decides the next one.
func joiner(vocab int, say []int) []byte {
	var m Model
	e := m.Input("encoder_out", Float, -1, 1)
	d := m.Input("decoder_out", Float, -1, 2)
	next := make([]float32, vocab)
	last := 0
	for _, s := range say {
		next[last] = float32(s)
		last = s
	}
	before := m.Op("Slice", d, m.Ints(1), m.Ints(2), m.Ints(1)) // N, 1
	target := m.Gather(m.Floats([]int64{int64(vocab)}, next...), m.Cast(before, Int64))
	target = m.Op("Where", m.Op("Greater", e, m.Floats([]int64{1}, loudness)), target, m.Floats([]int64{1}, 0))
	m.Output(words(&m, target, vocab), "logit", Float, -1, int64(vocab))
	m.Meta("joiner_dim", "1")
	return m.Bytes()
}

// SenseVoice writes a SenseVoice with vocab tokens: 1 to 4 are its marks, the
// language first, and where it is loud it says token say.
func SenseVoice(tb testing.TB, file string, vocab, say int) {
	tb.Helper()
	const width = 7 * 80
	var m Model
	x := m.Input("x", Float, -1, -1, width)
	for _, name := range []string{"x_length", "language", "text_norm"} {
		m.Input(name, Int32, -1)
	}
	// Four marks come first: language, emotion, event, punctuation.
	const mark = 1000
	marks := m.Floats([]int64{1, 4, 1}, mark+1, mark+2, mark+3, mark+4)
	energy := m.Concat(1, marks, m.Mean(x, 2, true))
	number := func(v float32) Value { return m.Floats([]int64{1}, v) }
	target := m.Op("Where", m.Op("Greater", energy, number(loudness)), number(float32(say)), number(0))
	target = m.Op("Where", m.Op("Greater", energy, number(mark/2)), m.Op("Sub", energy, number(mark)), target)
	m.Output(words(&m, target, vocab), "logits", Float, -1, -1, int64(vocab))
	zeros, ones := repeat("0", width), repeat("1", width)
	for key, value := range map[string]any{
		"vocab_size": vocab, "lfr_window_size": 7, "lfr_window_shift": 6, "normalize_samples": 0,
		"with_itn": 14, "without_itn": 15, "lang_auto": 0, "lang_zh": 3, "lang_en": 4, "lang_yue": 7, "lang_ja": 11, "lang_ko": 12,
		"neg_mean": zeros, "inv_stddev": ones, "model_type": "sense_voice_ctc",
	} {
		m.Meta(key, fmt.Sprint(value))
	}
	Write(tb, file, m.Bytes())
}

func repeat(s string, n int) string { return strings.TrimSuffix(strings.Repeat(s+",", n), ",") }

// VITS writes a voice that hums every phoneme for perToken samples at 22050 Hz.
func VITS(tb testing.TB, file string, perToken int) {
	tb.Helper()
	var m Model
	x := m.Input("x", Int64, 1, -1)
	m.Input("x_length", Int64, 1)
	m.Input("noise_scale", Float, 1)
	length := m.Input("length_scale", Float, 1)
	m.Input("noise_scale_w", Float, 1)
	_ = length
	wave := make([]float32, perToken)
	for i := range wave {
		wave[i] = 0.3
		if i/50%2 == 1 {
			wave[i] = -0.3
		}
	}
	each := m.Op("Unsqueeze", m.Op("Mul", m.Cast(x, Float), m.Floats([]int64{1}, 0)), m.Ints(2))
	hum := m.Op("Add", each, m.Floats([]int64{1, 1, int64(perToken)}, wave...))
	m.Output(m.Op("Reshape", hum, m.Ints(1, 1, -1)), "y", Float, 1, 1, -1)
	for key, value := range map[string]any{
		"model_type": "vits", "comment": "test", "language": "English", "add_blank": 0, "n_speakers": 1,
		"sample_rate": 22050, "punctuation": ", . ? !",
	} {
		m.Meta(key, fmt.Sprint(value))
	}
	Write(tb, file, m.Bytes())
}

// Matcha writes a voice of two networks: one frame for each phoneme, and a
// vocoder that hums 1024 samples for each frame, at 22050 Hz.
func Matcha(tb testing.TB, acoustic, vocoder string) {
	tb.Helper()
	var a Model
	x := a.Input("x", Int64, 1, -1)
	a.Input("x_length", Int64, 1)
	a.Input("noise_scale", Float, 1)
	a.Input("length_scale", Float, 1)
	row := a.Op("Unsqueeze", a.Op("Mul", a.Cast(x, Float), a.Floats([]int64{1}, 0)), a.Ints(1))
	a.Output(a.Op("Add", row, a.Floats([]int64{1, 80, 1}, make([]float32, 80)...)), "mel", Float, 1, 80, -1)
	for key, value := range map[string]any{
		"model_type": "matcha-tts", "language": "Chinese", "voice": "zh", "has_espeak": 0, "jieba": 1, "n_speakers": 1,
		"sample_rate": 22050, "version": 1, "pad_id": 0, "use_icefall": 1, "use_eos_bos": 0, "num_ode_steps": 3,
	} {
		a.Meta(key, fmt.Sprint(value))
	}
	Write(tb, acoustic, a.Bytes())
	var v Model
	mel := v.Input("mel", Float, 1, 80, -1)
	wave := make([]float32, 1024)
	for i := range wave {
		wave[i] = 0.3
		if i/50%2 == 1 {
			wave[i] = -0.3
		}
	}
	frames := v.Op("Unsqueeze", v.Op("Mul", v.Mean(mel, 1, false), v.Floats([]int64{1}, 0)), v.Ints(2)) // 1, T, 1
	v.Output(v.Op("Reshape", v.Op("Add", frames, v.Floats([]int64{1, 1, 1024}, wave...)), v.Ints(1, -1)), "audio", Float, 1, -1)
	for key, value := range map[string]string{"model_type": "hifigan", "comment": "hifigan", "sample_rate": "22050"} {
		v.Meta(key, value)
	}
	Write(tb, vocoder, v.Bytes())
}

// Embedding writes a speaker model: the mean of the spectrum, 80 numbers.
func Embedding(tb testing.TB, file string) {
	tb.Helper()
	var m Model
	x := m.Input("x", Float, -1, -1, 80)
	m.Output(m.Mean(x, 1, false), "embedding", Float, -1, 80)
	for key, value := range map[string]string{
		"framework": "wespeaker", "language": "Chinese", "url": "test", "comment": "test", "sample_rate": "16000",
		"output_dim": "80", "normalize_samples": "1", "feature_normalize_type": "",
	} {
		m.Meta(key, value)
	}
	Write(tb, file, m.Bytes())
}
