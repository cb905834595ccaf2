package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"homebot/audio/wav"
	"homebot/internal/cli"
	"homebot/internal/phrases"
	"homebot/internal/speech"
	"homebot/internal/speech/models"
	"homebot/internal/speech/sherpa"
)

func (p *program) speakersCommand() *cobra.Command {
	var o serveOptions
	c := &cobra.Command{
		Use: "speakers", Short: phrases.HelpSpeakers.In(p.lang), Args: cli.NoArgs,
		RunE: wants(phrases.SpeechSpeakersWhat),
	}
	c.PersistentFlags().StringVar(&o.models, "models", "", phrases.HelpSpeechModels.In(p.lang))
	c.PersistentFlags().StringVar(&o.voices, "voices", "", phrases.HelpServeVoices.In(p.lang))
	do := func(use string, short phrases.Phrase, args cobra.PositionalArgs, f func(s *sherpa.Speakers, args []string) error) {
		c.AddCommand(&cobra.Command{Use: use, Short: short.In(p.lang), Args: args, RunE: func(cmd *cobra.Command, args []string) error {
			s, err := p.openSpeakers(cmd, o)
			if err != nil {
				return err
			}
			defer s.Close()
			return f(s, args)
		}})
	}
	do("list", phrases.HelpSpeakersList, cli.NoArgs, func(s *sherpa.Speakers, _ []string) error {
		for _, id := range s.Members() {
			fmt.Fprintln(p.stdout, id)
		}
		return nil
	})
	do("enrol ID FILE…", phrases.HelpSpeakersEnrol, cli.AtLeastArgs(2), p.enrol)
	do("forget ID", phrases.HelpSpeakersForget, cli.ExactArgs(1), func(s *sherpa.Speakers, args []string) error { return s.Forget(args[0]) })
	return c
}

// openSpeakers loads the speaker model, after a child could.
func (p *program) openSpeakers(cmd *cobra.Command, o serveOptions) (*sherpa.Speakers, error) {
	if sherpa.Version() == "" {
		return nil, sherpa.ErrNotBuilt
	}
	st, err := models.Open(p.modelsDir(o.models))
	if err != nil {
		return nil, err
	}
	m, err := st.Find(models.PurposeSpeaker, "")
	if err == nil {
		err = readProven(st).usable(cmd.Context(), m)
	}
	if err != nil {
		return nil, err
	}
	return sherpa.OpenSpeakers(o.voicesFile(st.Dir), trialOf(st, m).Path)
}

func (p *program) enrol(s *sherpa.Speakers, args []string) error {
	var recordings [][]int16
	for _, path := range args[1:] {
		pcm, _, err := wav.ReadFile(path, speech.CaptureRate)
		if err != nil {
			return err
		}
		recordings = append(recordings, pcm)
	}
	if err := s.Enrol(args[0], recordings); err != nil {
		return err
	}
	p.say(phrases.SpeechKnown, args[0])
	return nil
}
