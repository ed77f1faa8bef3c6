"""Jobs in other processes, the files of the user that they use, and the SQLite files of results."""
