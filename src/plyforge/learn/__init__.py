"""Learning from games: so far, numbers for steps of the search (`plyforge fit`)."""
