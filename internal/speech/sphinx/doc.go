// Package sphinx is the recogniser that needs no large model: pocketsphinx, for
// wake phrases and set phrases only.
//
// It knows the phrases it is told and nothing else. Each language has one decoder
// with two grammars of whole phrases beside a loop over all phones: one to wait
// for a wake phrase, one to take a command. What fits no phrase well falls into
// the loop. How well a phrase must fit is set by the word insertion penalty
// alone: a phrase is one dictionary word and pays it once, the loop pays it once
// per phone. The smaller it is, the more is believed.
//
// # Measured
//
// With `go test -run NONE -bench Accuracy -benchtime 1x -v`: espeak-ng speech of
// six English and five Mandarin voices (all variants of one synthesizer: a recipe,
// no rate for people), 30 set phrases per language, over the noise floor; foreign
// is 148 s of speech played both to the waiting recogniser and as an utterance.
//
//	          penalty        wakes   one breath  commands   false wakes  false commands
//	          wake  command
//	English   1e-15 1e-14    48/48   24/24       187/204    0            0
//	Mandarin  1e-13 1e-19    40/40   17/20       145/170    1            1
//
// English misses are "help" (all voices) and, in British voices, "repeat that",
// "thanks", "go back", "stop" and "start" taken for "stop cooking mode". In Mandarin 今天几号,
// 今天星期几 and 重新开始 are mostly lost and 现在几点了 is heard as 现在几点; 你好小芳
// wakes 你好小厨 in one voice of several, and the recording 嗨小问 is taken for 晚安.
//
// What a short clip is taken for depends on what was heard before it (the cepstral
// mean moves): English commands at 1e-16 (190/204 right) once took the recording
// "alexa" for "next step", at 1e-15 Mandarin for "what is the date".
//
// Other penalties: a wake at 1e-9 was heard 27 of 30 times in English (9 of 20
// once it had to be confirmed); Mandarin commands at 1e-12 3 of 16 in one breath,
// at 1e-21 three false ones; Mandarin wakes at 1e-14 two false ones. Wider beams
// make it many times slower.
//
// Two languages waiting in a quiet room, 80 ms chunks: 0.2 % of a core; beside
// people who never pause about 15 % (English 11, Mandarin 5), on a machine under
// load. A decoder takes about 25 MB.
package sphinx
