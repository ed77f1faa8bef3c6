"""Work in other processes, and the SQLite files that keep the results."""
