package event

// Codes of Fault. Those of the voice session (microphone, ears, remote_ears,
// voice) are named again in package voice, which raises them. They are stable:
// the state light, the console and programs know them.
const (
	FaultMicrophone = "microphone"  // no sound comes in
	FaultEars       = "ears"        // the speech server is gone: nothing is understood
	FaultRemoteEars = "remote_ears" // the one on another machine is; ours stands in
	FaultVoice      = "voice"       // nothing can be spoken
	FaultNetwork    = "network"     // the language model's machine cannot be reached, nor anything else
	FaultLLM        = "llm"         // the network is there, the language model does not answer
	FaultDisk       = "disk"        // the workspace cannot be written
	FaultClock      = "clock"       // nobody knows what time it is
	FaultConfig     = "config"      // homebot.toml has a mistake
	FaultUpdate     = "update"      // an update is being installed: no fault, shown like one
)

// Deaf reports whether nothing that is said now can be heard.
func (s State) Deaf() bool {
	for _, f := range s.Faults {
		if f.Code == FaultMicrophone || f.Code == FaultEars {
			return true
		}
	}
	return false
}
