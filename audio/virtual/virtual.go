// Package virtual is a sound card in software: a private PulseAudio with a
// microphone one can speak PCM into and a loudspeaker one can listen to. The
// tests use it, and `homebot run` on a machine without a sound card.
//
// It needs no daemon of the user's, no bus and no privilege, works as root too,
// and touches nothing outside its directory: clients find it through the
// environment that Card.Env gives.
package virtual

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"homebot/audio"
	"homebot/audio/internal/proc"
	"homebot/internal/phrases"
)

// ErrMissing means a program is not installed; the message names the package.
var ErrMissing = phrases.Errorf(phrases.VirtualNotInstalled)

const (
	// startBudget is far above what a start takes (under 0.1 s idle).
	startBudget = 10 * time.Second
	// speakBuffer, in milliseconds, is how long the feeding program may be kept
	// waiting by a busy machine before the microphone hears a hole.
	speakBuffer = "1500"
	// maxSocketPath is the kernel's limit for a Unix socket's path.
	maxSocketPath = 107
)

// Card is one running virtual sound card. Its methods are for any goroutine,
// but Kill, Revive and Close for the one that owns it.
type Card struct {
	dir    string
	server *proc.Process
}

// Start makes the card in dir, which it creates, and waits until it is ready.
// The server is killed by Close, by the end of ctx, and by the kernel should
// this process die. The error for a missing program wraps ErrMissing.
func Start(ctx context.Context, dir string) (*Card, error) {
	for _, exe := range []string{"pulseaudio", "pacat", "pactl"} {
		if _, err := exec.LookPath(exe); err != nil {
			return nil, phrases.Errorf(phrases.VirtualMissing, exe, ErrMissing)
		}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	c := &Card{dir: dir}
	if n := len(c.socket()); n > maxSocketPath {
		return nil, fmt.Errorf("virtual sound card: the path %s is %d bytes long, a socket's may have %d: use a shorter directory", c.socket(), n, maxSocketPath)
	}
	if err := c.write(); err != nil {
		return nil, fmt.Errorf("virtual sound card: %w", err)
	}
	if err := c.Revive(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Card) socket() string { return filepath.Join(c.dir, "run", "native") }

func (c *Card) alsaConf() string { return filepath.Join(c.dir, "asound.conf") }

// write makes the private directories and the two configurations.
func (c *Card) write() error {
	for _, d := range []string{"run", "home"} {
		if err := os.MkdirAll(filepath.Join(c.dir, d), 0o700); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(c.dir, "default.pa"), fmt.Appendf(nil, pulseScript, c.socket()), 0o600); err != nil {
		return err
	}
	return os.WriteFile(c.alsaConf(), fmt.Appendf(nil, alsaScript, "unix:"+c.socket()), 0o600)
}

// pulseScript: norewinds=1 is decisive, without it a null sink renders two
// seconds at once and the first frame comes that late. The cable runs at the
// capture format, so what is spoken arrives bit for bit; the loudspeaker at the
// rate of an ordinary card.
const pulseScript = `.fail
load-module module-native-protocol-unix auth-anonymous=1 socket=%s
load-module module-null-sink sink_name=cable norewinds=1 rate=16000 channels=1 format=s16le sink_properties=device.description=VirtualMicCable
load-module module-null-sink sink_name=speaker norewinds=1 rate=48000 channels=2 sink_properties=device.description=Speaker
load-module module-remap-source source_name=mic master=cable.monitor channels=1 channel_map=mono source_properties=device.description=VirtualMic
set-default-sink speaker
set-default-source mic
`

// alsaScript is a complete configuration (through ALSA_CONFIG_PATH). The hints
// make PortAudio list the names; without pcm.default it aborts the process.
const alsaScript = `pcm.mic { type pulse server "%[1]s" device "mic" hint { show on description "virtual microphone" } }
pcm.speaker { type pulse server "%[1]s" device "speaker" hint { show on description "virtual loudspeaker" } }
pcm.cable { type pulse server "%[1]s" device "cable" hint { show on description "feeds the virtual microphone" } }
pcm.!default { type asym playback.pcm "speaker" capture.pcm "mic" hint { show on description "default" } }
ctl.!default { type pulse server "%[1]s" }
`

// Env is what a process needs in its environment, beside its own, to have this
// card as its only one.
func (c *Card) Env() []string {
	return []string{
		"ALSA_CONFIG_PATH=" + c.alsaConf(),
		"PULSE_SERVER=unix:" + c.socket(),
		"JACK_NO_START_SERVER=1",
	}
}

// Revive starts the sound server, again after Kill: what a sound server that
// comes back looks like to its clients.
func (c *Card) Revive(ctx context.Context) error {
	_ = os.Remove(c.socket()) // left by a killed server, which would look ready
	cmd := exec.Command("pulseaudio", "-n", "-F", filepath.Join(c.dir, "default.pa"),
		"--daemonize=no", "--exit-idle-time=-1", "--disallow-exit", "--use-pid-file=no",
		"--high-priority=yes", "--realtime=no", "--log-target=file:"+filepath.Join(c.dir, "pulse.log"))
	cmd.Env = append(os.Environ(),
		"HOME="+filepath.Join(c.dir, "home"), "XDG_RUNTIME_DIR="+filepath.Join(c.dir, "run"),
		"PULSE_RUNTIME_PATH="+filepath.Join(c.dir, "run"), "PULSE_STATE_PATH="+filepath.Join(c.dir, "home"))
	server, err := proc.Start(cmd)
	if err != nil {
		return fmt.Errorf("virtual sound card: %w", err)
	}
	c.server = server
	context.AfterFunc(ctx, server.Kill)
	if err := c.ready(ctx); err != nil {
		server.Kill()
		<-server.Done()
		return err
	}
	return nil
}

// ready waits until the server answers: its socket is there before its sinks.
func (c *Card) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startBudget)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-c.server.Done():
			return phrases.Errorf(phrases.VirtualEnded, c.server.Err(), filepath.Join(c.dir, "pulse.log"))
		case <-ctx.Done():
			return phrases.Errorf(phrases.VirtualSlow, startBudget, filepath.Join(c.dir, "pulse.log"))
		case <-tick.C:
		}
		if _, err := os.Stat(c.socket()); err == nil && c.client(ctx, "pactl", "info").Run() == nil {
			return nil
		}
	}
}

// Kill ends the sound server without warning; its clients lose their devices.
func (c *Card) Kill() {
	c.server.Kill()
	<-c.server.Done()
}

// Close ends the card. The directory stays, for its log; the caller removes it.
func (c *Card) Close() error {
	c.Kill()
	return nil
}

// client is a PulseAudio tool talking to this card.
func (c *Card) client(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "PULSE_SERVER=unix:"+c.socket(), "HOME="+filepath.Join(c.dir, "home"))
	return cmd
}

// Speak plays pcm (16 kHz mono) into the virtual microphone, in real time, and
// returns when it was heard there.
func (c *Card) Speak(ctx context.Context, pcm []int16) error {
	cmd := c.client(ctx, "pacat", "--playback", "--raw", "--format=s16le", "--channels=1",
		fmt.Sprintf("--rate=%d", audio.CaptureRate), "--device=cable", "--latency-msec="+speakBuffer)
	cmd.Stdin = audio.NewByteReader(pcm)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("virtual sound card: speaking into it: %w: %s", err, firstLine(out))
	}
	return nil
}

// Loudspeaker returns what the loudspeaker plays from now on, silence included,
// as 24 kHz mono PCM in real time (little-endian int16; audio.ReadPCM). It ends
// with ctx, the card, or Close.
func (c *Card) Loudspeaker(ctx context.Context) (io.ReadCloser, error) {
	cmd := c.client(ctx, "pacat", "--record", "--raw", "--format=s16le", "--channels=1",
		fmt.Sprintf("--rate=%d", audio.PlaybackRate), "--device=speaker.monitor", "--latency-msec=20")
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout = w
	p, err := proc.Start(cmd)
	w.Close()
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("virtual sound card: listening to it: %w", err)
	}
	context.AfterFunc(ctx, p.Kill)
	return &tap{r, p}, nil
}

// tap is a running recorder.
type tap struct {
	*os.File
	p *proc.Process
}

func (t *tap) Close() error {
	t.p.Kill()
	<-t.p.Done()
	return t.File.Close()
}

func firstLine(b []byte) string {
	for i, c := range b {
		if c == '\n' {
			return string(b[:i])
		}
	}
	return string(b)
}
