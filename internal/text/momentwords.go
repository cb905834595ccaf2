package text

import "time"

// partWords are tried in order: longer ones first.
var partWords = []struct {
	words string
	part  partOfDay
	days  int // 今晚 and 明早 hold a date
	dated bool
}{
	{"今天晚上", evening, 0, true}, {"明天晚上", evening, 1, true}, {"明天早上", morning, 1, true},
	{"今晚上", evening, 0, true}, {"今晚", evening, 0, true}, {"明晚", evening, 1, true}, {"今早", morning, 0, true},
	{"明早上", morning, 1, true}, {"明早", morning, 1, true}, {"明晨", morning, 1, true}, {"后天早上", morning, 2, true},
	{"凌晨", dawn, 0, false}, {"清晨", morning, 0, false}, {"清早", morning, 0, false}, {"大早上", morning, 0, false}, {"早上", morning, 0, false},
	{"早晨", morning, 0, false}, {"上午", morning, 0, false}, {"中午", noonish, 0, false}, {"正午", noonish, 0, false},
	{"下午", afternoon, 0, false}, {"午后", afternoon, 0, false}, {"傍晚", evening, 0, false}, {"晚上", evening, 0, false},
	{"夜晚", evening, 0, false}, {"夜里", night, 0, false}, {"半夜", night, 0, false}, {"深夜", night, 0, false},
	{"午夜", night, 0, false}, {"早", morning, 0, false}, {"晚", evening, 0, false},
	{"this morning", morning, 0, true}, {"this afternoon", afternoon, 0, true}, {"this evening", evening, 0, true},
	{"tonight", evening, 0, true}, {"in the morning", morning, 0, false}, {"in the afternoon", afternoon, 0, false},
	{"in the evening", evening, 0, false}, {"at night", night, 0, false}, {"morning", morning, 0, false},
	{"afternoon", afternoon, 0, false}, {"evening", evening, 0, false}, {"night", evening, 0, false},
	{"a m", morning, 0, false}, {"am", morning, 0, false}, {"p m", afternoon, 0, false}, {"pm", afternoon, 0, false},
}

var dayWords = []struct {
	words string
	days  int
}{
	{"大后天", 3}, {"后天", 2}, {"明天", 1}, {"明日", 1}, {"今天", 0}, {"今日", 0},
	{"the day after tomorrow", 2}, {"day after tomorrow", 2}, {"tomorrow", 1}, {"today", 0},
}

var weekdayWords = map[string]time.Weekday{
	"一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "日": 0, "天": 0,
	"monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "sunday": 0,
	"mondays": 1, "tuesdays": 2, "wednesdays": 3, "thursdays": 4, "fridays": 5, "saturdays": 6, "sundays": 0,
}

var monthWords = map[string]time.Month{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
	"september": 9, "october": 10, "november": 11, "december": 12,
}
