package setup

import (
	"os"
	"testing"

	"homebot/internal/config"
)

// The file that lies on the card when it is written is right as it is, and opens
// the console with a token of its own.
func TestFileOnTheCard(t *testing.T) {
	file, err := os.ReadFile("../../deploy/pi/boot/homebot.toml")
	if err != nil {
		t.Fatal(err)
	}
	d := card(map[string]string{ConfigName: string(file)})
	r := prepare(d)
	c, problems := config.ReadAnyway(ConfigName, r.File, r.Secrets)
	if len(problems) > 0 || len(r.Problems) > 0 {
		t.Errorf("%v, %v", r.Problems, problems)
	}
	if c.Console.Listen != "0.0.0.0:8080" || len(c.Console.Token.Reveal()) != 32 || c.LLM.Configured() || r.System.Hostname != "homebot" {
		t.Errorf("console %v, host %q", c.Console, r.System.Hostname)
	}
	if len(r.System.Networks) != 0 {
		t.Errorf("networks %v", r.System.Networks)
	}
}
