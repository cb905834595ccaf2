// Package agent is one turn of the dialogue: assemble the request, let the
// model and the tools work in bounded rounds, speak the reply, record it.
//
// One turn runs at a time, on any channel. What a turn does to the run mode goes
// through package modes; what it says goes to the voice.Reply it was given.
package agent
