package conversation

import (
	"slices"

	"homebot/internal/phrases"
	"homebot/internal/store"
)

// Speakers are who said something in records, in the order they first did.
func Speakers(records []Record) []string {
	var all []string
	for _, r := range records {
		if r.IsTurn() && !slices.Contains(all, r.SpeakerID) {
			all = append(all, r.SpeakerID)
		}
	}
	return all
}

// Forget writes the log at path anew without the turns of a speaker: a person's
// right, and the one exception to R38. Lines that cannot be read go too: nobody
// knows whose they are. What such a turn did to the mode stays, as a line without
// words. The caller holds the conversation; nobody has it open.
func Forget(fsys store.FS, path, speaker string) error {
	records, _, err := Load(fsys, path)
	if err != nil {
		return err
	}
	var data []byte
	for _, r := range records {
		if r.IsTurn() && r.SpeakerID == speaker {
			if r.Enter == nil && r.Exit == nil {
				continue
			}
			r = Record{Timestamp: r.Timestamp, Channel: ChannelSystem, ID: r.ID, Enter: r.Enter, Exit: r.Exit}
			if r.Exit != nil {
				r.Exit = &Exit{Reason: r.Exit.Reason, Next: r.Exit.Next}
			}
		} else if r.Exit != nil { // a model's summary of all that was said
			exit := *r.Exit
			exit.Summary = ""
			r.Exit = &exit
		}
		line, err := r.MarshalLine()
		if err != nil {
			return phrases.Errorf(phrases.ConversationWrong, err)
		}
		data = append(append(data, line...), '\n')
	}
	return store.Replace(fsys, path, data, 0o600)
}
