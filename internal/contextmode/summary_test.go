package contextmode

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func saidTurns(pairs ...string) []Turn {
	var turns []Turn
	for i := 0; i < len(pairs); i += 2 {
		turns = append(turns, Turn{Speaker: "妈妈", User: pairs[i], Assistant: pairs[i+1], Sent: pairs[i], Reply: pairs[i+1]})
	}
	return turns
}

// C10: every number, time and amount of a model's summary is compared with the
// originals, whichever way it is written; what is not among them is refused.
func TestCheckSummary(t *testing.T) {
	turns := saidTurns(
		"帮我定一个17分钟的计时器，炖番茄", "好的，十七分钟。",
		"我们三个人吃，放多少克盐？", "放5克盐，再加半勺糖、1.5升水，七点半能吃。",
		"set another one for twenty five minutes", "Done: 25 minutes, and bake at 180 degrees until 8 pm.",
	)
	turns = append(turns, Turn{User: "放九十九克糖", Failed: true})
	for _, good := range []string{
		"定了17分钟的计时器。", "计时十七分钟，炖番茄", "17 minutes for the tomatoes, 25 min for the rest", "三人吃，5克盐，半勺糖，1.5升水，7:30 吃",
		"3个人，盐五克", "晚上19:30能吃，八点前烤好，180度", "two things were said: twenty-five minutes", "说了一下盐和糖，一起炖，简单一点", "没有数字",
		"一位家人问了一个问题",
	} {
		if err := CheckSummary(good, turns); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, lie := range []string{
		"定了18分钟的计时器。", "计时十八分钟", "17小时", "四个人吃", "盐50克", "盐五十克", "0.5升水", "7:45 吃", "七点吃", "thirty minutes", "25 hours",
		"180克", "99克糖", "九十九克糖", "", "  \n", "一半时间用1/3杯水",
	} {
		if err := CheckSummary(lie, turns); !errors.Is(err, ErrSummary) {
			t.Errorf("%q passed", lie)
		}
	}
}

// C10: numbers as they are read.
func TestAmounts(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"17分钟", "17000minute"}, {"十七分钟", "17000minute"}, {"一百五十克", "150000gram"}, {"两勺盐", "2000spoon"}, {"二两肉", "2000liang"},
		{"半杯", "500cup"}, {"一个半小时", "1500hour"}, {"八分半", "8500minute"}, {"1.5 kg", "1500kg"}, {"1/2 cup", "500cup"}, {"half an hour", "500hour"},
		{"7:30", "450000time"}, {"19:30", "450000time"}, {"七点半", "450000time"}, {"7点30分", "450000time"}, {"晚上八点", "480000time"}, {"8 pm", "480000time"}, {"eight o'clock", "480000time"},
		{"three people", "3000person"}, {"thirty-two", ""}, {"thirty two minutes", "32000minute"}, {"two hundred grams", "200000gram"}, {"a hundred times", "100000times"},
		{"一下", ""}, {"一起", ""}, {"简单一点", ""}, {"一个", ""}, {"one of them", ""}, {"第3步", "3000step"}, {"170度", "170000degree"}, {"32%", "32000percent"},
		{"3000毫升", "3000000ml"}, {"三千毫升", "3000000ml"}, {"12345678901234567890", "1000000000000000"}, {"2:99", "2000 99000"}, {"1.", "1000"}, {"bake", ""}, {"h2o", "2000"}, {"\xff三个人", "3000person"},
	} {
		var got []string
		for n := range amounts(tt.text) {
			got = append(got, fmt.Sprint(n.milli)+n.unit)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// C10: the extractive block is deterministic, within its tokens, of whole
// sentences, and always right by its own checker; small talk and failed turns are
// not in it.
func TestExtractive(t *testing.T) {
	turns := saidTurns(
		"谢谢你", "不客气。", "下一步呢", "把锅烧热。注意安全。", "帮我定17分钟的计时器", "好的。17分钟的计时器已经开始。", "小宝对花生过敏", "记下了。",
	)
	turns = append(turns, Turn{User: "断了 88 分钟", Failed: true})
	got := Extractive(turns, 40, Meter{})
	if want := "妈妈: 下一步呢→ 把锅烧热。 | 妈妈: 帮我定17分钟的计时器→ 好的。17分钟的计时器已经开始。 | 妈妈: 小宝对花生过敏→ 记下了。"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if short := Extractive(turns, 20, Meter{}); !strings.Contains(short, "17分钟") || !strings.Contains(short, "过敏") || strings.Contains(short, "烧热") {
		t.Errorf("what matters does not come first: %s", short)
	}
	if Extractive(turns, 0, Meter{}) != "" || Extractive(nil, 100, Meter{}) != "" {
		t.Error("out of nothing comes something")
	}
	all := Extractive(turns, 1000, Meter{})
	for _, gone := range []string{"谢谢", "88", "不客气"} {
		if strings.Contains(all, gone) {
			t.Errorf("%q is in %s", gone, all)
		}
	}
	log := kitchenLog(200)
	for n := 5; n <= 200; n += 5 {
		for _, tokens := range []int{5, 30, 100, 500} {
			s := Extractive(log[n-5:n], tokens, Meter{})
			if s != Extractive(log[n-5:n], tokens, Meter{}) || s != "" && CheckSummary(s, log[n-5:n]) != nil {
				t.Fatalf("%q", s)
			}
			if got := (Meter{}).Tokens(s); got > tokens+45 { // speakers and arrows
				t.Fatalf("%d tokens for %d: %q", got, tokens, s)
			}
		}
	}
}

// C9: the summary is asked with one message behind the live prefix, and its answer
// is read line by line; what is missing or made up is left out.
func TestInstruction(t *testing.T) {
	log := kitchenLog(12)
	ranges := []Range{{0, 5}, {5, 10}, {10, 99}}
	for lang, want := range map[string]string{"zh": "原样保留", "en": "word for word"} {
		text := Instruction(log, ranges, lang)
		if !strings.Contains(text, want) || !strings.Contains(text, "[1-5] “第1步做完了") || !strings.Contains(text, "[6-10] ") || strings.Contains(text, "[11-") {
			t.Errorf("%s: %s", lang, text)
		}
	}
	got := ReadSummaries("好的：\n[1-5] 放了盐\n [6-10]  炖着 \n[1-5] 又一次\n[11-15] 没有问\n[x] y\n[3-2] z\n", ranges)
	if len(got) != 2 || got[Range{0, 5}] != "放了盐" || got[Range{5, 10}] != "炖着" {
		t.Errorf("%v", got)
	}
}

// C5: importance by plain words of both languages.
func TestImportance(t *testing.T) {
	for _, tt := range []struct {
		user, assistant string
		want            float64
	}{
		{"定个闹钟", "好", ImportanceDetail}, {"Set a TIMER please", "ok", ImportanceDetail}, {"she is Allergic to nuts", "", ImportanceDetail}, {"爷爷不能吃辣", "", ImportanceDetail},
		{"放多少盐", "五克。", ImportanceDetail}, {"how much", "two cups", ImportanceDetail}, {"怎么炖", "小火慢炖。", ImportanceTurn}, {"简单一点", "好的", ImportanceTurn},
		{"嗯，好的，谢谢！", "不客气", ImportanceTalk}, {"Thank you very much!", "you are welcome", ImportanceTalk}, {"", "", ImportanceTalk},
	} {
		turn := Turn{User: tt.user, Assistant: tt.assistant}
		if got := turn.Importance(); got != tt.want {
			t.Errorf("%q, %q: %v, want %v", tt.user, tt.assistant, got, tt.want)
		}
	}
	turn := Turn{User: "定 5 分钟", Failed: true}
	if turn.Importance() != ImportanceTalk || (Fact{}).Importance() != ImportanceFact || (Fact{Unconfirmed: true}).Importance() != ImportanceTurn {
		t.Error("failed turn or fact")
	}
}

// C5: telling the importance of a turn allocates nothing.
func TestImportanceAllocatesNothing(t *testing.T) {
	turn := Turn{User: "下一步是什么呢 please", Assistant: "转小火，盖上锅盖慢慢炖。"}
	if n := testing.AllocsPerRun(100, func() { turn.Importance() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// C24, R44: facts in force: the last wording, each text once, none of a failed
// turn.
func TestFactsInForce(t *testing.T) {
	turns := []Turn{
		{Facts: []Fact{{ID: "1", Text: "四人"}, {ID: "2", Text: "虾过敏"}}},
		{Facts: []Fact{{ID: "3", Text: "三人", Replaces: "1"}}, Failed: true},
		{Facts: []Fact{{ID: "4", Text: "虾过敏 "}, {ID: "5", Text: "五人", Replaces: "1"}}},
		{Facts: []Fact{{ID: "6", Text: "六人", Replaces: "5"}, {ID: "7", Text: "x", Replaces: "7"}, {ID: "8", Text: " "}, {ID: "9", Text: "早", Replaces: "99"}}},
	}
	var got []string
	for _, f := range factsInForce(turns) {
		got = append(got, f.ID)
	}
	if !slices.Equal(got, []string{"4", "6", "7", "9"}) {
		t.Errorf("%v", got)
	}
}

func FuzzCheckSummary(f *testing.F) {
	f.Add("放5克盐，7:30吃", "放五克盐。七点半吃！")
	f.Add("1/0 9.99999999999 二二二二", "twenty hundred 一百百万 半半")
	f.Fuzz(func(t *testing.T, user, assistant string) {
		turns := saidTurns(user, assistant)
		if s := Extractive(turns, 50, Meter{}); s != "" && len(user)+len(assistant) < 4000 {
			turns[0].Speaker = ""
			s = Extractive(turns, 50, Meter{})
			if strings.ToValidUTF8(s, "") == "" {
				t.Fatalf("%q", s)
			}
		}
		for n := range amounts(user) {
			if n.at < 0 || n.at >= len(user) {
				t.Fatalf("%+v", n)
			}
		}
		_ = CheckSummary(user, turns)
		for r := range ReadSummaries(user, []Range{{0, 5}}) {
			if r != (Range{0, 5}) {
				t.Fatal(r)
			}
		}
	})
}
