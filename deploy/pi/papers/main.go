// Command papers writes what is published beside an SD-card image: a bill of
// materials (SPDX 2.3) and the list with which Raspberry Pi Imager offers the
// image. deploy/pi/image calls it.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "papers:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	version  string
	image    string // OUT/NAME.img, with NAME.img.xz beside it
	rootfs   string // stage 1's tar, with its .packages beside it
	programs string // homebot, homebot-speech, lib
	models   string // may be empty
	url      string // where the image will be downloaded from
	created  time.Time
}

func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("papers", flag.ContinueOnError)
	f.StringVar(&o.version, "version", "", "version of homebot")
	f.StringVar(&o.image, "image", "", "the image; its .xz lies beside it")
	f.StringVar(&o.rootfs, "rootfs", "", "the tar of the root file system; its .packages lies beside it")
	f.StringVar(&o.programs, "programs", "", "directory of the programs")
	f.StringVar(&o.models, "models", "", "directory with sphinx-zh, or nothing")
	f.StringVar(&o.url, "url", os.Getenv("IMAGE_URL"), "directory the image will be downloaded from (default $IMAGE_URL)")
	epoch := f.Int64("epoch", 0, "seconds since 1970 that count as now, so that the same image has the same papers")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.version == "" || o.image == "" || o.rootfs == "" || o.programs == "" {
		return o, errors.New("--version, --image, --rootfs and --programs are needed")
	}
	if o.url == "" {
		o.url = "https://homebot.invalid/download" // to be replaced by who publishes
	}
	o.created = time.Unix(*epoch, 0).UTC()
	return o, nil
}

func run(args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	dir, name := filepath.Split(strings.TrimSuffix(o.image, ".img"))
	packages, err := inventory(o)
	if err != nil {
		return err
	}
	if err := write(filepath.Join(dir, name+".spdx.json"), bill(name, o.version, o.created, packages)); err != nil {
		return err
	}
	var raw, packed sum
	if raw, err = sumOf(o.image); err != nil {
		return err
	}
	if packed, err = sumOf(o.image + ".xz"); err != nil {
		return err
	}
	return write(filepath.Join(dir, "os_list.json"), offer(name, o.version, o.url, o.created, raw, packed))
}

// inventory is everything in the image that somebody wrote.
func inventory(o options) ([]component, error) {
	all := []component{{Name: "homebot", Version: o.version, License: "Apache-2.0", Kind: "application"}}
	debian, err := debianPackages(o.rootfs)
	if err != nil {
		return nil, err
	}
	modules, err := goModules(filepath.Join(o.programs, "homebot"), filepath.Join(o.programs, "homebot-speech"))
	if err != nil {
		return nil, err
	}
	all = append(append(all, debian...), modules...)
	if o.models != "" {
		if _, err := os.Stat(filepath.Join(o.models, "sphinx-zh", "mandarin.dic")); err == nil {
			all = append(all, component{Name: "sphinx-zh", Version: "5683bb58", License: "BSD-2-Clause", Kind: "model",
				From: "https://github.com/cmusphinx/pocketsphinx"})
		}
	}
	return all, nil
}

// sum is a file's size and SHA-256.
type sum struct {
	size int64
	hex  string
}

func sumOf(path string) (sum, error) {
	f, err := os.Open(path)
	if err != nil {
		return sum{}, err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	return sum{n, hex.EncodeToString(h.Sum(nil))}, err
}

func write(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}
