package archtest

// layerTable is the house: a layer and its rooms. A room is a directory, without
// internal/ in front, and everything below it; x/* makes each directory below x
// a room of its own. An import goes to a lower layer, or stays in its room.
const layerTable = `
0 event store config phrases text lazyregexp
1 conversation audio speech llm contextmode skills setup backup cli
2 modes voice cache
3 skills/* agent
4 led console engine watchdog health
5 cmd/* deploy/* archtest
`

// sideways are the imports within a layer that are allowed: from, to, why.
const sideways = `
config phrases         # what is wrong with a setting is told in both languages
config text            # how far a mistyped key is from a real one
text lazyregexp        # expressions at package level, compiled when first used
speech/espeak audio    # espeak-ng speaks 22.05 kHz; the one resampler lives in audio
agent skills/timers    # only its tests: what it claims is held to the real timers
speech/sherpa audio    # voices speak 22.05 kHz; the one resampler lives in audio
`

// thirdParties says which packages may import a module from outside (its path or
// any below it). A package is a directory as in layerTable; x/... is x and all
// below.
const thirdParties = `
github.com/pelletier/go-toml/v2      config contextmode setup
github.com/longbridgeapp/opencc      text
github.com/gordonklaus/portaudio     audio/portaudio
github.com/k2-fsa/sherpa-onnx-go-linux  speech/sherpa
github.com/mozillazg/go-pinyin       speech/sherpa
github.com/gorilla/websocket         speech speech/remote console
github.com/sashabaranov/go-openai    llm/openai speech speech/remote
github.com/invopop/jsonschema        skills
gopkg.in/yaml.v3                     skills modes console
github.com/robfig/cron/v3            modes
go.starlark.net                      modes/...
github.com/spf13/cobra               cli/... cmd/...
github.com/spf13/pflag               cli/... cmd/homebot
github.com/mattn/go-runewidth         cli
github.com/peterh/liner              cmd/homebot
github.com/prometheus/client_golang  console
github.com/chromedp/chromedp         console cmd/homebot
github.com/chromedp/cdproto          console cmd/homebot
periph.io/x                          led/...
github.com/coreos/go-systemd/v22     watchdog
gonum.org/v1/gonum                   audio/echo
golang.org/x/text                    text speech/sphinx speech/sherpa
golang.org/x/sys                     store engine audio/...  cmd/...
`

// cgoRooms may import "C"; everything else builds with CGO_ENABLED=0.
const cgoRooms = `audio/portaudio speech/sphinx speech/sherpa audio/echo`

// goroutineFiles may start goroutines: the file, and who joins them.
const goroutineFiles = `
audio/child/serve.go            the reader of stdin cannot be interrupted: it ends with the process, which serve lets end after farewell
audio/internal/proc/proc.go     keeps the thread that started a child (death signal); Process.Done is its end
cmd/homebot-speech/serve.go     a read of stdin cannot be interrupted; it ends with the process
cmd/homebot-speech/watch.go     serveWatched joins the watchdog
cmd/homebot/chat.go             run joins who watches for rings; who reads a terminal cannot be interrupted and ends with the process
cmd/homebot/replay.go           replayer.run joins the house and who watches it
cmd/homebot/sound.go            sound.Run joins what hears and speaks
cmd/homebot/soundcmd.go         say and listenWith join what they start
cmd/homebot/speechd.go          a start of homebot-speech joins who supervises it
internal/agent/clock.go         Agent.Run joins the expiry job
internal/console/console.go     Console.Run joins the hub and the servers
internal/console/live.go        live joins its writer; Console.Run joins commands that outlive their page
internal/console/talk.go        run joins what hears, speaks and writes for one browser
internal/engine/client.go       Client.Close joins the engine it runs here
internal/engine/engine.go       Engine.run joins the bus, the server and what runs beside them
internal/engine/server.go       serve joins its clients, watch its reader
internal/health/monitor.go      Monitor.Run joins every check
internal/watchdog/watchdog.go   ask joins who is asked
internal/speech/connection.go   run joins the worker
internal/speech/live.go         begin joins who says that models are being loaded
internal/speech/remote/socket.go  Close joins the utterance's connection and its writer
internal/speech/server.go       Serve joins the stopper
internal/speech/wire.go         run joins the writer
voice/exchange.go               Loop.Run joins every turn
voice/filler.go                 Loop.Run joins the filler
voice/control.go                Loop.Run joins who keeps what was said to the device
voice/ring.go                   Loop.Run joins the bells and who ends them
voice/listener.go               Run joins the capture
voice/speaker.go                Speech.Finish joins both
`

// waitFiles may call time.Sleep, time.After or time.Tick: the file, and why a
// timer owned by its goroutine would not do.
const waitFiles = `
cmd/homebot/recording.go        plays into nowhere at the pace of a sound card
internal/speech/client.go       back-off between two connections, with ctx beside it
internal/speech/wire.go         bounds how long a close waits for the peer
`

// cookingWords do not occur in modes/ (R18).
const cookingWords = `cook 做饭 烹饪 recipe 菜`

// vagueNames say nothing about what is inside a package.
const vagueNames = `util utils common types service services helper helpers core misc`

// Limits on size. A function of 60 lines is where a review says no.
const (
	maxFileLines     = 500
	maxFunctionLines = 60
)
