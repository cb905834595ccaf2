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
//	d := Decide(table, Signals{Words: ReadWords(raw), …, Before: state})   // once a turn, nobody else
//	budget := table.BudgetAt(d.Profile, load, ringing, window, fixed)
//	p := Plan(Input{…, Current: content, Reopen: d.Reopens()})             // mark H
//	  p.Cut ⇒ append MarshalCut(*p.Cut), fsync; p.Room ≥ 0 ⇒ CutMiddle, tell the user
//	v := Fold(turns, cuts)
//	msgs := v.Messages(system, header + Corrections(turns, cuts) + words)
//	  … model, tools, record …
//	k = k.Adjust(usage.Prompt, meter.RawMessages(msgs) + meter.Raw(tools))
//	p = Plan(Input{…, After: true})                                        // mark 0.9·H, the reply was spoken
//	  p.Cut ⇒ ask the model: msgs of the live prefix + Instruction(turns, p.Ranges, lang),
//	  ReadSummaries, Plan again with them, append, fsync, warm up
//
// The user never waits: a turn that begins while the summary is being made just
// cancels it. Its own Plan cuts only at H, and then with extractive blocks.
//
// Tool calls and their results live inside their turn (R33): a Turn cannot hold
// them, so no view can have an orphan (C22).
package contextmode
