//go:build cgo

package portaudio_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
)

// BenchmarkIdleCapture measures ten seconds of reading the microphone through
// the child: CPU of this process and the child in percent of a core, and what
// both keep in memory. It runs once, whatever -benchtime says.
func BenchmarkIdleCapture(b *testing.B) {
	for _, frame := range []int{audio.SessionFrame, audio.WaitingFrame} {
		b.Run(fmt.Sprintf("%dms", frame*1000/audio.CaptureRate), func(b *testing.B) { capture(b, frame) })
	}
}

func capture(b *testing.B, frame int) {
	card := audiotest.SoundServer(b)
	s := source(b, "", card.Env())
	s.SetFrame(frame)
	p := make([]int16, frame)
	read := func(d time.Duration) {
		for range int(d.Seconds()*audio.CaptureRate) / frame {
			if _, err := s.Read(p); err != nil {
				b.Fatal(err)
			}
		}
	}
	read(time.Second)
	pid := captureChild(b)
	begun, parent, child := time.Now(), busy(os.Getpid()), busy(pid)
	read(10 * time.Second)
	percent := func(d time.Duration) float64 { return 100 * d.Seconds() / time.Since(begun).Seconds() }
	b.ReportMetric(percent(busy(os.Getpid())-parent), "parent-%core")
	b.ReportMetric(percent(busy(pid)-child), "child-%core")
	b.ReportMetric(pss(b, pid), "child-PSS-MB")
	b.ReportMetric(pss(b, os.Getpid()), "parent-PSS-MB")
	b.ReportMetric(float64(s.Overflows()), "overflows")
	b.ReportMetric(0, "ns/op")
}

// captureChild finds our child by its command line.
func captureChild(b *testing.B) int {
	all, _ := os.ReadDir("/proc")
	for _, e := range all {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		cmd, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if strings.Contains(string(cmd), "\x00source\x00--device") && parentOf(pid) == os.Getpid() {
			return pid
		}
	}
	b.Fatal("no child")
	return 0
}

// parentOf is the fourth field of /proc/PID/stat.
func parentOf(pid int) int {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	v, _ := strconv.Atoi(f[1])
	return v
}

// busy is the time all threads of a process spent on a core.
func busy(pid int) (d time.Duration) {
	threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, t := range threads {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/schedstat", pid, t.Name()))
		var ns time.Duration
		fmt.Sscan(string(text), &ns)
		d += ns
	}
	return d
}

// pss is the proportional set size in MB.
func pss(b *testing.B, pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb / 1024
		}
	}
	b.Fatal("no PSS")
	return 0
}
