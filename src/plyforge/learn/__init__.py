"""Learning: models and methods for evaluations, and numbers for steps of the search."""
