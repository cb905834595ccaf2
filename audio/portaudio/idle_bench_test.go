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
	begun, parent, child := time.Now(), ticks(b, os.Getpid()), ticks(b, pid)
	read(10 * time.Second)
	percent := func(n int) float64 { return float64(n) / time.Since(begun).Seconds() } // 100 ticks a second
	b.ReportMetric(percent(ticks(b, os.Getpid())-parent), "parent-%core")
	b.ReportMetric(percent(ticks(b, pid)-child), "child-%core")
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
		if strings.Contains(string(cmd), "\x00source\x00--device") && field(pid, 3) == os.Getpid() {
			return pid
		}
	}
	b.Fatal("no child")
	return 0
}

// field is one of /proc/PID/stat, counted as proc(5) does (3 is state's next).
func field(pid, n int) int {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	v, _ := strconv.Atoi(f[n-2])
	return v
}

func ticks(b *testing.B, pid int) int { return field(pid, 13) + field(pid, 14) }

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
