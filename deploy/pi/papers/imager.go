package main

import (
	"fmt"
	"time"
)

// osList is what Imager takes as a custom repository (its doc/json-schema).
type osList struct {
	OSList []osEntry `json:"os_list"`
}

// osEntry is one image. Imager refuses one whose ExtractSHA256 is wrong.
type osEntry struct {
	Name           string   `json:"name"`
	Description    string   `json:"description"`
	Icon           string   `json:"icon"`
	URL            string   `json:"url"`
	Website        string   `json:"website"`
	ReleaseDate    string   `json:"release_date"`
	ExtractSize    int64    `json:"extract_size"`
	ExtractSHA256  string   `json:"extract_sha256"`
	DownloadSize   int64    `json:"image_download_size"`
	DownloadSHA256 string   `json:"image_download_sha256"`
	Devices        []string `json:"devices"`
	Architecture   string   `json:"architecture"`
	InitFormat     string   `json:"init_format"`
}

// offer describes the image to Imager. Its tags of boards: pi3-64bit is the 3 and
// the Zero 2 W. rpi-preseed makes Imager 2 leave its settings in
// rpi-preseed.toml; older ones would write a script that nobody here runs, and
// are told so by the manual.
func offer(name, version, url string, released time.Time, raw, packed sum) osList {
	return osList{[]osEntry{{
		Name:           "homebot " + version,
		Description:    "A voice assistant for the kitchen. Raspberry Pi Zero 2 W, 3, 4 and 5",
		Icon:           url + "/homebot.svg",
		URL:            fmt.Sprintf("%s/%s.img.xz", url, name),
		Website:        url,
		ReleaseDate:    released.Format(time.DateOnly),
		ExtractSize:    raw.size,
		ExtractSHA256:  raw.hex,
		DownloadSize:   packed.size,
		DownloadSHA256: packed.hex,
		Devices:        []string{"pi3-64bit", "pi4-64bit", "pi5-64bit"},
		Architecture:   "armv8",
		InitFormat:     "rpi-preseed",
	}}}
}
