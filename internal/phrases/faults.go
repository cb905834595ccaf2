package phrases

// faults are the sentences of what is wrong that stand by themselves. A mistake
// in the configuration names its line and is none of them.
func faults() []Phrase {
	return []Phrase{
		NoMicrophone, NoLoudspeaker, SpeechGone, SpeechLoading, RemoteSpeechGone, VoiceGone, NetworkGone,
		LLMGone, LLMKeyWrong, CardFull, CardReadOnly, ClockUnset, ConfigMistake,
	}
}

// Faults are the sentences of what is wrong in lang, by what they are in the
// other language: a fault is told in the device's language, a page has its own.
func Faults(lang string) map[string]string {
	all := map[string]string{}
	for _, p := range faults() {
		other := p.ZH
		if lang == Chinese {
			other = p.EN
		}
		all[other] = p.In(lang)
	}
	return all
}

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
