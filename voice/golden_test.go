package voice_test

import (
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/event"
	"homebot/voice"
	"homebot/voice/voicetest"
)

var update = flag.Bool("update", false, "write the golden transcripts anew")

// ms is a time of a script, 7 ms off the grid of the frames.
func ms(n int) time.Duration { return time.Duration(n)*time.Millisecond + 7*time.Millisecond }

const seconds = time.Second

// conversations are the first ten and two more, for a cook to read in testdata.
var conversations = map[string]voicetest.Script{
	"01-question-and-answer": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), "番茄炒蛋怎么做", "zh", 1200*time.Millisecond),
		},
		Answers: []voicetest.Answer{{Says: "先把番茄切块。再把鸡蛋打散。", Next: voice.End}},
		Until:   10 * seconds,
	},
	"02-one-breath": {
		Steps: []voicetest.Step{
			voicetest.WakesAndSays(ms(1000), "打开做饭模式", "zh", 900*time.Millisecond),
			voicetest.WakesAndSays(ms(9500), "退出做饭模式", "zh", 900*time.Millisecond),
		},
		Answers: []voicetest.Answer{
			{Says: "已进入做饭模式。", Next: voice.End, Enter: &event.Mode{ID: "cooking", DisplayName: "做饭模式", SessionID: "cook-1"}},
			{Says: "已退出做饭模式。", Next: voice.End, Leave: true},
		},
		Until: 17 * seconds,
	},
	"03-follow-up": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), "做番茄炒蛋", "zh", 900*time.Millisecond),
			voicetest.Says(ms(8000), "三个人", "zh", 500*time.Millisecond),
		},
		Answers: []voicetest.Answer{
			{Says: "好的，几个人吃？", Next: voice.Continue},
			{Says: "那就用六个鸡蛋。", Next: voice.Continue},
		},
		Until: 22 * seconds,
	},
	"04-marker-end": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "en"),
			voicetest.Says(ms(2500), "thank you", "en", 600*time.Millisecond),
		},
		Answers: []voicetest.Answer{{Says: "You're welcome. Shall we do it again?", Next: voice.End}},
		Until:   9 * seconds,
	},
	"05-question-and-courtesy": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), "做汤", "zh", 500*time.Millisecond),
			voicetest.Says(ms(8000), "要", "zh", 300*time.Millisecond),
		},
		Answers: []voicetest.Answer{
			{Says: "要不要放盐？"},
			{Says: "好的，放一克。还需要别的吗？"},
		},
		Until: 14 * seconds,
	},
	"06-barge-in": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "en"),
			voicetest.Says(ms(2500), "how do I make tomato soup", "en", 1500*time.Millisecond),
			voicetest.Wakes(ms(10000), "en"),
			voicetest.Says(ms(12000), "how much oil", "en", 700*time.Millisecond),
		},
		Answers: []voicetest.Answer{
			{Says: "Cut four tomatoes and one onion into small pieces. Fry the onion gently in a little oil until it is soft. Then add the tomatoes."},
			{Says: "Two spoons.", Next: voice.End},
		},
		Until: 17 * seconds,
	},
	"07-no-speech": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Wakes(ms(13000), "zh"),
			voicetest.Mumbles(ms(14500), "zh", 800*time.Millisecond),
			voicetest.Mumbles(ms(20000), "zh", 800*time.Millisecond),
		},
		Until: 25 * seconds,
	},
	"08-twenty-seconds": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), strings.Repeat("然后", 30), "zh", 30*seconds),
		},
		Answers: []voicetest.Answer{{Says: "请一次说一件事。", Next: voice.End}},
		Until:   40 * seconds,
	},
	"09-speech-server-lost": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), "番茄炒蛋怎么做", "zh", 1200*time.Millisecond),
			voicetest.Does(ms(3000), "(the speech server is killed)", func(st *voicetest.Stage) { st.Ears.Lose() }),
			voicetest.Does(ms(9000), "(the speech server is back)", func(st *voicetest.Stage) { st.Ears.Restore() }),
			voicetest.Wakes(ms(14000), "zh"),
			voicetest.Says(ms(15500), "现在几点", "zh", 700*time.Millisecond),
		},
		Answers: []voicetest.Answer{{Says: "晚上七点。", Next: voice.End}},
		Until:   21 * seconds,
	},
	"10-model-failure": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "en"),
			voicetest.Says(ms(2500), "what time is it", "en", 800*time.Millisecond),
			voicetest.Wakes(ms(12000), "en"),
			voicetest.Says(ms(13500), "hello", "en", 400*time.Millisecond),
		},
		Answers: []voicetest.Answer{
			{Says: "I can't reach my language model.", Next: voice.End, Failed: &voice.TurnError{Code: "llm_unreachable", Text: "I can't reach my language model."}},
			{Err: errors.New("workspace lost")},
		},
		Until: 22 * seconds,
	},
	"11-wake-while-thinking": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), "讲个很长的故事", "zh", 1200*time.Millisecond),
			voicetest.Wakes(ms(5000), "zh"),
			voicetest.Says(ms(6500), "现在几点", "zh", 700*time.Millisecond),
		},
		Answers: []voicetest.Answer{
			{Says: "很久很久以前，有一座山。", After: 8 * seconds},
			{Says: "晚上七点。", Next: voice.End},
		},
		Until: 12 * seconds,
	},
	"13-not-saved": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "en"),
			voicetest.Says(ms(2500), "two people", "en", 800*time.Millisecond),
		},
		Answers: []voicetest.Answer{
			{Says: "All right.", Next: voice.End, Failed: &voice.TurnError{Code: "disk_full", Text: "The disk is full, so I could not save that."}},
		},
		Until: 14 * seconds,
	},
	"12-two-languages": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), "现在几点", "zh", 700*time.Millisecond),
			voicetest.Wakes(ms(8000), "en"),
			voicetest.Says(ms(9500), "what time is it", "en", 800*time.Millisecond),
		},
		Answers: []voicetest.Answer{
			{Says: "现在是晚上七点。", Next: voice.End},
			{Says: "It is seven in the evening. 晚安。", Next: voice.End},
		},
		Until: 17 * seconds,
	},
}

// The first conversations, to the millisecond: V2 (each wake its own session),
// V3 (what follows a reply), V5 (a sentence is said while the next is written),
// V6 (the history of a barge-in is what was heard), V7 (700 ms, 8 s, 20 s), V8
// (lost and back). No state is illegal, and the microphone never opens for a
// follow-up while the loudspeaker sounds.
func TestConversations(t *testing.T) {
	for name, script := range conversations {
		t.Run(name, func(t *testing.T) {
			var got string
			synctest.Test(t, func(t *testing.T) { got = voicetest.Play(t, script) })
			golden(t, name, got)
		})
	}
}

// withinAChunk reports whether two transcripts differ only in times, by no more
// than the 10 ms that the player hands over at once. Goroutines that wake in the
// same instant of a bubble run in any order: one time in a hundred a ring over a
// reply stops a chunk earlier, and all that follows comes earlier with it.
func withinAChunk(got, want string) bool {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		at, aText := cutTime(a[i])
		bt, bText := cutTime(b[i])
		if aText != bText || math.Abs(at-bt) > 0.0101 {
			return false
		}
	}
	return true
}

// cutTime splits a line of a transcript into its seconds and the rest.
func cutTime(line string) (seconds float64, rest string) {
	first, rest, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
	seconds, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0, line
	}
	return seconds, rest
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) && !withinAChunk(got, string(want)) {
		t.Errorf("%s differs (go test ./voice -update writes it anew); now:\n%s", path, got)
	}
}
