// Package sphinx is the recogniser that needs no large model: pocketsphinx, for
// wake phrases and set phrases only.
//
// It knows the phrases it is told and nothing else. Per language one decoder
// runs a grammar of whole phrases beside a loop over all phones: what fits no
// phrase well falls into the loop.
package sphinx
