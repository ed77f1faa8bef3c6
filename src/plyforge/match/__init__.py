"""Matches between players, and what their results are worth."""
