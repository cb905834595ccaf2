//go:build cgo

package portaudio

import (
	"errors"
	"os"
	"strings"
	"time"

	pa "github.com/gordonklaus/portaudio"
	"golang.org/x/sys/unix"

	"homebot/audio"
	"homebot/audio/child"
	"homebot/internal/phrases"
)

const (
	// inputLatency sizes the card's ring: a pause of this program (garbage
	// collection on a busy Pi was seen to take 85 ms) must fit into it.
	inputLatency = 200 * time.Millisecond
	// outputLatency is how much the card plays on after a stall of this
	// program; a flush drops it, so it costs a barge-in nothing.
	outputLatency = 100 * time.Millisecond
	// period is what the card wakes us for: 20 ms at either rate.
	period = 20 * time.Millisecond
)

// Built reports whether this program has sound at all: it was built with cgo.
const Built = true

// Driver opens devices through PortAudio. One goroutine uses it, once, in a
// process of its own; the library is initialised with the first call and ended
// with the process.
type Driver struct{ up bool }

var _ child.Driver = (*Driver)(nil)

// start initialises the library, with stderr put aside: it and the libraries
// below it write up to a hundred lines about cards that are not there.
func (d *Driver) start() error {
	if d.up {
		return nil
	}
	hurry()
	restore := mute()
	err := pa.Initialize()
	restore()
	if err != nil {
		return phrases.Errorf(phrases.SoundNoLibrary, audio.ErrLost, err)
	}
	d.up = true
	return nil
}

// mute points stderr to nowhere until the returned function is called. What
// cannot be done is left: noise is no reason to have no sound.
func mute() (restore func()) {
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return func() {}
	}
	defer nowhere.Close()
	kept, err := unix.FcntlInt(2, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return func() {}
	}
	if unix.Dup3(int(nowhere.Fd()), 2, 0) != nil {
		unix.Close(kept)
		return func() {}
	}
	return func() {
		_ = unix.Dup3(kept, 2, 0)
		unix.Close(kept)
	}
}

// devices are those of ALSA where there is ALSA: JACK's and OSS's repeat them
// or do not work.
func (d *Driver) devices() (list []*pa.DeviceInfo, in, out *pa.DeviceInfo, err error) {
	if err := d.start(); err != nil {
		return nil, nil, nil, err
	}
	apis, err := pa.HostApis()
	if err != nil {
		return nil, nil, nil, phrases.Errorf(phrases.SoundNoDevices, audio.ErrLost, err)
	}
	for _, a := range apis {
		if a.Type == pa.ALSA {
			return a.Devices, a.DefaultInputDevice, a.DefaultOutputDevice, nil
		}
		list = append(list, a.Devices...)
	}
	in, _ = pa.DefaultInputDevice() // nil: there is none
	out, _ = pa.DefaultOutputDevice()
	return list, in, out, nil
}

// Devices lists what can be opened.
func (d *Driver) Devices() ([]child.Device, error) {
	all, in, out, err := d.devices()
	if err != nil {
		return nil, err
	}
	list := make([]child.Device, 0, len(all))
	for _, x := range all {
		list = append(list, child.Device{
			Name: x.Name, Inputs: x.MaxInputChannels, Outputs: x.MaxOutputChannels,
			Rate: int(x.DefaultSampleRate), DefaultInput: x == in, DefaultOutput: x == out,
		})
	}
	return list, nil
}

// direction is what differs between a microphone and a loudspeaker.
type direction struct {
	what     phrases.Phrase // for people
	key      string         // in [audio]
	channels func(*pa.DeviceInfo) int
}

var (
	inward  = direction{phrases.DevicesMicrophone, "input", func(d *pa.DeviceInfo) int { return d.MaxInputChannels }}
	outward = direction{phrases.DevicesLoudspeaker, "output", func(d *pa.DeviceInfo) int { return d.MaxOutputChannels }}
)

// find picks the device of exactly this name, else the first that contains it
// (any case), else says what to do.
func find(list []*pa.DeviceInfo, standard *pa.DeviceInfo, name string, dir direction) (*pa.DeviceInfo, error) {
	if name == "" {
		if standard != nil && dir.channels(standard) > 0 {
			return standard, nil
		}
		return nil, phrases.Errorf(phrases.SoundNoDefault, audio.ErrNoDevice, dir.what, dir.key)
	}
	var part *pa.DeviceInfo
	for _, d := range list {
		switch {
		case dir.channels(d) == 0:
		case d.Name == name:
			return d, nil
		case part == nil && strings.Contains(strings.ToLower(d.Name), strings.ToLower(name)):
			part = d
		}
	}
	if part == nil {
		return nil, phrases.Errorf(phrases.SoundNotNamed, audio.ErrNoDevice, dir.what, name, dir.key)
	}
	return part, nil
}

// OpenInput opens and starts the named microphone.
func (d *Driver) OpenInput(device string, _ int) (child.Input, child.Ready, error) {
	list, standard, _, err := d.devices()
	if err != nil {
		return nil, child.Ready{}, err
	}
	info, err := find(list, standard, device, inward)
	if err != nil {
		return nil, child.Ready{}, err
	}
	in := &input{name: info.Name, buf: make([]int16, 1)}
	p := pa.StreamParameters{SampleRate: audio.CaptureRate, FramesPerBuffer: audio.CaptureRate * int(period/time.Millisecond) / 1000}
	p.Input = pa.StreamDeviceParameters{Device: info, Channels: 1, Latency: inputLatency}
	if in.stream, err = pa.OpenStream(p, &in.buf); err != nil {
		return nil, child.Ready{}, explain(err, inward, info.Name, audio.CaptureRate)
	}
	if err := in.stream.Start(); err != nil {
		return nil, child.Ready{}, explain(err, inward, info.Name, audio.CaptureRate)
	}
	return in, child.Ready{Device: info.Name, Rate: audio.CaptureRate, Latency: in.stream.Info().InputLatency}, nil
}

type input struct {
	stream *pa.Stream
	name   string
	buf    []int16 // what the library fills; its header is read anew each time
}

// Read fills p. After an overflow its contents are valid: the loss was before.
func (i *input) Read(p []int16) (overflowed bool, err error) {
	i.buf = p
	switch err := i.stream.Read(); {
	case err == nil:
		return false, nil
	case errors.Is(err, pa.InputOverflowed):
		return true, nil
	default:
		return false, explain(err, inward, i.name, audio.CaptureRate)
	}
}

func (i *input) Close() error { return i.stream.Close() }

// OpenOutput opens the named loudspeaker.
func (d *Driver) OpenOutput(device string, frame int) (child.Output, child.Ready, error) {
	list, _, standard, err := d.devices()
	if err != nil {
		return nil, child.Ready{}, err
	}
	info, err := find(list, standard, device, outward)
	if err != nil {
		return nil, child.Ready{}, err
	}
	out := &output{name: info.Name, buf: make([]int16, frame)}
	p := pa.StreamParameters{SampleRate: audio.PlaybackRate, FramesPerBuffer: frame}
	p.Output = pa.StreamDeviceParameters{Device: info, Channels: 1, Latency: outputLatency}
	if out.Stream, err = pa.OpenStream(p, &out.buf); err != nil {
		return nil, child.Ready{}, explain(err, outward, info.Name, audio.PlaybackRate)
	}
	return out, child.Ready{Device: info.Name, Rate: audio.PlaybackRate, Latency: out.Stream.Info().OutputLatency}, nil
}

type output struct {
	*pa.Stream
	name string
	buf  []int16
}

// Write plays p. An underflow was a pause before it, no loss.
func (o *output) Write(p []int16) error {
	o.buf = p
	if err := o.Stream.Write(); err != nil && !errors.Is(err, pa.OutputUnderflowed) {
		return explain(err, outward, o.name, audio.PlaybackRate)
	}
	return nil
}

func (o *output) Start() error {
	if err := o.Stream.Start(); err != nil {
		return explain(err, outward, o.name, audio.PlaybackRate)
	}
	return nil
}

// explain turns the library's error into one line with a way out.
func explain(err error, dir direction, name string, rate int) error {
	switch {
	case errors.Is(err, pa.InvalidSampleRate), errors.Is(err, pa.SampleFormatNotSupported):
		return phrases.Errorf(phrases.SoundNoRate, audio.ErrFormat, dir.what, name, rate, dir.key)
	case errors.Is(err, pa.InvalidChannelCount):
		return phrases.Errorf(phrases.SoundNoMono, audio.ErrFormat, dir.what, name, dir.key)
	case errors.Is(err, pa.DeviceUnavailable):
		return phrases.Errorf(phrases.SoundInUse, audio.ErrLost, dir.what, name)
	}
	var text any = strings.TrimSpace(err.Error())
	var host pa.UnanticipatedHostError
	if errors.As(err, &host) && host.Text == "" {
		text = phrases.SoundWentAway
	}
	return phrases.Errorf(phrases.SoundFails, audio.ErrLost, dir.what, name, text)
}
