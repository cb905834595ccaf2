package sherpa

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"homebot/internal/phrases"
	"homebot/internal/store"
)

// Guest is who speaks when no member's voice is near enough.
const Guest = "guest"

const (
	// minVoice is the least speech that says who speaks: 1 s.
	minVoice = rate
	// sameVoice is the least cosine between a voice and a member's: the figure of
	// the library's examples, not tuned here.
	sameVoice = 0.6
	// Recordings of one member: how many make a voice, and how many are kept.
	minRecordings, maxRecordings = 3, 12
)

// Speakers knows members by their voices: a hint, never a lock. A voice is a
// vector of numbers; recordings are not kept. It is safe for concurrent use.
type Speakers struct {
	path  string
	model embedder

	mu      sync.Mutex // guards the rest, and the model
	members map[string][][]float32
}

// voices is the file: the vectors of one model's dimension.
type voices struct {
	Members map[string][][]float32 `json:"members"`
}

// OpenSpeakers reads the members' voices in the file at path, which need not
// exist, and loads the model. Close frees it.
func OpenSpeakers(path, model string) (*Speakers, error) { return openSpeakers(path, model, library) }

func openSpeakers(path, model string, lib loader) (*Speakers, error) {
	members, err := readVoices(path)
	if err != nil {
		return nil, err
	}
	m, err := lib.embedder(model)
	if err != nil {
		return nil, err
	}
	return &Speakers{path: path, model: m, members: members}, nil
}

// Close frees the model.
func (s *Speakers) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.model != nil {
		s.model.close()
		s.model = nil
	}
	return nil
}

func readVoices(path string) (map[string][][]float32, error) {
	v := voices{Members: map[string][][]float32{}}
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return v.Members, nil
	case err == nil:
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		return nil, phrases.Errorf(phrases.SherpaVoicesUnreadable, path, err)
	}
	if v.Members == nil {
		v.Members = map[string][][]float32{}
	}
	return v.Members, nil
}

// Members are those with a voice, sorted.
func (s *Speakers) Members() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.members))
}

// Enrol replaces a member's voice by the recordings, at least three of a second
// or more.
func (s *Speakers) Enrol(id string, recordings [][]int16) error {
	if id == "" || id == Guest || strings.ContainsAny(id, "/\\ \t\n") {
		return phrases.Errorf(phrases.SherpaNoMember, id)
	}
	if len(recordings) < minRecordings || len(recordings) > maxRecordings {
		return phrases.Errorf(phrases.SherpaRecordings, len(recordings), minRecordings, maxRecordings)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var vectors [][]float32
	for i, pcm := range recordings {
		v := s.vector(pcm)
		if v == nil {
			return phrases.Errorf(phrases.SherpaShortRecording, i+1)
		}
		vectors = append(vectors, v)
	}
	members := maps.Clone(s.members)
	members[id] = vectors
	return s.save(members)
}

// Forget removes a member's voice.
func (s *Speakers) Forget(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.members[id]; !ok {
		return phrases.Errorf(phrases.SherpaUnknownMember, id)
	}
	members := maps.Clone(s.members)
	delete(members, id)
	return s.save(members)
}

func (s *Speakers) save(members map[string][][]float32) error {
	data, err := json.Marshal(voices{members})
	if err != nil {
		return err
	}
	dir := filepath.Dir(s.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := store.Replace(store.OS(), s.path, data, 0o600); err != nil {
		return phrases.Errorf(phrases.SherpaVoicesNotSaved, err)
	}
	s.members = members
	return nil
}

// Identify returns the member whose voice is nearest, or Guest; "" when pcm is
// too short to tell or nobody is enrolled.
func (s *Speakers) Identify(pcm []int16) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.members) == 0 {
		return ""
	}
	v := s.vector(pcm)
	if v == nil {
		return ""
	}
	best, who := float64(sameVoice), Guest
	for _, id := range slices.Sorted(maps.Keys(s.members)) {
		if c := nearness(v, s.members[id]); c > best {
			best, who = c, id
		}
	}
	return who
}

func (s *Speakers) vector(pcm []int16) []float32 {
	if len(pcm) < minVoice || s.model == nil {
		return nil
	}
	return s.model.embed(floats(pcm))
}

// nearness is the cosine between v and the mean of a member's vectors; -1 for
// vectors of another model.
func nearness(v []float32, vectors [][]float32) float64 {
	mean := make([]float64, len(v))
	for _, m := range vectors {
		if len(m) != len(v) {
			return -1
		}
		length := norm2(m)
		for i := range m {
			mean[i] += float64(m[i]) / length
		}
	}
	var dot, all float64
	for i := range v {
		dot += float64(v[i]) * mean[i]
		all += mean[i] * mean[i]
	}
	return dot / max(norm2(v)*math.Sqrt(all), 1e-12)
}

func norm2(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return max(math.Sqrt(sum), 1e-12)
}
