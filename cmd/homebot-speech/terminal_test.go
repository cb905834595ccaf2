package main

import (
	"bytes"
	"strings"
	"testing"

	"homebot/audio/wav"
	"homebot/internal/cli/clitest"
	"homebot/internal/phrases"
	"homebot/internal/speech"
)

const chinese = "zh_CN.UTF-8"

// callIn runs homebot-speech in this process, in a shell of a language.
func callIn(t *testing.T, locale string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	env := func(key string) string { return map[string]string{"LANG": locale}[key] }
	var out, errs bytes.Buffer
	code = run(t.Context(), args, env, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// Every command and every flag says what it does in the language of the terminal.
func TestHelpInBothLanguages(t *testing.T) {
	for _, lang := range []string{phrases.Chinese, phrases.English} {
		clitest.Help(t, (&program{lang: lang}).command(), lang, 40)
	}
}

// The whole help of a Chinese terminal is Chinese.
func TestHelpOnAChineseTerminal(t *testing.T) {
	for args, want := range map[string]string{
		"--help":               "homebot 的耳朵和声音",
		"serve --help":         "（默认 \"127.0.0.1:9790\"）",
		"help models pull":     "--mirror 文字",
		"speakers enrol -h":    "homebot-speech speakers enrol ID FILE… [选项]",
		"models --help":        "homebot-speech models [命令]",
		"engine --help":        "识别引擎",
		"serve --lang zh -h":   "--speed 名字=值",
		"help version":         "显示版本",
		"models import -h":     "没有网络的机器",
		"--lang=zh try --help": "标准输入",
	} {
		code, out, errs := callIn(t, chinese, strings.Fields(args)...)
		if code != 0 || errs != "" || !strings.Contains(out, want) {
			t.Errorf("%s: %d %q, no %q in\n%s", args, code, errs, want, out)
		}
		if found := clitest.English(out); found != "" {
			t.Errorf("%s: %q in\n%s", args, found, out)
		}
		if strings.Contains(out, "--lang ") || strings.Contains(out, "[]") {
			t.Errorf("%s: --lang is for homebot alone, and [] is no default:\n%s", args, out)
		}
	}
}

// What the commands print and complain about is in the language of the terminal.
func TestCommandsInChinese(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		args      string
		code      int
		out, errs string // pieces; "": nothing is written
	}{
		{"", 2, "", "homebot-speech: 缺一个命令；可以试试 homebot-speech serve；用法见 homebot-speech --help\n"},
		{"models", 2, "", "请写要对模型做什么：list、check、pull、import 或 remove；用法见 homebot-speech models --help\n"},
		{"speakers", 2, "", "请写要对声音做什么：list、enrol 或 forget；用法见 homebot-speech speakers --help\n"},
		{"listen", 2, "", "没有命令 \"listen\""},
		{"models pul", 2, "", "是不是 pull"},
		{"models pull", 2, "", "还缺内容，请写成：pull NAME…"},
		{"version extra", 2, "", "多出来的内容：\"extra\""},
		{"models list", 0, "名字                 用途      语言   下载    内存    装了吗  许可\nsilero-vad           语音检测  zh,en  6 MB    30 MB   没有    MIT\n", ""},
		{"models list", 0, dir + " 里的模型\n", ""},
		{"models list", 0, "Baker 数据：不可商用\n", ""},
		{"models list", 0, "pi-3：silero-vad，适合树莓派 3（1 GB）\n  固定说法用 pocketsphinx 听；", ""},
		{"models list --files", 0, "    bpe.vocab（可以没有）\n", ""},
		{"models check", 1, "", dir + " 里没有安装模型：homebot-speech models pull pi-4 会装上"},
		{"models check silero-vad", 1, "silero-vad           模型 silero-vad 没有安装在 " + dir + "：请运行", "不能用：silero-vad\n"},
		{"models pull nonsense", 1, "", "没有 \"nonsense\" 这个模型"},
		{"models import /nowhere", 1, "", "/nowhere 不是目录"},
		{"models remove silero-vad", 1, "", "模型 silero-vad 没有安装在 " + dir},
		{"serve --listen nowhere", 1, "", "\"nowhere\" 监听不了："},
		{"serve --speed zh=9", 1, "", "--speed zh=9：请写 0.25 到 4"},
		{"serve --engine ear", 1, "", "--engine ear：请写 auto、sherpa 或 sphinx"},
		{"engine --stt tts-piper-en --engine sphinx", 0, "sphinx: 模型 silero-vad 没有安装在 ", ""},
	} {
		args := strings.Fields(tt.args)
		if len(args) > 1 && args[0] != "version" {
			args = append(args, "--models", dir)
		}
		code, out, errs := callIn(t, chinese, args...)
		if code != tt.code || !piece(out, tt.out) || !piece(errs, tt.errs) {
			t.Errorf("%s: %d\n%s%s\nwant %d\n%s%s", tt.args, code, out, errs, tt.code, tt.out, tt.errs)
		}
	}
}

// piece reports whether want is in text; where nothing is wanted, text is empty.
func piece(text, want string) bool {
	return strings.Contains(text, want) && (text == "") == (want == "")
}

// An open address, and another server that cannot be asked: the ears are there
// before that is known.
func TestServeRefusesInChinese(t *testing.T) {
	needModel(t)
	for args, want := range map[string]string{
		"--listen 0.0.0.0:0":                                        "对其他机器开放，就要有令牌：请设置 HOMEBOT_SPEECH_TOKEN，",
		"--listen 127.0.0.1:0 --transcribe ear":                     "--transcribe 用不了：没有 \"ear\" 这一类语音服务器",
		"--listen 127.0.0.1:0 --transcribe vosk --transcribe-url x": "vosk 服务器的地址要写成 ws://HOST:PORT 这样",
	} {
		code, out, errs := callIn(t, chinese, append([]string{"serve", "--quiet", "--models", t.TempDir()}, strings.Fields(args)...)...)
		if code != 1 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %q %q, want %q", args, code, out, errs, want)
		}
	}
}

// Models that are there, told in Chinese: what is whole, what runs, who is known by
// voice, and why an engine is not used.
func TestModelsInChinese(t *testing.T) {
	st := sherpaStore(t)
	withSpeakerModel(t, st)
	good := recordings(t, recording(t))
	short := t.TempDir() + "/short.wav"
	if err := wav.WriteFile(short, make([]int16, 100), speech.CaptureRate); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args      []string
		code      int
		out, errs string
	}{
		{[]string{"models", "check", "silero-vad", "kws-zh-en"}, 0, "kws-zh-en            完整，和安装时一样；", ""},
		{[]string{"models", "check", "--run", "silero-vad"}, 0, "模型        加载", ""},
		{[]string{"models", "pull", "kws-zh-en"}, 0, "kws-zh-en 已经有了\n", ""},
		{[]string{"engine", "--stt", "tts-piper-en"}, 0, "sphinx: --stt tts-piper-en 不是语音识别的模型：", ""},
		{[]string{"engine", "--stt", "tts-piper-en", "--engine", "sherpa"}, 1, "", "homebot-speech: --stt tts-piper-en 不是语音识别的模型："},
		{[]string{"speakers", "enrol", "mum", good[0], good[1], short}, 1, "", "第 3 段录音太短"},
		{[]string{"speakers", "enrol", "mum", good[0], good[1], good[2]}, 0, "现在认得 mum 的声音了\n", ""},
		{[]string{"speakers", "forget", "dad"}, 1, "", "没有登记过 \"dad\" 的声音"},
		{[]string{"models", "remove", "kws-zh-en"}, 0, "kws-zh-en 已删除\n", ""},
		{[]string{"engine"}, 0, "sphinx: 模型 kws-zh-en 没有安装在 ", ""},
	} {
		code, out, errs := callIn(t, chinese, append(tt.args, "--models", st.Dir)...)
		if code != tt.code || !piece(out, tt.out) || !piece(errs, tt.errs) {
			t.Errorf("%s: %d\n%s%s\nwant %d\n%s%s", tt.args, code, out, errs, tt.code, tt.out, tt.errs)
		}
	}
}

// Progress is told in the language of the terminal.
func TestProgress(t *testing.T) {
	for lang, want := range map[string]string{
		phrases.English: "a.tgz  1.0 MB of 10.0 MB\nb.tgz  2.0 MB\n",
		phrases.Chinese: "a.tgz  已下载 1.0 MB，共 10.0 MB\nb.tgz  已下载 2.0 MB\n",
	} {
		var out strings.Builder
		g := &progress{w: &out, lang: lang}
		g.tell("a.tgz", 1e6, 1e7)
		g.tell("b.tgz", 2e6, 0)
		g.done()
		if out.String() != want {
			t.Errorf("%q, want %q", &out, want)
		}
	}
}
