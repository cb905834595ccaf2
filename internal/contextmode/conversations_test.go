package contextmode

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sharedFile finds a file of the data that lies beside the project; the test is
// skipped where there is none.
func sharedFile(t testing.TB, parts ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{sharedDir()}, parts...)...)
	if cases := os.Getenv("CASES"); cases != "" && strings.HasPrefix(filepath.Join(parts...), filepath.Join("cases", "context")) {
		path = filepath.Join(cases, parts[len(parts)-1]) // make bench-context CASES=DIR
	}
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is absent; set HOMEBOT_SHARED to the folder of shared data", path)
	}
	return path
}

func sharedDir() string {
	if dir := os.Getenv("HOMEBOT_SHARED"); dir != "" {
		return dir
	}
	dir, _ := os.Getwd()
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	return filepath.Join(filepath.Dir(dir), "shared")
}

// spokenTurn is one turn of conversations.json.
type spokenTurn struct {
	T         int
	User      string
	Assistant string
	Fact      bool
	Speaker   string
}

type conversations struct {
	System string
	Voice  []spokenTurn
	Heavy  []spokenTurn
}

func loadConversations(t testing.TB) conversations {
	t.Helper()
	data, err := os.ReadFile(sharedFile(t, "cases", "context", "conversations.json"))
	if err != nil {
		t.Fatal(err)
	}
	var c conversations
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// counted is one text with its tokens by three tokenizers (0: not counted).
type counted struct {
	Text     string
	DeepSeek int `json:"deepseek_v3"`
	Qwen3    int `json:"qwen3"`
	O200k    int `json:"o200k"`
}

func loadTokens(t testing.TB) []counted {
	t.Helper()
	f, err := os.Open(sharedFile(t, "cases", "context", "tokens.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []counted
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c counted
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// trueTokens counts texts as the provider of the simulation does: DeepSeek's own
// count where it is known, else the estimate.
type trueTokens struct {
	known map[string]int
}

func newTrueTokens(t testing.TB) *trueTokens {
	c := &trueTokens{known: map[string]int{}}
	for _, line := range loadTokens(t) {
		c.known[line.Text] = line.DeepSeek
	}
	return c
}

// headerTokens is what "[HH:MM speaker]" costs in the simulation.
const headerTokens = 8

func (c *trueTokens) count(s string) int {
	if n, ok := c.known[s]; ok {
		return n
	}
	if header, words, ok := strings.Cut(s, "]\n"); ok && strings.HasPrefix(header, "[") {
		if n, ok := c.known[words]; ok {
			return n + headerTokens
		}
	}
	return NewMeter("deepseek", 0).Raw(s)
}

var evening = time.Date(2026, 10, 22, 19, 55, 0, 0, time.FixedZone("", 8*3600))

// at is when a turn was said.
func (s spokenTurn) at() time.Time { return evening.Add(time.Duration(s.T) * time.Second) }

// sent is the user content of a turn.
func (s spokenTurn) sent() string {
	return "[" + s.at().Format("15:04") + " " + s.Speaker + "]\n" + s.User
}

// turn is what the log keeps of it.
func (s spokenTurn) turn() Turn {
	t := Turn{At: s.at(), Speaker: s.Speaker, User: s.User, Assistant: s.Assistant, Sent: s.sent(), Reply: s.Assistant}
	if s.Fact {
		t.Facts = []Fact{{Text: s.User}}
	}
	return t
}

func turnsOf(spoken []spokenTurn) []Turn {
	turns := make([]Turn, len(spoken))
	for i, s := range spoken {
		turns[i] = s.turn()
	}
	return turns
}
