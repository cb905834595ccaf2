//go:build cgo

package sphinx

/*
#cgo pkg-config: pocketsphinx
#include <stdlib.h>
#include <pocketsphinx.h>
#include <sphinxbase/err.h>

static void discard(void *user, err_lvl_t level, const char *format, ...) {}

// The library's log is global: messages go to a callback, its configuration to a file.
static void hb_quiet(void) {
	err_set_callback(discard, NULL);
	err_set_logfp(NULL);
}

static cmd_ln_t *hb_config(int n, char **kv) {
	return cmd_ln_parse_r(NULL, ps_args(), n, kv, TRUE);
}

// A search takes its word insertion penalty from the configuration when it is made.
static int hb_add_search(ps_decoder_t *ps, const char *name, const char *jsgf, double wip) {
	cmd_ln_set_float_r(ps_get_config(ps), "-wip", wip);
	return ps_set_jsgf_string(ps, name, jsgf);
}
*/
import "C"

import (
	"fmt"
	"os"
	"strings"
	"unsafe"
)

// supported says whether this build can recognise anything.
func supported() error { return nil }

// decoder is one pocketsphinx decoder. Its methods are called from one goroutine
// at a time.
type decoder struct{ ps *C.ps_decoder_t }

// newDecoder loads the acoustic model and the generated dictionary. The library
// reads a dictionary only from a file, which is gone again on return.
func newDecoder(hmm, dictionary string, args []string) (*decoder, error) {
	C.hb_quiet()
	path, err := temporary(dictionary)
	if err != nil {
		return nil, fmt.Errorf("writing the recogniser's dictionary: %w", err)
	}
	defer os.Remove(path)
	args = append([]string{"-hmm", hmm, "-dict", path, "-lw", "1", "-bestpath", "no"}, args...)
	argv := make([]*C.char, len(args))
	for i, a := range args {
		argv[i] = C.CString(a)
		defer C.free(unsafe.Pointer(argv[i]))
	}
	config := C.hb_config(C.int(len(argv)), &argv[0])
	if config == nil {
		return nil, fmt.Errorf("pocketsphinx refuses its options %s", strings.Join(args, " "))
	}
	defer C.cmd_ln_free_r(config) // the decoder keeps its own reference
	ps := C.ps_init(config)
	if ps == nil {
		return nil, fmt.Errorf("pocketsphinx cannot load the model in %s: install it again", hmm)
	}
	return &decoder{ps}, nil
}

func temporary(text string) (path string, err error) {
	f, err := os.CreateTemp("", "homebot-*.dict")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return f.Name(), err
}

// addSearch loads a JSGF grammar with its own word insertion penalty.
func (d *decoder) addSearch(name, jsgf string, wip float64) error {
	n, g := C.CString(name), C.CString(jsgf)
	defer C.free(unsafe.Pointer(n))
	defer C.free(unsafe.Pointer(g))
	if C.hb_add_search(d.ps, n, g, C.double(wip)) != 0 {
		return fmt.Errorf("pocketsphinx refuses the %s grammar", name)
	}
	return nil
}

// start begins an utterance with one of the searches.
func (d *decoder) start(search string) error {
	n := C.CString(search)
	defer C.free(unsafe.Pointer(n))
	if C.ps_set_search(d.ps, n) != 0 || C.ps_start_utt(d.ps) != 0 {
		return fmt.Errorf("pocketsphinx cannot start its %s search", search)
	}
	return nil
}

// process decodes the next samples of the utterance.
func (d *decoder) process(pcm []int16) error {
	if len(pcm) == 0 {
		return nil
	}
	if C.ps_process_raw(d.ps, (*C.int16)(unsafe.Pointer(&pcm[0])), C.size_t(len(pcm)), 0, 0) < 0 {
		return fmt.Errorf("pocketsphinx cannot decode %d samples", len(pcm))
	}
	return nil
}

// end closes the utterance; what was decoded can still be asked for.
func (d *decoder) end() error {
	if C.ps_end_utt(d.ps) < 0 {
		return fmt.Errorf("pocketsphinx cannot end its utterance")
	}
	return nil
}

// words returns the best path so far, as dictionary words between spaces.
func (d *decoder) words() string {
	h := C.ps_get_hyp(d.ps, nil)
	if h == nil {
		return ""
	}
	return C.GoString(h)
}

// path returns the segments of the best path so far, silence included. The
// library counts their frames since the decoder was made; we count from the
// beginning of the utterance.
func (d *decoder) path() []segment {
	var path []segment
	var origin int
	for s := C.ps_seg_iter(d.ps); s != nil; s = C.ps_seg_next(s) {
		var first, last C.int
		C.ps_seg_frames(s, &first, &last)
		if len(path) == 0 {
			origin = int(first)
		}
		path = append(path, segment{C.GoString(C.ps_seg_word(s)), int(first) - origin, int(last) - origin})
	}
	return path
}

// frames returns how many frames of the utterance were searched.
func (d *decoder) frames() int { return int(C.ps_get_n_frames(d.ps)) }

// close frees the decoder.
func (d *decoder) close() { C.ps_free(d.ps) }
