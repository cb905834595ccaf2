// Package console is homebot in a web browser: the pages, one websocket and the
// HTTP API (docs/CONSOLE.md, openapi.yaml).
//
// A Console watches the event bus and hands orders to those who own what is
// ordered: turns to the voice.Handler, timers to their desk, recipes to the
// kitchen, sessions to the archive. It writes no file but its own
// (<workspace>/console). It is safe by default: loopback until configured, then
// a token or a code that the device speaks; every request's Host and Origin are
// looked at before anything else.
package console
