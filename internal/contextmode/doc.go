// Package contextmode decides how much context one request to the model carries,
// and keeps the provider's prefix cache warm while it does.
//
// It is pure: no I/O, no clock, no goroutine, no state of its own. Whoever calls
// it brings every value along and stores every result. Nothing it is given is
// ever written to (C11).
//
// # The view is a fold
//
// A conversation is two logs that only grow: its turns and its cut records. What
// the model sees is
//
//	system ‖ facts and blocks (frozen at the last cut) ‖ turns[start:] as sent ‖ current
//
// and Fold computes it from the logs alone: the same logs give the same bytes on
// any machine, after any restart, under any profile. A profile is a watermark,
// not a filter: changing it moves no byte until the next cut (C14, C21).
//
// # One turn
//
// The agent, which owns logs, clock and network, goes through a turn like this:
//
//	words := ReadWords(raw)                          // "用快速应答", "说详细点"
//	d := Decide(table, Signals{…, Before: state})    // once a turn, by nobody else
//	p := Plan(Input{…, Current: content})            // H, before the request
//	  p.Cut != nil ⇒ append MarshalCut(*p.Cut), fsync
//	v := Fold(turns, cuts)
//	msgs := v.Messages(system, header + Corrections(turns, cuts) + words)
//	  … model, tools, record …
//	k = k.Adjust(usage.Prompt, estimate)             // calibration
//	p = Plan(Input{…, AfterReply: true})             // 0.9·H, when the reply was spoken
//	  p.Cut != nil ⇒ ask the model with Instruction(p.Ranges, …) behind the live
//	  prefix, ReadSummaries its answer, Plan again with them, append, fsync, warm up
//
// Tool calls and their results live inside their turn (R33): a Turn cannot hold
// them, so no view can have an orphan (C22).
package contextmode
