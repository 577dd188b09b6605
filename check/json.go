package check

import (
	"encoding/json"
	"io"
	"math"

	"github.com/sketchproof/sketchproof/record"
)

// WriteJSON writes the whole report as one JSON object. A figure that is
// infinite or missing is null.
func (r Report) WriteJSON(w io.Writer) error {
	type object struct {
		Baseline   string         `json:"baseline"`
		Apart      string         `json:"apart,omitempty"`
		Failed     bool           `json:"failed"`
		Judgements int            `json:"judgements"`
		Counts     map[string]int `json:"counts"`
		Findings   []jsonFinding  `json:"findings"`
	}
	o := object{r.Baseline, r.Apart, r.Failed(), len(r.Judgements), map[string]int{}, make([]jsonFinding, len(r.Findings))}
	for _, k := range Kinds {
		o.Counts[k.String()] = r.Count(k)
	}
	for i, f := range r.Findings {
		o.Findings[i] = newJSONFinding(f)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(o)
}

type jsonFinding struct {
	Kind         string     `json:"kind"`
	Fails        bool       `json:"fails"`
	Cell         string     `json:"cell"`
	Metric       string     `json:"metric"`
	Law          string     `json:"law,omitempty"`
	Message      string     `json:"message"`
	Module       string     `json:"module,omitempty"`
	ModuleBefore string     `json:"module_before,omitempty"`
	Now          *jsonState `json:"now,omitempty"`
	Before       *jsonState `json:"before,omitempty"`
}

func newJSONFinding(f Finding) jsonFinding {
	j := jsonFinding{
		Kind: f.Kind.String(), Fails: f.Kind.Fails(), Cell: f.Now.Cell, Metric: f.Now.Metric, Law: f.Now.Law,
		Message: f.Message(), Module: f.Module, ModuleBefore: f.ModuleBefore,
	}
	if !f.absent() {
		j.Now = newJSONState(f.Now)
	}
	if f.Before != nil {
		j.Before = newJSONState(*f.Before)
	}
	return j
}

// A jsonState is a judgement's figures, named as in summary.csv.
type jsonState struct {
	Trials     int    `json:"trials"`
	Estimate   figure `json:"estimate"`
	Lo         figure `json:"lo"`
	Hi         figure `json:"hi"`
	Confidence figure `json:"confidence"`
	Predicted  figure `json:"predicted"`
	AllowedLo  figure `json:"allowed_lo"`
	AllowedHi  figure `json:"allowed_hi"`
	Verdict    string `json:"verdict,omitempty"`
}

func newJSONState(s record.Summary) *jsonState {
	j := jsonState{
		Trials: s.Trials, Estimate: figure(s.Estimate), Lo: figure(s.Lo), Hi: figure(s.Hi), Confidence: figure(s.Confidence),
		Predicted: figure(s.Predicted), AllowedLo: figure(s.AllowedLo), AllowedHi: figure(s.AllowedHi),
	}
	if s.Judged() {
		j.Verdict = s.Verdict.String()
	}
	return &j
}

// A figure is a number of a row; JSON knows no infinity.
type figure float64

// MarshalJSON prints the number, null where it is infinite or missing.
func (f figure) MarshalJSON() ([]byte, error) {
	if x := float64(f); math.IsInf(x, 0) || math.IsNaN(x) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}
