"""TD(λ) self-play for backgammon, as TD-Gammon learned."""
