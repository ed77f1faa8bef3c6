"""A pool of worker processes, and the SQLite files that store results."""
