package timers

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// Uptime names this boot and counts the time since it, sleep included. Where the
// system does not tell, boot is "" and timers go by the wall clock alone.
func Uptime() (boot string, up time.Duration) {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", 0
	}
	data, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return "", 0
	}
	first, _, _ := strings.Cut(string(data), " ")
	secs, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return "", 0
	}
	return strings.TrimSpace(string(id)), time.Duration(secs * float64(time.Second))
}
