//go:build cgo && linux && (amd64 || arm64) && !nosherpa

package sherpa

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"

	"homebot/internal/phrases"

	sherpa "github.com/k2-fsa/sherpa-onnx-go-linux"
)

// features is what all models here were trained with.
var features = sherpa.FeatureConfig{SampleRate: rate, FeatureDim: 80}

// transducer is a model directory as the library wants it.
func transducer(dir string, threads int) (sherpa.OnlineModelConfig, error) {
	at := func(name string) string { return filepath.Join(dir, name) }
	c := sherpa.OnlineModelConfig{
		Transducer: sherpa.OnlineTransducerModelConfig{Encoder: at("encoder.onnx"), Decoder: at("decoder.onnx"), Joiner: at("joiner.onnx")},
		Tokens:     at("tokens.txt"), NumThreads: max(1, threads), Provider: provider,
	}
	return c, needFiles(c.Transducer.Encoder, c.Transducer.Decoder, c.Transducer.Joiner, c.Tokens)
}

func (onnx) spotter(m spotterModel) (func() spotter, func(), error) {
	model, err := transducer(m.dir, m.threads)
	if err != nil {
		return nil, nil, err
	}
	k := sherpa.NewKeywordSpotter(&sherpa.KeywordSpotterConfig{
		FeatConfig: features, ModelConfig: model, MaxActivePaths: 4,
		KeywordsScore: defaultBoost, KeywordsThreshold: defaultThreshold,
		KeywordsBuf: m.keywords, KeywordsBufSize: len(m.keywords),
	})
	if k == nil {
		return nil, nil, errRefused(phrases.SherpaWake, m.dir)
	}
	return func() spotter { return &keywords{k, sherpa.NewKeywordStream(k)} }, func() { sherpa.DeleteKeywordSpotter(k) }, nil
}

// keywords is one stream on a keyword spotter.
type keywords struct {
	model  *sherpa.KeywordSpotter
	stream *sherpa.OnlineStream
}

func (k *keywords) accept(pcm []float32) string {
	if len(pcm) == 0 {
		return ""
	}
	k.stream.AcceptWaveform(rate, pcm)
	for k.model.IsReady(k.stream) {
		k.model.Decode(k.stream)
		if label := k.model.GetResult(k.stream).Keyword; label != "" {
			k.model.Reset(k.stream)
			return label
		}
	}
	return ""
}

func (k *keywords) reset() {
	sherpa.DeleteOnlineStream(k.stream)
	k.stream = sherpa.NewKeywordStream(k.model)
}

func (k *keywords) close() { sherpa.DeleteOnlineStream(k.stream) }

func (o onnx) transcriber(m transcriberModel) (func() transcriber, func(), error) {
	switch m.kind {
	case KindZipformer:
		return o.zipformer(m)
	case KindSenseVoice:
		return o.senseVoice(m)
	}
	return nil, nil, phrases.Errorf(phrases.SherpaUnknownRecogniser, m.kind)
}

func (onnx) zipformer(m transcriberModel) (func() transcriber, func(), error) {
	model, err := transducer(m.dir, m.threads)
	if err != nil {
		return nil, nil, err
	}
	c := sherpa.OnlineRecognizerConfig{FeatConfig: features, ModelConfig: model, DecodingMethod: "greedy_search"}
	if m.hotwords != "" {
		c.DecodingMethod, c.MaxActivePaths = "modified_beam_search", 4
		c.HotwordsBuf, c.HotwordsBufSize, c.HotwordsScore = m.hotwords, len(m.hotwords), hotwordScore
		c.ModelConfig.ModelingUnit = "cjkchar"
		if vocab := filepath.Join(m.dir, "bpe.vocab"); needFiles(vocab) == nil {
			c.ModelConfig.ModelingUnit, c.ModelConfig.BpeVocab = "cjkchar+bpe", vocab
		}
	}
	r := sherpa.NewOnlineRecognizer(&c)
	if r == nil {
		return nil, nil, errRefused(phrases.SherpaRecogniser, m.dir)
	}
	return func() transcriber { return &streaming{model: r, stream: sherpa.NewOnlineStream(r)} },
		func() { sherpa.DeleteOnlineRecognizer(r) }, nil
}

// streaming is one stream on a transducer.
type streaming struct {
	model  *sherpa.OnlineRecognizer
	stream *sherpa.OnlineStream
}

// flush is the silence after an utterance that brings the encoder's last chunk
// out: 0.4 s, what the library's own examples pad with at least.
const flush = 2 * rate / 5

func (s *streaming) accept(pcm []float32) transcript {
	if len(pcm) > 0 {
		s.stream.AcceptWaveform(rate, pcm)
	}
	return s.decode()
}

func (s *streaming) decode() transcript {
	for s.model.IsReady(s.stream) {
		s.model.Decode(s.stream)
	}
	r := s.model.GetResult(s.stream)
	var more struct {
		Probs []float64 `json:"ys_probs"` // logarithms
	}
	_ = json.Unmarshal([]byte(r.Json), &more) // no probabilities: confidence unknown
	return transcript{text: strings.TrimSpace(r.Text), confidence: meanProbability(more.Probs)}
}

func (s *streaming) pause() (transcript, bool) { return s.decode(), false }

func (s *streaming) finish() transcript {
	s.stream.AcceptWaveform(rate, make([]float32, flush))
	s.stream.InputFinished()
	return s.decode()
}

func (s *streaming) reset() {
	sherpa.DeleteOnlineStream(s.stream)
	s.stream = sherpa.NewOnlineStream(s.model)
}

func (s *streaming) close() { sherpa.DeleteOnlineStream(s.stream) }

// meanProbability is the geometric mean of probabilities given as logarithms; 0
// if there are none.
func meanProbability[T float32 | float64](logs []T) float64 {
	if len(logs) == 0 {
		return 0
	}
	var sum float64
	for _, l := range logs {
		sum += float64(l)
	}
	return math.Exp(min(0, sum/float64(len(logs))))
}

func (onnx) senseVoice(m transcriberModel) (func() transcriber, func(), error) {
	model, tokens := filepath.Join(m.dir, "model.onnx"), filepath.Join(m.dir, "tokens.txt")
	if err := needFiles(model, tokens); err != nil {
		return nil, nil, err
	}
	r := sherpa.NewOfflineRecognizer(&sherpa.OfflineRecognizerConfig{
		FeatConfig: features, DecodingMethod: "greedy_search",
		ModelConfig: sherpa.OfflineModelConfig{
			SenseVoice: sherpa.OfflineSenseVoiceModelConfig{Model: model, Language: "auto", UseInverseTextNormalization: 1},
			Tokens:     tokens, NumThreads: max(1, m.threads), Provider: provider,
		},
	})
	if r == nil {
		return nil, nil, errRefused(phrases.SherpaRecogniser, m.dir)
	}
	return func() transcriber { return &whole{model: r} }, func() { sherpa.DeleteOfflineRecognizer(r) }, nil
}

// whole recognises an utterance when it is over.
type whole struct {
	model *sherpa.OfflineRecognizer
	pcm   []float32
}

// maxWhole bounds what is recognised at once: 30 s.
const maxWhole = 30 * rate

func (w *whole) accept(pcm []float32) transcript {
	if room := maxWhole - len(w.pcm); room > 0 {
		w.pcm = append(w.pcm, pcm[:min(room, len(pcm))]...)
	}
	return transcript{}
}

func (w *whole) pause() (transcript, bool) { return w.finish(), true }

func (w *whole) finish() transcript {
	if len(w.pcm) < rate/10 {
		return transcript{}
	}
	s := sherpa.NewOfflineStream(w.model)
	defer sherpa.DeleteOfflineStream(s)
	s.AcceptWaveform(rate, w.pcm)
	w.model.Decode(s)
	r := s.GetResult()
	return transcript{text: strings.TrimSpace(r.Text), lang: spokenLang(r.Lang), confidence: meanProbability(r.YsLogProbs)}
}

func (w *whole) reset() { w.pcm = w.pcm[:0] }

func (w *whole) close() { w.pcm = nil }

// spokenLang reads SenseVoice's "<|zh|>".
func spokenLang(mark string) string {
	switch lang := strings.Trim(mark, "<|>"); lang {
	case "zh", "yue":
		return "zh"
	case "en":
		return "en"
	}
	return ""
}

func (onnx) embedder(model string) (embedder, error) {
	if err := needFiles(model); err != nil {
		return nil, err
	}
	ex := sherpa.NewSpeakerEmbeddingExtractor(&sherpa.SpeakerEmbeddingExtractorConfig{Model: model, NumThreads: 1, Provider: provider})
	if ex == nil {
		return nil, errRefused(phrases.SherpaSpeaker, model)
	}
	return &extractor{ex}, nil
}

// extractor turns voices into vectors.
type extractor struct {
	model *sherpa.SpeakerEmbeddingExtractor
}

func (e *extractor) embed(pcm []float32) []float32 {
	if len(pcm) == 0 {
		return nil
	}
	s := e.model.CreateStream()
	defer sherpa.DeleteOnlineStream(s)
	s.AcceptWaveform(rate, pcm)
	s.InputFinished()
	if !e.model.IsReady(s) {
		return nil
	}
	return e.model.Compute(s)
}

func (e *extractor) close() { sherpa.DeleteSpeakerEmbeddingExtractor(e.model) }
