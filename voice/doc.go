// Package voice is the voice session: from a wake word to the last word of the
// reply, and what comes after it.
//
// Listener hears and decides where an utterance ends, Loop owns the dialogue
// state, Speaker speaks the reply sentence by sentence while it is still being
// written. Who answers is a Handler; voice does not know the agent.
package voice
