"""Matches: players, openings, games and their records, ratings."""
