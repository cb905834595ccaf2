//go:build !linux

package store

// SyncData is a full Sync where there is no fdatasync.
func (f osFile) SyncData() error { return f.Sync() }
