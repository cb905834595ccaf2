package phrases

// TimerFault is the sentence for a fault of text.TimerPhrase, by its name; ok is
// false for a name that has none. what is the number of the fault "unit".
func TimerFault(fault, what, lang string) (sentence string, ok bool) {
	switch fault {
	case "several":
		return TimerOneAtATime.In(lang), true
	case "repeats":
		return TimerNoRepeat.In(lang), true
	case "time":
		return TimerNoSuchTime.In(lang), true
	case "unit":
		return TimerWhichUnit.In(lang, what, what), true
	case "length":
		return TimerNoSuchLength.In(lang), true
	}
	return "", false
}
