"""Parallel search: the methods, one file each, and the team of workers that runs them."""
