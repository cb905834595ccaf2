package contextmode

import "testing"

func TestDefaultIsComplete(t *testing.T) {
	if _, err := parseOnto(Table{}, "default.toml", defaultTOML); err != nil {
		t.Fatal(err)
	}
}
