// Package timers keeps the kitchen's timers and alarms: several, named, on disk
// before anything is said about them (V9).
//
// A Book is their one writer. A timer counts a length of time, whatever the wall
// clock does meanwhile; an alarm rings at a time of the calendar. Both lie in
// <workspace>/timers.json with the wall time they are due at, so that they
// survive restarts and power cuts; a timer also has its place on the clock that
// counts since the machine was booted, which tells a restart of the program from
// a clock that was set. What was due while the device was off rings late, or,
// when that would help nobody any more, is told once.
//
// A Desk is the Book as the model, the offline answers and the agent use it: four
// tools whose results say in one sentence what is really set.
package timers
