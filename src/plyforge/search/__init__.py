"""Search: algorithms that are handed a game and never name one."""
