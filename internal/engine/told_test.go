package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"homebot/internal/phrases"
)

// Who holds a workspace, or that nobody does, is told in the language of the
// terminal.
func TestHeldAndNobodyAreTold(t *testing.T) {
	dir := t.TempDir()
	_, nobody := Look(context.Background(), dir)
	_, none := Attach(context.Background(), dir)
	lock, err := Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	_, held := Acquire(dir)
	_, mute := Attach(context.Background(), dir)
	pid := os.Getpid()
	if got := phrases.Told(nobody, phrases.Chinese); !errors.Is(nobody, ErrNobody) || !strings.HasPrefix(got, "没有 homebot 在为这个工作目录服务（原因：") {
		t.Errorf("nobody: %q", got)
	}
	for _, tt := range []struct {
		err, is error
		zh      string
	}{
		{held, ErrHeld, fmt.Sprintf("另一个 homebot 正在用这个工作目录（进程 %d）", pid)},
		{mute, ErrHeld, fmt.Sprintf("另一个 homebot 正在用这个工作目录（进程 %d），但它没有应答；请停掉那个进程再试", pid)},
		{none, ErrNoEngine, "这个工作目录上没有 homebot 在运行（" + dir + "）；请先用 homebot run 启动"},
	} {
		if got := phrases.Told(tt.err, phrases.Chinese); !errors.Is(tt.err, tt.is) || got != tt.zh {
			t.Errorf("%v is %v: %v\n%q, want\n%q", tt.err, tt.is, errors.Is(tt.err, tt.is), got, tt.zh)
		}
	}
}
