// Package text is where words are made comparable and speakable: transcripts
// in, speech out, in Chinese and English.
//
// Coming in: Normalize is the form in which words are compared (R7), JoinHan
// and ToSimplified make a transcript readable, Lang tells its language.
// Going out: a MarkerParser takes [[continue]] and [[end]] out of a reply while
// it is written (V3), a Splitter cuts what remains into sentences (V5), and
// Spoken turns one sentence into what a voice should read (V10).
//
// A transcript is made understandable by Heard (V10); ParseTimer, Span, Moments
// and Number read amounts and times out of it, in both languages, from tables of
// words (V9).
//
// Everything here is pure; MarkerParser and Splitter hold the state of one
// reply and belong to the goroutine that reads it. Their results never depend
// on where the stream was cut into pieces.
package text
