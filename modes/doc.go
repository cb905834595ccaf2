// Package modes is the run-mode kernel: which modes there are (Registry), which
// one is active (Manager, action.json), and whether the user's own words really
// asked for a switch (Gate).
//
// A run mode is one lasting conversation, entered and left by speech: the model
// proposes a switch, the backend checks it against the words really spoken and
// carries it out. The kernel knows no mode in particular; each comes from a
// skill folder with a mode.json.
package modes
