package conversation

import (
	"crypto/rand"
	"encoding/hex"
	"time"
)

// NewID returns the id of a turn: 16 hex digits, random (R43).
func NewID() string { return randomHex(8) }

// NewChatID returns the id of a session on a channel, also its file's name:
// `<channel>-YYYYMMDD-HHMMSS-<6 hex>` in at's own zone (R43).
func NewChatID(channel string, at time.Time) string { return datedID(channel, at) }

// NewSessionID returns the id of a mode session, also its directory's name:
// `<prefix>-YYYYMMDD-HHMMSS-<6 hex>` in at's own zone (R24).
func NewSessionID(prefix string, at time.Time) string { return datedID(prefix, at) }

func datedID(prefix string, at time.Time) string {
	return prefix + at.Format("-20060102-150405-") + randomHex(3)
}

// randomHex returns 2n hex digits. crypto/rand.Read never fails.
func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return hex.EncodeToString(b)
}
