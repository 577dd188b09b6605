package plots

// Bias and error from 1 to 10^19 keys, of the estimators that one sketch can be
// read by, and of the sketches by their own.
var (
	hugeBias = Figure{
		Name:       "estimators-bias",
		Experiment: "hll/huge",
		Title:      "At 10^{19} keys only Ertl's estimators and maximum likelihood stay within the bias allowed",
		Metric:     "bias",
		Law:        "hll.unbiased",
		X:          Axis{Key: "n", Title: "n, distinct keys", Log: true},
		Y:          Axis{Title: "mean of estimate / n − 1, with 256 registers", Percent: true, Min: -0.07, Max: 0.03},
		Panels:     "estimator",
		PanelTitle: "%s",
		Where:      map[string][]string{"p": {"8"}, "subject": {"hll"}},
		Names:      estimatorNames,
		Band:       true,
	}
	hugeError = Figure{
		Name:       "estimators-error",
		Experiment: "hll/huge",
		Title:      "At 10^{19} keys only Ertl's estimators and maximum likelihood err as the law says",
		Metric:     "mean-square*m",
		X:          Axis{Key: "n", Title: "n, distinct keys", Log: true},
		Y:          Axis{Title: "m × mean of (estimate / n − 1)², with m = 256 registers", Min: 1e-9, Max: 2},
		Panels:     "estimator",
		PanelTitle: "%s",
		Where:      map[string][]string{"p": {"8"}, "subject": {"hll"}},
		Names:      estimatorNames,
		Band:       true,
	}
	sketchesError = Figure{
		Name:       "sketches-error",
		Experiment: "hll/huge",
		Title:      "From 1 to 10^{19} keys, sketches err as their laws say, but for axiomhq-hll at the end",
		Metric:     "mean-square*m",
		X:          Axis{Key: "n", Title: "n, distinct keys", Log: true},
		Y:          Axis{Title: "m × mean of (estimate / n − 1)², with m = 256 registers, martingales 64", Min: 1e-9, Max: 1.4},
		Panels:     "subject",
		PanelTitle: "%s",
		Where:      map[string][]string{"p": {"6", "8"}, "estimator": {"own"}},
		Names:      estimatorNames,
	}
	sketchesBias = Figure{
		Name:       "sketches-bias",
		Experiment: "hll/huge",
		Title:      "From 1 to 10^{19} keys, sketches are unbiased, but for axiomhq-hll at the end",
		Metric:     "bias",
		X:          Axis{Key: "n", Title: "n, distinct keys", Log: true},
		Y:          Axis{Title: "mean of estimate / n − 1, with 256 registers, martingales 64", Percent: true, Min: -0.02, Max: 0.02},
		Panels:     "subject",
		PanelTitle: "%s",
		Where:      map[string][]string{"p": {"6", "8"}, "estimator": {"own"}},
		Names:      estimatorNames,
		Band:       true,
	}
)

const (
	noBias   = "law: no bias"
	errorAtN = "law: the error at n keys"
)

var estimatorNames = map[string]string{
	"own": "own: Ertl, bias corrected",

	"hll.unbiased":            noBias,
	"ull.unbiased":            noBias,
	"ell.unbiased":            noBias,
	"ull.martingale.unbiased": noBias,
	"ell.martingale.unbiased": noBias,

	"hll.error-at-n":       errorAtN,
	"hll.likelihood-at-n":  errorAtN,
	"hll.martingale-at-n":  errorAtN,
	"ull.error":            errorAtN,
	"ell.error":            errorAtN,
	"ull.martingale.error": errorAtN,
	"ell.martingale.error": errorAtN,
}
