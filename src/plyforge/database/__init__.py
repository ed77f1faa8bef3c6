"""Endgame databases: the exact values of all positions of a slice, for any game with an index."""
