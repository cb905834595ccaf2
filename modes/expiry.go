package modes

import (
	"fmt"
	"time"
)

// ExpiresAt is when a mode entered at that time ends: at hh:mm of the day after
// the date of entry, by the calendar of entered's location. Where that time does
// not exist (a clock change at midnight; time.Date then answers an hour of the
// day before) it is one hour later (R48). hhmm must be "HH:MM".
func ExpiresAt(entered time.Time, hhmm string) time.Time {
	var h, m int
	_, _ = fmt.Sscanf(hhmm, "%d:%d", &h, &m) // the registry checked it
	y, mon, d := entered.Date()
	at := time.Date(y, mon, d+1, h, m, 0, 0, entered.Location())
	if at.Hour() != h || at.Minute() != m {
		at = time.Date(y, mon, d+1, h+1, m, 0, 0, entered.Location())
	}
	return at
}
