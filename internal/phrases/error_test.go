package phrases

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestErrorf(t *testing.T) {
	inner := Errorf(Phrase{ZH: "卡满了", EN: "the card is full"})
	outer := Errorf(Phrase{ZH: "%s 存不下（%v）：%s", EN: "%s cannot be saved (%v): %s"}, "a.jsonl", inner, fs.ErrPermission)
	const en, zh = "a.jsonl cannot be saved (the card is full): permission denied", "a.jsonl 存不下（卡满了）：permission denied"
	for _, tt := range []struct {
		err      error
		lang, is string
	}{
		{outer, English, en},
		{outer, Chinese, zh},
		{fmt.Errorf("turn 7: %w", outer), Chinese, "turn 7: " + zh},
		{fmt.Errorf("%w; try again", fmt.Errorf("x: %w", inner)), Chinese, "x: 卡满了; try again"},
		{errors.New("plain"), Chinese, "plain"},
		{fmt.Errorf("%w", errors.New("")), Chinese, ""},
		{errors.Join(fs.ErrExist, fs.ErrClosed), Chinese, "file already exists\nfile already closed"},
		{errors.Join(fs.ErrExist, inner), Chinese, "file already exists\n卡满了"},
		{fmt.Errorf("%w, %w; %w", inner, fs.ErrClosed, inner), Chinese, "卡满了, file already closed; 卡满了"},
	} {
		if got := Told(tt.err, tt.lang); got != tt.is {
			t.Errorf("Told(%v, %s) = %q, want %q", tt.err, tt.lang, got, tt.is)
		}
	}
	if outer.Error() != en {
		t.Errorf("its text is %q", outer.Error())
	}
	if !errors.Is(outer, fs.ErrPermission) || !errors.Is(outer, inner) {
		t.Error("the errors in it are not found")
	}
}
