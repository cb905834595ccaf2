//go:build !cgo

package sphinx

import "homebot/internal/phrases"

// errNoCgo says why no recogniser can be made.
var errNoCgo = phrases.Errorf(phrases.SphinxNotBuilt)

// supported says whether this build can recognise anything.
func supported() error { return errNoCgo }

// decoder stands for pocketsphinx in builds without it; there is never one.
type decoder struct{}

func newDecoder(hmm, dictionary string, args []string) (*decoder, error) { return nil, errNoCgo }

func (d *decoder) addSearch(name, jsgf string, wip float64) error { return errNoCgo }
func (d *decoder) start(search string) error                      { return errNoCgo }
func (d *decoder) process(pcm []int16) error                      { return errNoCgo }
func (d *decoder) end() error                                     { return errNoCgo }
func (d *decoder) words() string                                  { return "" }
func (d *decoder) path() []segment                                { return nil }
func (d *decoder) frames() int                                    { return 0 }
func (d *decoder) close()                                         {}
