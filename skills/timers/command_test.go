package timers

import (
	"testing"
	"testing/synctest"
)

// V9: an order by hand sets every timer that its words name, or none with the
// reason.
func TestCommandSetsSeveral(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := NewDesk(newMachine().open(t), "en")
		for _, c := range []struct {
			words, say string
			ok         bool
		}{
			{"eggs five minutes and rice ten minutes", "Okay, the timer for “eggs” is set: 5 minutes. Okay, the timer for “rice” is set: 10 minutes.", true},
			{"鸡蛋每天七点", "重复的闹钟我还不会，所以没有设。只响一次的可以，请说哪天几点。", false},
			{"five minutes ten minutes", "That was more than one time, so I changed nothing. One at a time, please.", false},
			{"eggs", "For how long, or until when?", false},
			{"set alarms for 7 and 8 tomorrow", "Okay, I'll ring at 7 in the morning tomorrow. Okay, I'll ring at 8 in the morning tomorrow.", true},
		} {
			if r := d.Do(t.Context(), Command{Do: DoSet, Words: c.words}); r.Say != c.say || r.OK != c.ok {
				t.Errorf("%s: %+v", c.words, r)
			}
		}
		if n := len(d.Rows()); n != 4 {
			t.Errorf("%d timers", n)
		}
	})
}
