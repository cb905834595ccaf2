// Package store keeps files that survive a power cut at any instant: Replace
// writes a whole document, Log appends records, and opening a Log repairs a torn
// tail (S1, S2). Everything goes through FS, so that storetest can enumerate
// every state a crash may leave on the disk.
//
// # Rules for callers
//
// A document or a log has one writer at a time; nothing here locks. Directories
// are made with MkdirAll, never with FS.Mkdir: a file whose directory is not yet
// durable is lost with it. What is acknowledged to a person was returned nil by
// Replace or Append before.
//
// # Files beside the named ones
//
// Replace writes through `<path>.tmp`. A power cut may leave that file; it is
// worthless, the next Replace of the same path overwrites it, and IsTemp tells
// it from real files for those who list a directory. OpenLog keeps what it cuts
// off a torn tail in `<path>.torn-<n>`, n counting from 1; nothing reads those
// again, they are there so that nothing is ever thrown away.
package store
