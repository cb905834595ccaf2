package text

import (
	"fmt"
	"strings"
	"testing"
)

// V9: several timers in one sentence are told apart only where it is clear which
// name belongs to which length; else nothing is guessed.
func TestParseTimers(t *testing.T) {
	for _, c := range []struct{ words, want string }{
		{"鸡蛋五分钟，米饭十分钟", "鸡蛋 5m0s; 米饭 10m0s"},
		{"煮鸡蛋八分钟，煮面五分钟", "煮鸡蛋 8m0s; 煮面 5m0s"},
		{"鸡蛋五分钟和米饭十分钟", "鸡蛋 5m0s; 米饭 10m0s"},
		{"set a timer for five minutes for eggs and ten minutes for rice", "eggs 5m0s; rice 10m0s"},
		{"set an egg timer for five minutes and a rice timer for ten minutes", "egg 5m0s; rice 10m0s"},
		{"set two timers: 5 minutes and 10 minutes", " 5m0s;  10m0s"},
		{"定两个定时，五分钟和十分钟", " 5m0s;  10m0s"},
		{"三分钟后和五分钟后提醒我", " 3m0s;  5m0s"},
		{"an hour and a half for rice and five minutes for eggs", "rice 1h30m0s; eggs 5m0s"},
		{"定时五分钟，定时五分钟", " 5m0s"},
		{"五分钟，不对，十分钟", " 10m0s"},
		{"set a timer for five minutes, no, ten minutes", " 10m0s"},
		{"set a timer for ten minutes, no, twelve", " 12m0s"},
		{"set a timer for ten, no, twelve minutes", " 12m0s"},
		{"set a timer for an hour, sorry, two for the roast", "roast 2h0m0s"},
		{"set a timer for ten minutes, not twelve minutes", " 10m0s"},
		{"set a timer for ten minutes, no salt", "no salt 10m0s"},
		{"定时十分钟，不对，十二", " 12m0s"},
		{"wake me at 7, no, 8", "08:00"},
		{"set an alarm for seven, I mean eight, for the bread", "bread08:00"},
		{"七点叫我，不对，八点", "20:00"},
		{"set a timer for an hour and ten minutes", " 1h10m0s"},
		{"鸡蛋再加五分钟，米饭再加两分钟", "several"},
		{"五分钟十分钟", "several"},
		{"先煮五分钟再焖十分钟", "several"},
		{"five minutes for salt and pepper ten minutes", "several"},
		{"三分钟后和五分钟后提醒我关火", "several"},
		{"取消五分钟和十分钟的定时", "several"},
		{"七点和八点各叫我一次", "07:00; 08:00"},
		{"七点、八点叫我", "07:00; 08:00"},
		{"明天七点和八点叫我", "07:00; 08:00"},
		{"晚上九点和十点提醒我吃药", "吃药21:00; 吃药22:00"},
		{"明天早上七点和晚上八点分别提醒我吃药", "吃药07:00; 吃药20:00"},
		{"set alarms for 7 and 8", "07:00; 08:00"},
		{"wake me at 7 and 8", "07:00; 08:00"},
		{"set alarms for seven, eight and nine please", "07:00; 08:00; 09:00"},
		{"remind me at 9 and 10 pm to take the pills", "take the pills21:00; take the pills22:00"},
		{"set an alarm for 7 and 8 tomorrow", "07:00; 08:00"},
		{"七点到八点叫我", "several"},
		{"七点或者八点叫我", "several"},
		{"今晚九点和早上七点叫我", "several"},
		{"七点起床八点出门提醒我", "several"},
		{"set alarms for seven, ten and eleven", "several"},
		{"wake me at 7 or 8", "several"},
		{"remind me at 7 and two eggs", "two eggs07:00"},
		{"set an alarm at 7 for 10 minutes", "07:00"},
		{"七点叫我，五分钟后提醒我关火", "several"},
		{"每天早上六点半叫我", "repeats"},
		{"工作日早上七点叫我", "repeats"},
		{"wake me at 6:30 every day", "repeats"},
		{"remind me every hour to drink water", "repeats"},
		{"每三分钟提醒我翻面", "repeats"},
		{"set an alarm for 25:00", "time"},
		{"定一个二十五点的闹钟", "time"},
		{"timer 90", "unit"},
		{"定时90", "unit"},
		{"set a timer for 400 days", "length"},
		{"set a timer for 3 years", "length"},
		{"set a timer for two years please", "length"},
		{"定时三年", "length"},
		{"十年后提醒我换锅", "length"},
		{"5分钟后提醒我看三年的账", "看三年的账 5m0s"},
		{"提醒我10分钟后看三年级的作业", "看三年级的作业 10m0s"},
		{"turn the oven off in two minutes", "turn the oven off 2m0s"},
		{"switch the stove off after ten minutes", "switch the stove off 10m0s"},
		{"put the kettle on in five minutes", "put the kettle on 5m0s"},
		{"remind me in ten minutes to turn it off", "turn it off 10m0s"},
		{"set a timer for ten minutes to pick the kids up", "pick the kids up 10m0s"},
		{"turn the eggs in ten minutes", "turn the eggs 10m0s"},
		{"定时零分钟", "length"},
		{"set a timer for 0 minutes", "length"},
		{"定时三到五分钟", "several"},
		{"三五分钟后叫我", "several"},
		{"定时三十五分钟", " 35m0s"},
		{"set a timer for five or ten minutes", "several"},
		{"set a timer for 5 to 10 minutes", "several"},
		{"set an alarm for 7 and 8", "07:00; 08:00"},
		{"wake me at ten to eight", "07:50"},
		{"煮饺子十分钟，面条五分钟，鸡蛋八分钟", "煮饺子 10m0s; 面条 5m0s; 鸡蛋 8m0s"},
		{"remind me in five minutes to stir and in ten minutes to eat", "stir 5m0s; eat 10m0s"},
		{"五分钟后提醒我关火，十分钟后提醒我吃饭", "关火 5m0s; 吃饭 10m0s"},
		{"five minutes to ten minutes", "several"},
		{"定时五分钟到十分钟", "several"},
		{"ring at noon", "12:00"},
		{"取消所有定时", "cancel_all"},
	} {
		all, ok := ParseTimers(c.words, timerNow)
		var got []string
		for _, p := range all {
			switch {
			case p.Fault != "":
				got = append(got, string(p.Fault))
			case p.Action == TimerCancelAll:
				got = append(got, string(p.Action))
			case !p.At.IsZero():
				got = append(got, p.Label+p.At.Format("15:04"))
			default:
				got = append(got, fmt.Sprint(p.Label, " ", p.Span))
			}
		}
		if s := strings.Join(got, "; "); !ok || s != c.want {
			t.Errorf("%s: got %q, want %q", c.words, s, c.want)
		}
	}
}

// Whatever is said: as many timers as are told apart, each with an amount, or one
// phrase; nothing panics.
func FuzzParseTimers(f *testing.F) {
	for _, s := range []string{"鸡蛋五分钟，米饭十分钟", "five minutes for eggs and ten for rice", "每天七点", "25:00 alarm", "三到五分钟和", "timer 90"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		all, ok := ParseTimers(s, timerNow)
		if ok != (len(all) > 0) || len(all) > most {
			t.Fatalf("%q: %d phrases, %v", s, len(all), ok)
		}
		for _, p := range all {
			if len(all) > 1 && (p.Fault != "" || p.Span == 0 && p.At.IsZero()) {
				t.Errorf("%q: %+v", s, p)
			}
		}
	})
}
