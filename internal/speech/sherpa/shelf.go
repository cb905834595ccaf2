package sherpa

import "sync"

// shelf shares what was loaded between the recognisers that need the same, and
// keeps the last one nobody uses: loading takes seconds on a small board.
type shelf[T any] struct {
	mu   sync.Mutex // guards the rest; held while loading, so that nothing is loaded twice
	all  map[string]*loaded[T]
	idle string // key of the one kept, "" for none
	shut bool
}

// loaded is one model and how many use it.
type loaded[T any] struct {
	make func() T
	free func()
	used int
}

// take makes a piece of the model of key, loading it if need be. release, called
// after the piece was closed, gives it back.
func (s *shelf[T]) take(key string, load func() (func() T, func(), error)) (piece T, release func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.all[key]
	if m == nil {
		newPiece, free, err := load()
		if err != nil {
			return piece, nil, err
		}
		m = &loaded[T]{make: newPiece, free: free}
		if s.all == nil {
			s.all = map[string]*loaded[T]{}
		}
		s.all[key] = m
	}
	m.used++
	if s.idle == key {
		s.idle = ""
	}
	return m.make(), sync.OnceFunc(func() { s.release(key) }), nil
}

func (s *shelf[T]) release(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.all[key]
	if m.used--; m.used > 0 {
		return
	}
	if s.shut {
		s.drop(key)
		return
	}
	if s.idle != "" && s.idle != key {
		s.drop(s.idle)
	}
	s.idle = key
}

func (s *shelf[T]) drop(key string) {
	s.all[key].free()
	delete(s.all, key)
}

// close frees what is not used; what is, when it is given back.
func (s *shelf[T]) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shut = true
	if s.idle != "" {
		s.drop(s.idle)
		s.idle = ""
	}
}
