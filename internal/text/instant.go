package text

import "time"

// in is the instant m means, the next one after now that fits. waking means
// that somebody wants to get up: then the morning is meant.
func (m moment) in(now time.Time, waking bool) time.Time {
	day, dated := m.day(now)
	if m.exact || m.part != anyPart {
		at := onDay(day, m.hour24(), m.minute)
		if !dated && !at.After(now) {
			day = day.AddDate(0, 0, 1)
		} else if m.week == 1 && !at.After(now) {
			day = day.AddDate(0, 0, 7)
		}
		return sure(day, m.hour24(), m.minute)
	}
	early, late := m.hour%12, m.hour%12+12
	switch {
	case waking && early >= 3:
		late = early
	case dated && m.days != 0, dated && !m.dated:
		if early >= 1 && early <= 5 {
			early = late
		}
		if m.hour == 12 {
			early = 12
		}
		late = early
	}
	return next(day, now, dated, early, late, m.minute)
}

// next is the first of the two hours of day that is after now; without a date
// that of the day after will do.
func next(day, now time.Time, dated bool, early, late, minute int) time.Time {
	days := 2
	if dated {
		days = 1
	}
	for i := range days {
		for _, h := range []int{early, late} {
			if d := day.AddDate(0, 0, i); onDay(d, h, minute).After(now) {
				return sure(d, h, minute)
			}
		}
	}
	return sure(day.AddDate(0, 0, 1), early, minute)
}

// day is the date that m names, today when it names none.
func (m moment) day(now time.Time) (day time.Time, dated bool) {
	y, mo, d := now.Date()
	today := time.Date(y, mo, d, 12, 0, 0, 0, now.Location())
	switch {
	case m.date > 0 && m.month > 0:
		t := time.Date(y, m.month, m.date, 12, 0, 0, 0, now.Location())
		if t.Before(today) {
			t = time.Date(y+1, m.month, m.date, 12, 0, 0, 0, now.Location())
		}
		return t, true
	case m.date > 0:
		t := time.Date(y, mo, m.date, 12, 0, 0, 0, now.Location())
		if t.Before(today) {
			t = time.Date(y, mo+1, m.date, 12, 0, 0, 0, now.Location())
		}
		return t, true
	case m.week > 0:
		ahead := (int(m.weekday) - int(today.Weekday()) + 7) % 7
		if m.week == 2 { // that of the week that begins next Monday
			ahead = (8-int(today.Weekday()))%7 + (int(m.weekday)+6)%7
			if today.Weekday() == time.Monday {
				ahead += 7
			}
		}
		return today.AddDate(0, 0, ahead), true
	}
	return today.AddDate(0, 0, m.days), m.dated
}

// hour24 is the hour within the day's 24, or beyond them after midnight.
func (m moment) hour24() int {
	h := m.hour
	if m.exact && h > 12 || h == 0 {
		if h == 0 && (m.part == evening || m.part == night) {
			return 24
		}
		return h
	}
	switch m.part {
	case dawn, morning:
		if h == 12 && m.part != noonish {
			return map[bool]int{true: 0, false: 12}[m.part == dawn]
		}
	case noonish:
		if h < 10 {
			return h + 12
		}
	case afternoon:
		if h < 12 {
			return h + 12
		}
	case evening, night:
		switch {
		case h == 12:
			return 24
		case h >= 5:
			return h + 12
		case m.dated:
			return h + 24
		}
	}
	return h
}

// onDay is a time of a day by the calendar.
func onDay(day time.Time, hour, minute int) time.Time {
	y, mo, d := day.Date()
	return time.Date(y, mo, d, hour, minute, 0, 0, day.Location())
}

// sure is onDay; where that time does not exist (daylight saving) it is an hour
// later, not the hour before that time.Date may answer.
func sure(day time.Time, hour, minute int) time.Time {
	t := onDay(day, hour, minute)
	if want := hour % 24; t.Hour() == (want+23)%24 {
		return t.Add(time.Hour)
	}
	return t
}
