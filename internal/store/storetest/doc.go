// Package storetest models a disk whose power may go at any instant, so that
// "survives a crash" is an ordinary test (S3).
//
// A Disk is a store.FS in memory. It remembers its state after each operation,
// and Crashes yields what could be found on the disk after a power cut at each
// of those instants: every prefix of the operations × the data not yet synced ×
// the directory operations not yet synced. The test then runs the real recovery
// code on each and checks its invariants; EachCrash does the loop, EachFault
// does the same for operation i failing, for every i.
//
// # What the model says about a crash
//
// File content since the last Sync: absent; full; torn after 0 bytes, 1 byte,
// half and all but one byte; of full size but zeros; of full size with zeros in
// its first half; new bytes written but an earlier truncation not. Equal ones
// count once. With several unsynced files each is varied while the others are
// all absent, then all full.
//
// Names made, renamed or removed since the last SyncDir of their directory: any
// subset for up to 4 of them; above that every prefix, each alone and all but
// each. A rename within a directory is one such operation: never half done. One
// between directories becomes durable by syncing the new one. Syncing a file
// does not make its name durable.
//
// A crash state is counted once for the same tree and the same acknowledgements.
//
// # What the model says about a fault
//
// A failing Write writes half of its bytes. After a failed Sync the bytes that
// were not synced stay readable but no later Sync makes them durable, until they
// are truncated away and written anew: that is what Linux does, and why S2 is
// there.
package storetest
