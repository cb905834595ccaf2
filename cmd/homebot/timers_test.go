package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// caseRows are the rows of a file of shared cases in one language; the test is
// skipped where it is absent.
func caseRows(t *testing.T, name, lang string) [][]string {
	t.Helper()
	root := os.Getenv("HOMEBOT_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(root, "cases", name))
	if err != nil {
		t.Skip("no shared cases here (set HOMEBOT_SHARED): ", err)
	}
	var rows [][]string
	for line := range strings.Lines(string(data)) {
		row := append(strings.Split(strings.TrimRight(line, "\n"), "\t"), "", "", "", "")
		if row[0] == lang {
			rows = append(rows, row)
		}
	}
	return rows
}

// answers runs a command on the second column of rows and decodes its lines.
func answers[T any](t *testing.T, rows [][]string, args ...string) []T {
	t.Helper()
	var in strings.Builder
	for _, r := range rows {
		in.WriteString(r[1] + "\n")
	}
	out, errs, code := newHome(t, nil).once(in.String(), args...)
	if code != 0 || errs != "" {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var all []T
	for line := range strings.Lines(out) {
		var v T
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, v)
	}
	if len(all) != len(rows) {
		t.Fatalf("%d objects for %d lines", len(all), len(rows))
	}
	return all
}

// alike compares without white space, punctuation and case.
func alike(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsPunct(r) {
			return -1
		}
		return r
	}, s))
}

// V10: every row of the case files, by the command that people use.
func TestTextCommands(t *testing.T) {
	for _, what := range []string{"heard", "spoken"} {
		for _, lang := range []string{"zh", "en"} {
			rows := caseRows(t, what+".tsv", lang)
			for i, got := range answers[textLine](t, rows, "text", what, "--lang", lang) {
				right := false
				for want := range strings.SplitSeq(rows[i][2], "||") {
					right = right || alike(got.Text) == alike(want)
				}
				if !right {
					t.Errorf("%s %s: got %q, want %q", what, rows[i][1], got.Text, rows[i][2])
				}
			}
		}
	}
}

// V9: every row of the case file of timers.
func TestTimersParse(t *testing.T) {
	for _, lang := range []string{"zh", "en"} {
		rows := caseRows(t, "timers.tsv", lang)
		for i, got := range answers[map[string]any](t, rows, "timers", "parse", "--lang", lang, "--now", "2026-10-22T19:55:00+08:00") {
			want := map[string]string{"action": rows[i][2], "seconds": rows[i][3], "at": rows[i][4], "label": rows[i][5]}
			for key, w := range want {
				raw, _ := json.Marshal(got[key])
				if g := strings.Trim(string(raw), `"`); g != w && (g != "null" || w != "") {
					t.Errorf("%s: %s is %s, want %q", rows[i][1], key, g, w)
				}
			}
		}
	}
}

// V9: timers are on disk when the command answers, and other processes see and
// cancel them; without a model and without a network a person can set them in
// words, and is asked which one is meant.
func TestTimersCommands(t *testing.T) {
	h := newHome(t, nil)
	run := func(in string, want string, args ...string) {
		t.Helper()
		out, errs, _ := h.once(in, args...)
		if !strings.Contains(out+errs, want) {
			t.Errorf("%v: got %s%s, want %s", args, out, errs, want)
		}
	}
	run("", "no timer is set", "timers", "list")
	run("", "好的，鸡蛋，定时八分钟。", "timers", "set", "鸡蛋八分钟")
	run("", "要有 homebot run 在运行才会响", "timers", "set", "汤九分钟")
	run("", "Cancelled: 汤.", "timers", "cancel", "汤")
	run("定时二十分钟\n取消定时\n鸡蛋\n", "好的，定时二十分钟。\n有好几个定时：鸡蛋、二十分钟的定时。要哪一个？\n鸡蛋取消了。", "chat")
	run("", `"seconds_left":1`, "timers", "list", "--json")
	run("", "homebot:", "timers", "cancel", "面条")
	run("", "Nothing is ringing.", "timers", "stop")
	run("", "For how long, or until when? Write it like: homebot timers set eggs eight minutes", "timers", "set", "banana")
	run("", "use zh or en", "timers", "parse", "--lang", "fr")
	run("鸡蛋五分钟，米饭十分钟\n", `{"action":"set","seconds":300,"at":null,"label":"鸡蛋"}
{"action":"set","seconds":600,"at":null,"label":"米饭"}
`, "timers", "parse")
	run("set a timer for 400 days\n", `{"action":"set","seconds":null,"at":null,"label":null,"fault":"length"}`, "timers", "parse")
	run("", "All of them are cancelled.", "timers", "cancel", "--all")
	run("", "no timer is set", "timers", "list")
}
