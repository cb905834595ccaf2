// Package llmtest is a scripted OpenAI-compatible chat server on loopback TCP.
package llmtest
