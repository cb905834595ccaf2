package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"homebot/internal/config"
	"homebot/internal/phrases"
)

// Names below Machine.Run, which the services read.
const (
	RunConfig  = "homebot.toml"
	RunSecrets = "secrets.toml"
	RunReport  = "setup.json"
)

// Machine is where a Result takes effect: a root file system whose /etc is made
// anew at every start.
type Machine struct {
	Root     string // "/"; another directory in tests
	Run      string // directory in memory for what the services read
	UID, GID int    // who they run as; -1: nobody in particular
	// SetHostname tells the kernel.
	SetHostname func(name string) error
}

// Apply writes everything out. What fails is told and the rest is done; nothing
// has to be durable, because it is done again at the next start.
func (m Machine) Apply(r Result) error {
	var failed []error
	do := func(what phrases.Phrase, err error) {
		if err != nil {
			failed = append(failed, phrases.Errorf(what, err))
		}
	}
	do(phrases.SetupHostname, m.hostname(r.System.Hostname))
	do(phrases.SetupTimezone, m.timezone(r.System.Timezone))
	do(phrases.SetupWiFi, m.write("/etc/wpa_supplicant/wpa_supplicant-wlan0.conf", r.System.Supplicant(), 0o600))
	do(phrases.SetupHandOver, m.handOver(r))
	return errors.Join(failed...)
}

func (m Machine) hostname(name string) error {
	err := errors.Join(
		m.write("/etc/hostname", []byte(name+"\n"), 0o644),
		m.write("/etc/hosts", fmt.Appendf(nil, "127.0.0.1 localhost\n127.0.1.1 %s\n::1 localhost ip6-localhost\n", name), 0o644))
	if m.SetHostname != nil {
		err = errors.Join(err, m.SetHostname(name))
	}
	return err
}

// timezone points /etc/localtime at a zone, which config checked to be one.
func (m Machine) timezone(zone string) error {
	if zone == "" {
		return nil
	}
	target := filepath.Join("/usr/share/zoneinfo", zone)
	link := filepath.Join(m.Root, "/etc/localtime")
	temp := link + ".new"
	_ = os.Remove(temp)
	if err := os.Symlink(target, temp); err != nil {
		return err
	}
	return errors.Join(os.Rename(temp, link), m.write("/etc/timezone", []byte(zone+"\n"), 0o644))
}

// write replaces a file below Root.
func (m Machine) write(path string, data []byte, perm os.FileMode) error {
	path = filepath.Join(m.Root, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return replace(path, data, perm, -1, -1)
}

// replace never leaves data in a file that others may read, not for a moment.
func replace(path string, data []byte, perm os.FileMode, uid, gid int) error {
	temp := path + ".new"
	_ = os.Remove(temp)
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if uid >= 0 {
		err = errors.Join(err, f.Chown(uid, gid))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

// handOver gives the services what they read.
func (m Machine) handOver(r Result) error {
	if err := os.MkdirAll(m.Run, 0o755); err != nil {
		return err
	}
	report, err := json.Marshal(r.Problems)
	if err != nil {
		return err
	}
	return errors.Join(m.Give(RunConfig, r.File), m.Give(RunSecrets, r.Secrets), m.Give(RunReport, report))
}

// Give leaves a file that only the services, and root, read.
func (m Machine) Give(name string, data []byte) error {
	return replace(filepath.Join(m.Run, name), data, 0o600, m.UID, m.GID)
}

// ReadReport returns what Prepare found wrong, as Apply left it below run; nothing
// where there was no setup.
func ReadReport(run string) config.Problems {
	data, err := os.ReadFile(filepath.Join(run, RunReport))
	if err != nil {
		return nil
	}
	var problems config.Problems
	_ = json.Unmarshal(data, &problems)
	return problems
}
