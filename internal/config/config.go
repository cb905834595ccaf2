// Package config reads homebot.toml and the environment: parse, check, defaults.
//
// A Config does not change after Load. Every mistake of a file is reported, each
// in one line that names file, line, column, key, what is wrong and the way out.
// Every key is described once, in the table of fields.go; the sample file, the
// parser and Show come from it.
package config

import (
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// The profiles of [context] profile (C1); auto lets the device decide (C3).
const (
	ProfileAuto    = "auto"
	ProfileFull    = "full"
	ProfileCompact = "compact"
	ProfileMinimal = "minimal"
)

// The engines of [speech] engine; auto is sherpa when its models are whole, else
// sphinx.
const (
	EngineAuto   = "auto"
	EngineSherpa = "sherpa"
	EngineSphinx = "sphinx"
)

// Who takes the device's own voice out of what it hears ([audio] echo); auto is
// the sound server where its microphone does, else homebot itself.
const (
	EchoAuto    = "auto"
	EchoServer  = "server"
	EchoProcess = "process"
	EchoOff     = "off"
)

// MaxWakePhrases is how many wake phrases a device listens for at most (V1).
const MaxWakePhrases = 8

// Config is the whole configuration, complete and checked. It is immutable after
// Load; everybody may read it. Copies share the slices of Wake.
type Config struct {
	// Path is the file that was read, or the one that would have been.
	Path string
	// Workspace is the absolute directory of everything homebot keeps. It is
	// not in the file: HOMEBOT_WORKSPACE, else ~/.homebot.
	Workspace string
	// Secrets is the file that holds the secrets which the configuration leaves
	// empty, whether it is there or not.
	Secrets string

	LLM     LLM
	Speech  Speech
	Wake    Wake
	Audio   Audio
	Voice   Voice
	LED     LED
	Context Context
	Console Console
	System  System

	origins map[string]origin // by key; a key that is missing has its default
}

// LLM is table [llm]: an OpenAI-compatible server.
type LLM struct {
	BaseURL string // http(s), without a password in it
	Model   string
	APIKey  Secret // empty where the server wants none
	Window  int    // tokens the model takes in one request; 0: not known
}

// Configured reports whether there is anything to talk to: a key, or a server of
// one's own, which may want none.
func (l LLM) Configured() bool { return l.APIKey.Set() || l.BaseURL != defaultBaseURL }

// Speech is table [speech]: the server that hears and speaks. What is below Token
// is for the one that homebot starts itself.
type Speech struct {
	URL        string // empty: homebot starts its own on this machine
	RemoteWake bool   // let a remote server listen for the wake word (V1)
	Token      Secret

	Engine string // EngineAuto, EngineSherpa or EngineSphinx
	// Transcribe is a server that gets utterances, after the wake word only:
	// "KIND URL", with a model as third word for openai. Empty: none.
	Transcribe      string
	TranscribeToken Secret
	Speed           string // of a model's voice, like "zh=1.1,en=0.9"; empty: its own
	Voices          string // file of the members' voices, relative to the workspace; empty: beside the models
}

// Remote reports whether URL names another machine.
func (s Speech) Remote() bool { return s.URL != "" && !loopbackURL(s.URL) }

// Wake is table [wake]. Phrases holds 1 to MaxWakePhrases phrases; Lang tells the
// language of each, Tuned its threshold and boost.
type Wake struct {
	Phrases   []string
	Threshold float64 // for all phrases; 0: the engine's own
	Boost     float64 // likewise
	Tuning    []Tuning
}

// Audio is table [audio]: a device by its name or a part of it; empty is the
// default device.
type Audio struct {
	Input, Output string
	Echo          string // EchoAuto, EchoServer, EchoProcess or EchoOff
}

// What may interrupt a reply beside the wake word.
const (
	BargeInSpeech = "speech" // a stop word; with echo cancellation anything said
	BargeInWords  = "words"  // a stop word
	BargeInWake   = "wake"   // nothing else
)

// Voice is table [voice], the only place where endpointing, the follow-up window
// and the volume are set (V7, R41).
type Voice struct {
	EndSilence    time.Duration // silence that ends a short command
	PhraseSilence time.Duration // the same after words that are complete
	TalkSilence   time.Duration // the same in long talk, and after unfinished words
	TalkAfter     time.Duration // speech that makes long talk
	NoSpeech      time.Duration // wait for the first word
	Noise         time.Duration // "speech" without new words that is taken for noise
	MaxUtterance  time.Duration // end of an utterance without new words
	MaxTalk       time.Duration // end of one that goes on
	FollowUp      time.Duration // follow-up window; 0: none
	PreRoll       time.Duration // audio kept from before the wake word was recognised
	BargeIn       string        // one of the BargeIn constants
	Filler        time.Duration // wait after which a slow reply is announced; 0: never
	Volume        int           // percent, 0 to 100
}

// LED is table [led]. A pin is the kernel's name for a GPIO line; empty means no
// such light or button.
type LED struct {
	ModePin       string
	ModeActiveLow bool
	State         string // a pin, /sys/class/leds/NAME, or StateAuto
	MutePin       string // push buttons against ground
	StopPin       string
}

// StateAuto is the board's green LED on a Raspberry Pi, and no state light
// elsewhere (V4).
const StateAuto = "auto"

// Context is table [context].
type Context struct{ Profile string }

// Console is table [console]. Listen is host:port; empty means no console.
type Console struct {
	Listen string
	Token  Secret
	TLS    string   // TLSAuto, TLSOff, or host:port of https
	Cert   string   // file of a certificate of the user's own; "": one is made
	Key    string   // file of its key
	Hosts  []string // names of this device beside its own
}

// What [console] tls may be beside an address. TLSAuto is https beside a console
// that is open to other machines, on the port 363 above: 443 for 80, 8443 for
// 8080.
const (
	TLSAuto = "auto"
	TLSOff  = "off"

	tlsPortAbove = 443 - 80
)

// TLSAddress is where https listens beside plain, the address of http with its
// port: "" for nowhere.
func (c Console) TLSAddress(plain string) string {
	if c.TLS != TLSAuto {
		return strings.TrimPrefix(c.TLS, TLSOff)
	}
	host, _, err := net.SplitHostPort(c.Listen)
	_, text, errPlain := net.SplitHostPort(plain)
	port, errPort := strconv.Atoi(text)
	if err != nil || errPlain != nil || errPort != nil || loopback(host) || port+tlsPortAbove > 65535 {
		return ""
	}
	return net.JoinHostPort(host, strconv.Itoa(port+tlsPortAbove))
}

// InWorkspace is the path of a file that the configuration names: whole, or
// beginning in the workspace.
func InWorkspace(workspace, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(workspace, path)
}

// System is table [system]. All but Language is for the appliance only, and
// empty means "as the machine has it".
type System struct {
	Language     string // "zh" or "en": what is said when nobody spoke yet, and in the terminal
	Country      string // ISO 3166 code, for the Wi-Fi regulations
	Timezone     string // IANA name
	WiFiSSID     string
	WiFiPassword Secret
	WiFiHidden   bool   // the network does not tell its name
	Hostname     string // the device's name in the network, without .local
}

const defaultBaseURL = "https://api.openai.com/v1"

// Default returns the configuration of an empty file. It has no paths.
func Default() Config {
	return Config{
		LLM:    LLM{BaseURL: defaultBaseURL, Model: "gpt-4o-mini"},
		Speech: Speech{Engine: EngineAuto},
		Audio:  Audio{Echo: EchoAuto},
		Wake:   Wake{Phrases: []string{"你好小厨", "hey home bot"}}, // V1
		Voice: Voice{
			EndSilence:    700 * time.Millisecond, // docs/VOICE.md has the reasons
			PhraseSilence: 450 * time.Millisecond,
			TalkSilence:   1600 * time.Millisecond,
			TalkAfter:     3 * time.Second,
			NoSpeech:      8 * time.Second,
			Noise:         2 * time.Second,
			MaxUtterance:  20 * time.Second,
			MaxTalk:       time.Minute,
			FollowUp:      8 * time.Second, // V3
			PreRoll:       2 * time.Second,
			BargeIn:       BargeInSpeech,
			Filler:        2500 * time.Millisecond,
			Volume:        70,
		},
		LED:     LED{ModePin: "GPIO17", State: StateAuto},
		Context: Context{Profile: ProfileAuto},
		Console: Console{Listen: "127.0.0.1:8080", TLS: TLSAuto},
		System:  System{Language: "zh"},
	}
}

// Lang returns the language of a wake phrase: "zh" if it holds a Han character,
// else "en".
func Lang(phrase string) string {
	for _, r := range phrase {
		if unicode.Is(unicode.Han, r) {
			return "zh"
		}
	}
	return "en"
}

func loopbackURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && loopback(u.Hostname())
}

// loopback reports whether host is this machine and only this machine. The empty
// host is every interface.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
