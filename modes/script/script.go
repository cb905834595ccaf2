// Package script runs a mode's own code: the Starlark file mode.star of a skill
// folder (R17). The code runs in a child process that may use little memory and
// time and can touch nothing: what it reads comes from the mode's data
// directory, what it writes is carried out by this process after the hook
// succeeded, so a hook that fails half-way leaves nothing behind.
//
// Runner is the parent's side, Serve the child's (`homebot mode-script`). One
// request and one response go over the pipes, as JSON.
package script

import (
	"encoding/json"
	"time"
)

// Bounds of one call.
const (
	// maxSteps of the interpreter: far above any hook, and some hundredths of a
	// second of a desktop's time.
	maxSteps = 1_000_000
	// deadline is when the child is killed.
	deadline = 3 * time.Second
	// maxData is how much memory the child may take beyond its start
	// (RLIMIT_DATA); steps do not bound memory.
	maxData = 64 << 20
	// maxMessage bounds a request and a response, in bytes.
	maxMessage = 8 << 20
	// maxText bounds one string that goes into a prompt or to the model.
	maxText = 16 << 10
	// maxWrites and maxWritten bound what one hook may write.
	maxWrites  = 64
	maxWritten = 1 << 20
)

// Calls of a request.
const (
	callDescribe = "describe"
	callStatic   = "static_prompt"
	callRuntime  = "runtime_context"
	callExit     = "after_exit"
	callTool     = "tool"
)

// request is what the child is asked to do.
type request struct {
	File   string `json:"file"` // for error messages
	Name   string `json:"name"` // of the struct in it
	Source string `json:"source"`
	Call   string `json:"call"`

	Scope   *scope          `json:"scope,omitempty"`
	Tool    string          `json:"tool,omitempty"`
	Args    json.RawMessage `json:"args,omitempty"`
	Summary string          `json:"summary,omitempty"`
	Turns   []turn          `json:"turns,omitempty"`
}

// scope is modes.Scope on the wire.
type scope struct {
	ModeID    string   `json:"mode_id"`
	SessionID string   `json:"session_id"`
	Now       string   `json:"now"` // RFC 3339 with the local offset
	Lang      string   `json:"lang"`
	DataDir   string   `json:"data_dir"`
	Facts     []string `json:"facts"`
}

// turn is one turn of a finished session.
type turn struct {
	Time      string `json:"time"`
	Speaker   string `json:"speaker"`
	User      string `json:"user"`
	Assistant string `json:"assistant"`
	Failed    bool   `json:"failed"`
}

// response is what the child did; exactly one of Error and the rest counts.
type response struct {
	Error  *failure    `json:"error,omitempty"`
	Hooks  []string    `json:"hooks,omitempty"`  // describe
	Tools  []toolSpec  `json:"tools,omitempty"`  // describe
	Text   string      `json:"text,omitempty"`   // static_prompt, tool
	Fields [][2]string `json:"fields,omitempty"` // runtime_context
	Writes []write     `json:"writes,omitempty"`
}

// failure is where the script failed and why.
type failure struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
	ZH     string `json:"zh,omitempty"` // Reason in Chinese, if it is told in that
}

// toolSpec is a tool the script offers.
type toolSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
}

// write is a file of the data directory that the hook wants to have.
type write struct {
	Path string `json:"path"`
	Text string `json:"text"`
}
