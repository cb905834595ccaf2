// Package engine is the one homebot of a workspace (S4): it holds the lock,
// runs the agent, and serves the socket to everybody else.
//
// A command calls Connect: when an engine is alive it becomes its client,
// otherwise it takes the lock and runs the same engine in its own process, as
// long as it needs it. Either way it talks the same protocol (JSON lines), over
// the socket or over a pipe in memory.
package engine
