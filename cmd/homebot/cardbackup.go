package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"homebot/internal/config"
	"homebot/internal/phrases"
	"homebot/internal/store"
)

// Names on the FAT partition by which a person who cannot log in asks for a backup
// and gives one back. Any computer sees them.
const (
	wishBackup  = "backup.txt" // while it is there, a backup is made at each start
	cardBackup  = "homebot-backup.tar.gz"
	cardRestore = "homebot-restore.tar.gz"
	// restoredName, on the data partition, is the checksum of the archive that was
	// put back last: it is put back once.
	restoredName = "restored"
)

// cardOrders carries out what files on the card ask for. The services do not run
// yet. What goes wrong is a problem for people, not a failure.
func (a *app) cardOrders(o setupOptions, uid, gid int) (problems config.Problems) {
	tell := func(file string, err error) {
		if err != nil {
			problems = append(problems, config.Problem{File: file}.Says(err))
		}
	}
	tell(cardRestore, a.restoreFromCard(o, uid, gid))
	tell(cardBackup, a.backupToCard(o, uid, gid))
	return problems
}

// asServices runs this program as the services do: root neither writes into their
// data nor follows a link there. What it tells is in the language of the card.
func (a *app) asServices(o setupOptions, uid, gid int, in io.Reader, out io.Writer, args ...string) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	workspace := filepath.Join(o.data, "homebot")
	c := exec.Command(exe, append(args, "--workspace", workspace)...)
	c.Env = append(os.Environ(), "HOMEBOT_CONFIG=/dev/null", "TMPDIR="+workspace, "LC_ALL="+locale(a.lang))
	var told strings.Builder
	c.Stdin, c.Stdout, c.Stderr = in, out, &told
	if uid >= 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	if err := c.Run(); err != nil {
		line, _, _ := strings.Cut(strings.TrimPrefix(told.String(), "homebot: "), "\n")
		if line == "" {
			return err
		}
		return errors.New(line)
	}
	return nil
}

func (a *app) restoreFromCard(o setupOptions, uid, gid int) error {
	f, err := os.Open(filepath.Join(o.boot, cardRestore))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return phrases.Errorf(phrases.SetupFileUnreadable, err)
	}
	sum := hex.EncodeToString(hash.Sum(nil))
	marker := filepath.Join(o.data, "system", restoredName)
	if done, _ := os.ReadFile(marker); string(done) == sum {
		return nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := a.asServices(o, uid, gid, f, a.stdout, "restore", "-"); err != nil {
		return err
	}
	return store.Replace(store.OS(), marker, []byte(sum), 0o600)
}

func (a *app) backupToCard(o setupOptions, uid, gid int) (err error) {
	if _, err := os.Stat(filepath.Join(o.boot, wishBackup)); err != nil {
		return nil
	}
	done, err := writable(o.boot)
	if err != nil {
		return err
	}
	defer done()
	path := filepath.Join(o.boot, cardBackup)
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = a.asServices(o, uid, gid, nil, f, "backup", "-")
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), path)
}
