package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// timeError is adjtimex's answer while nobody has set the clock (TIME_ERROR).
const timeError = 5

// synchronised reports whether the kernel knows that its clock was set from
// outside in this boot (R51). Where that cannot be asked the clock counts as set.
func synchronised() bool {
	state, err := syscall.Adjtimex(&syscall.Timex{})
	return err != nil || state != timeError
}

// uptime is the time since the machine was switched on, 0 when unknown.
func uptime() time.Duration {
	data, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(data), " ")
	s, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return time.Duration(s * float64(time.Second))
}
