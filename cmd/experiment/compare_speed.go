package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/sketchproof/sketchproof/check"
	"github.com/sketchproof/sketchproof/experiments/speed"
	"github.com/sketchproof/sketchproof/internal/conversation"
)

// How speed is compared: a structure that fits the second cache, and as many
// rounds as give an interval of more than 95 % that leaves out the outermost
// values at either end (12: the third and the tenth value, 96 %).
const (
	turnKeys   = 50_000
	turnRounds = 12
)

// times lets both versions take turns, round by round, so that what disturbs the
// machine disturbs them alike.
func (c *comparison) times(ctx context.Context) error {
	if c.flags.speed == speedNever {
		return nil
	}
	c.say("timing both versions in turn")
	for _, subject := range c.found.Subjects {
		laps, why, err := c.turns(ctx, subject)
		if err != nil {
			return err
		}
		if why != "" {
			c.found.Notes = append(c.found.Notes, "speed of "+subject+" was not compared: "+why)
			continue
		}
		for _, r := range speed.Ratios(laps[0], laps[1]) {
			c.found.Speeds = append(c.found.Speeds, check.Speed{
				Subject: r.Subject, Op: r.Op, Rounds: r.Rounds, Ratio: r.Median, Lo: r.Lo, Hi: r.Hi, Confidence: r.Confidence,
				SecondsBefore: r.SecondsFirst, Seconds: r.Seconds,
			})
		}
	}
	return nil
}

// turns times a subject with both versions. A first round, in which caches and
// branch predictors are cold, is left out.
func (c *comparison) turns(ctx context.Context, subject string) (laps [2][]speed.Lap, why string, err error) {
	for round := range turnRounds + 1 {
		for i, s := range []*side{c.a, c.b} {
			r, err := s.ask(ctx, question{Time: &timeOrder{Subject: subject, Keys: turnKeys, Round: round}})
			if died, ok := errors.AsType[*conversation.DeathError](err); ok {
				return laps, fmt.Sprintf("%s: %s", s.name, died.Cause), nil
			}
			switch {
			case err != nil:
				return laps, "", err
			case r.Fault != "":
				return laps, fmt.Sprintf("%s: %s", s.name, r.Fault), nil
			case r.Lap == nil:
				return laps, "nothing times it", nil
			case round > 0:
				laps[i] = append(laps[i], *r.Lap)
			}
		}
	}
	return laps, "", nil
}
