"""Searches on several processes by MPI, which the engine starts, or which run it."""
