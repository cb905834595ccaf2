package main

import (
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"homebot/audio/child"
	"homebot/audio/portaudio"
	"homebot/internal/event"
	"homebot/internal/phrases"
)

// What the doctor finds is told in the language of the terminal, with columns as
// wide as in English.
func TestDoctorInChinese(t *testing.T) {
	h := newHome(t, nil)
	noCard(t, h)
	h.setenv("PATH", "/nowhere")
	h.configure("[led]\nmode_pin = \"GPIO917\"\nmute_pin = \"GPIO918\"\n[audio]\necho = \"server\"\n[nothing]\n")
	write(t, filepath.Join(h.workspace, "skills", "bad", "mode.json"), `{"id":"Y"}`)
	out, errs := h.inChinese("", "doctor")
	if errs != "" {
		t.Error(errs)
	}
	for _, want := range []string{
		"故障  配置         " + h.workspace + "/homebot.toml:6:2: nothing: ",
		"注意  运行状态     这个工作目录没有 homebot 在运行，",
		"正常  工作目录     " + h.workspace + " 可以写\n",
		"注意  大模型       没有设置，",
		"正常  运行模式     1 个可用\n",
		"故障  运行模式     " + h.workspace + "/skills/bad/mode.json:1: id \"Y\" 不行：",
		"注意  模式灯       本机没有 GPIO917；",
		"注意  状态灯       没有（[led] state）\n",
		"故障  按钮         本机没有这个 GPIO 引脚：GPIO918",
		"故障  声卡         这台机器没有声卡，",
		"故障  声音服务     /nonexistent 没有应答；",
		"故障  回声         没有消除：",
		"故障  语音识别     homebot-speech 既不在 homebot 旁边，也不在 PATH 里；",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	lineOf := regexp.MustCompile(`^(正常|注意|故障)  \p{Han}+ +\S`)
	english := regexp.MustCompile(`[a-z]{2,} [a-z]{2,}`)
	for line := range strings.Lines(strings.ReplaceAll(out, "make build", "")) {
		if !lineOf.MatchString(line) || english.MatchString(line) && !strings.Contains(line, "按钮") { // whose driver has words of its own
			t.Errorf("not in Chinese: %s", line)
		}
	}
	same, _, code := h.once("", "doctor")
	if code != 1 || strings.Count(same, "\n") != strings.Count(out, "\n") || regexp.MustCompile(`\p{Han}`).MatchString(same) {
		t.Errorf("in English: exit %d\n%s", code, same)
	}
}

// Tables beside the findings, and what other rooms say in them.
func TestDoctorsTablesInChinese(t *testing.T) {
	h := newHome(t, nil)
	noCard(t, h)
	h.setenv("PATH", "/nowhere")
	h.configure("[speech]\nurl = \"http://192.0.2.1:9790\"\ntoken = \"t\"\n")
	h.expect(
		[3]string{"doctor|--light-codes", "listening    亮                               在听你说。\n|idle         40-9960                          一切正常，", "All is well"},
		[3]string{"config|check", "听不了唤醒词（homebot-speech 既不在 homebot 旁边，也不在 PATH 里；", "neither"},
	)
	if portaudio.Built {
		h.expect([3]string{"devices", "没有声音设备；请插上", "no sound"})
	}
}

func TestDeviceLine(t *testing.T) {
	for _, tt := range []struct {
		device child.Device
		en, zh string
	}{
		{
			child.Device{Name: "USB", Rate: 44100, Inputs: 1, Outputs: 2, DefaultInput: true},
			"USB                                       44100 Hz  microphone (default), loudspeaker",
			"USB                                       44100 Hz  麦克风（默认）和扬声器",
		},
		{
			child.Device{Name: "客厅的音箱", Rate: 8000, Outputs: 2, DefaultOutput: true},
			"客厅的音箱                                 8000 Hz  loudspeaker (default)",
			"客厅的音箱                                 8000 Hz  扬声器（默认）",
		},
	} {
		if en, zh := deviceLine(tt.device, phrases.English), deviceLine(tt.device, phrases.Chinese); en != tt.en || zh != tt.zh {
			t.Errorf("%q and %q, want\n%q and %q", en, zh, tt.en, tt.zh)
		}
	}
}

// What runs, and what it starts, may speak another language than the terminal
// does; the doctor tells it in the terminal's.
func TestDoctorTranslates(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "homebot-speech"), []byte("#!/bin/sh\necho asked with $2 $3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	h := newHome(t, nil)
	h.env = append(h.env, "OPENAI_BASE_URL=http://"+l.Addr().String()+"/v1", "OPENAI_API_KEY=sk-very-secret", "HOMEBOT_MODEL=scripted")
	h.starts(t, h.command("run", "--no-sound")) // in Chinese: nothing says otherwise
	h.awaitFaults(t, "nobody there", event.FaultLLM)
	h.setenv("PATH", dir+":"+os.Getenv("PATH"))
	h.setenv("LC_ALL", "en_US.UTF-8")
	for _, want := range []string{phrases.LLMGone.EN + " (llm)\n", "note  speech       asked with --lang en\n"} {
		if out, _, _ := h.once("", "doctor"); !strings.Contains(out, want) {
			t.Errorf("in English no %q in\n%s", want, out)
		}
	}
	out, _ := h.inChinese("", "doctor")
	for _, want := range []string{"起：" + phrases.LLMGone.ZH + "（llm）\n", "注意  语音识别     asked with --lang zh\n", "正常  工作目录     " + h.workspace + ": 另一个 homebot 正在用这个工作目录（进程 "} {
		if !strings.Contains(out, want) {
			t.Errorf("in Chinese no %q in\n%s", want, out)
		}
	}
	for lang, want := range map[string]string{phrases.English: "idle", phrases.Chinese: "待命"} {
		if got := (doctor{app: &app{lang: lang}}).doing(event.Idle); got != want {
			t.Errorf("it is %s, want %s", got, want)
		}
	}
}
