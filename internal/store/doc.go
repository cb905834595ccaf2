// Package store keeps files that survive a power cut at any instant: Replace
// writes a whole document, Log appends records, and opening a Log repairs a torn
// tail (S1, S2). Everything goes through FS, so that storetest can enumerate
// every state a crash may leave on the disk.
package store
