package health

import (
	"os"
	"path/filepath"
	"strings"
)

// defaultRoute reports whether the kernel has a way out of the house, by its own
// tables (proc(5)): net/route for IPv4, net/ipv6_route for IPv6. Where they
// cannot be read the answer is yes: it is not known to be away.
func defaultRoute(dir string) bool {
	four, err := os.ReadFile(filepath.Join(dir, "route"))
	if err != nil {
		return true
	}
	six, _ := os.ReadFile(filepath.Join(dir, "ipv6_route")) // absent without IPv6
	return routes(string(four), string(six))
}

// routes looks for a destination of zero bits that is up: Iface Destination
// Gateway Flags … Mask in the one table, destination and its length first,
// flags and device last, in the other. Flag 1 is RTF_UP; 0x200 is RTF_REJECT.
func routes(four, six string) bool {
	for line := range strings.Lines(four) {
		f := strings.Fields(line)
		if len(f) >= 8 && f[1] == "00000000" && f[7] == "00000000" && up(f[3]) {
			return true
		}
	}
	for line := range strings.Lines(six) {
		f := strings.Fields(line)
		if len(f) >= 10 && strings.Trim(f[0], "0") == "" && f[1] == "00" && f[9] != "lo" && up(f[8]) {
			return true
		}
	}
	return false
}

// up reads hexadecimal flags.
func up(flags string) bool {
	n := 0
	for _, c := range strings.ToLower(flags) {
		d := strings.IndexRune("0123456789abcdef", c)
		if d < 0 {
			return false
		}
		n = n<<4 | d
	}
	return n&1 != 0 && n&0x200 == 0
}
