package agent_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"homebot/internal/agent"
	"homebot/internal/store"
	"homebot/voice"
)

// leftover are the files below dir that hold a word.
func leftover(t *testing.T, disk store.FS, dir, word string) (found []string) {
	t.Helper()
	entries, err := disk.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			found = append(found, leftover(t, disk, path, word)...)
			continue
		}
		data, err := disk.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), word) {
			found = append(found, path)
		}
	}
	return found
}

// aFamily has talked: both in one session, baba alone in another; each in a chat
// of their own. Everybody speaks of a fish of their own.
func aFamily(t *testing.T) (k *kitchen, shared, alone string) {
	t.Helper()
	k = newKitchen(t, newDisk())
	for _, m := range []string{"mama", "baba"} {
		writeFile(t, k, "members/"+m+"/USER.md", "喜欢"+m+"鱼")
	}
	session := func(first, second string) string {
		k.as(first, "打开做饭模式", enter("cooking"), say("好。"))
		id := k.action()["session_id"].(string)
		k.as(second, "我要"+second+"鱼", say("好，"+second+"鱼。"))
		k.as(first, "我要"+first+"鱼", say("好，"+first+"鱼。"))
		k.as(second, "退出做饭模式", call("switch_mode", map[string]string{"action": "exit", "summary": second + "鱼做好了"}), say("再见。"))
		return id
	}
	shared, alone = session("mama", "baba"), session("baba", "baba")
	for who, channel := range map[string]string{"baba": voice.ChannelText, "mama": voice.ChannelWeb} {
		k.handle(voice.Turn{Channel: channel, Speaker: who, Text: "明天吃" + who + "鱼"}, &reply{}, say("好。"))
	}
	return k, shared, alone
}

// The right to be forgotten: of a person no word and no profile is left, others
// keep theirs, and the device goes on.
func TestForgetMember(t *testing.T) {
	k, shared, alone := aFamily(t)
	if err := k.agent.ForgetMember(t.Context(), "baba"); err != nil {
		t.Fatal(err)
	}
	if left := leftover(t, k.disk, workspace, "baba"); len(left) > 0 {
		t.Errorf("still there: %v", left)
	}
	all := k.modeRecords()
	if len(all[shared]) == 0 || all[alone] != nil {
		t.Errorf("sessions left: %v", all)
	}
	if s := k.read("modes", "sessions", "cooking", shared, "summary.md"); !strings.Contains(s, "mama鱼") || !strings.Contains(s, "source: auto") {
		t.Errorf("the summary of the others is\n%s", s)
	}
	if len(leftover(t, k.disk, workspace+"/sessions", "mama鱼")) == 0 || k.read("members", "mama", "USER.md") == "" {
		t.Error("others were forgotten too")
	}
	members, err := k.agent.Members()
	if err != nil || len(members) != 1 || members[0] != (agent.Member{ID: "mama", Profile: true}) {
		t.Errorf("members %v %v", members, err)
	}
	if err := k.agent.ForgetMember(t.Context(), "baba"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("again: %v", err)
	}
	k.restart()
	if r := k.as("mama", "你好", say("你好。")); r.Reply != "你好。" {
		t.Errorf("afterwards: %+v", r)
	}
}

// A session is forgotten with its line in the index; everything with all words,
// and neither while a mode is on.
func TestForgetSessionAndAll(t *testing.T) {
	k, shared, _ := aFamily(t)
	if err := k.agent.ForgetSession(t.Context(), shared); err != nil {
		t.Fatal(err)
	}
	if left := leftover(t, k.disk, workspace+"/modes", shared); len(left) > 0 {
		t.Errorf("still there: %v", left)
	}
	if err := k.agent.ForgetSession(t.Context(), shared); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("again: %v", err)
	}
	for _, id := range []string{"../../etc", "cook-20261022-195500-abcdef/..", ""} {
		if err := k.agent.ForgetSession(t.Context(), id); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", id, err)
		}
	}
	k.as("mama", "打开做饭模式", enter("cooking"), say("好。"))
	if err := k.agent.ForgetAll(t.Context()); !errors.Is(err, agent.ErrModeActive) {
		t.Errorf("while a mode is on: %v", err)
	}
	if err := k.agent.ForgetSession(t.Context(), k.action()["session_id"].(string)); !errors.Is(err, agent.ErrModeActive) {
		t.Errorf("the active one: %v", err)
	}
	k.as("mama", "退出做饭模式", exit(), say("再见。"))
	kept := workspace + "/before-restore-20261001-120000/sessions/text" // by a restore
	if err := store.MkdirAll(k.disk, kept, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := store.Replace(k.disk, kept+"/x.jsonl", []byte("mama"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := k.agent.ForgetAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"鱼", "mama", "baba"} {
		if left := leftover(t, k.disk, workspace, word); len(left) > 0 {
			t.Errorf("%s still in %v", word, left)
		}
	}
}
