// Package llmtest is a scripted chat server that speaks OpenAI's protocol over
// real TCP on loopback: streams, tool calls as the various servers write them,
// delays, errors, dropped connections, garbage. It keeps every request byte for
// byte and simulates a provider's prefix cache in the usage it reports.
//
// A test scripts it (NewServer), or lets a function answer (Start, New), which
// also serves processes other than the test's own.
package llmtest
