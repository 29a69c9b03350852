"""Pure metrics: counts, rates, strata, outcomes, perturbation groups, error classes, severity."""
