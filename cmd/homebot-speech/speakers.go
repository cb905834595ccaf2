package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"homebot/audio/wav"
	"homebot/internal/speech"
	"homebot/internal/speech/models"
	"homebot/internal/speech/sherpa"
)

func (p *program) speakersCommand() *cobra.Command {
	var o serveOptions
	c := &cobra.Command{
		Use:   "speakers",
		Short: "Let homebot know members by their voice: a hint, never a lock",
		RunE: func(*cobra.Command, []string) error {
			return fmt.Errorf("say what to do with voices: list, enrol or forget")
		},
	}
	c.PersistentFlags().StringVar(&o.models, "models", "", "directory of speech models")
	c.PersistentFlags().StringVar(&o.voices, "voices", "", "file of the members' voices (default members.json beside the models)")
	do := func(use, short string, args cobra.PositionalArgs, f func(s *sherpa.Speakers, args []string) error) {
		c.AddCommand(&cobra.Command{Use: use, Short: short, Args: args, RunE: func(cmd *cobra.Command, args []string) error {
			p.began = true
			s, err := p.openSpeakers(cmd, o)
			if err != nil {
				return err
			}
			defer s.Close()
			return f(s, args)
		}})
	}
	do("list", "Show whose voice is known", cobra.NoArgs, func(s *sherpa.Speakers, _ []string) error {
		for _, id := range s.Members() {
			fmt.Fprintln(p.stdout, id)
		}
		return nil
	})
	do("enrol ID FILE…", "Know a member by three or more recordings (WAV, a sentence each)", cobra.MinimumNArgs(2), p.enrol)
	do("forget ID", "Forget a member's voice", cobra.ExactArgs(1), func(s *sherpa.Speakers, args []string) error { return s.Forget(args[0]) })
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
	fmt.Fprintf(p.stdout, "%s is known by voice now\n", args[0])
	return nil
}
