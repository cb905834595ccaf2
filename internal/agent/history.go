package agent

import (
	"homebot/internal/conversation"
	"homebot/internal/llm"
)

// history is what the model sees of a conversation: ordinary ordered user and
// assistant messages, exactly as they were sent and answered (R33, R36). Tool
// calls live only inside their turn; an exit without a turn is no message.
func history(records []conversation.Record) []llm.Message {
	msgs := make([]llm.Message, 0, 2*len(records)+2)
	for _, r := range records {
		if !r.IsTurn() {
			continue
		}
		msgs = append(msgs, llm.Message{Role: llm.User, Content: r.SentContent()})
		// Nothing was heard of an interrupted reply: an empty assistant
		// message would be refused by some servers.
		if reply := r.RawReply(); reply != "" {
			msgs = append(msgs, llm.Message{Role: llm.Assistant, Content: reply})
		}
	}
	return msgs
}
