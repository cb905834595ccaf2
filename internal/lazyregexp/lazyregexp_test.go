package lazyregexp

import "testing"

func TestCompilesOnFirstUse(t *testing.T) {
	r := New(`(\d+)(?P<unit>g|ml)`)
	if !r.MatchString("350g") || r.FindString("a 5ml b") != "5ml" || r.FindStringSubmatch("350g")[1] != "350" {
		t.Error("does not match as regexp does")
	}
	if got := r.ReplaceAllString("1g 2ml", "$1 $unit"); got != "1 g 2 ml" {
		t.Errorf("replaced to %q", got)
	}
	if r.SubexpIndex("unit") != 2 || len(r.FindAllString("1g 2ml", -1)) != 2 {
		t.Error("groups or all matches differ")
	}
}

func TestBadExpression(t *testing.T) {
	bad := New(`(`) // not compiled yet: no panic
	defer func() {
		if recover() == nil {
			t.Error("Check did not panic")
		}
	}()
	bad.Check()
}
