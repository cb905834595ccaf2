// Package conversation is one dialogue on disk: a Record a turn (R43), a Log
// that only grows (R38), and the ids of turns and sessions.
//
// The log is complete: what was said is never rewritten, trimmed or reordered
// here. What of it a model gets to see is decided elsewhere.
package conversation
