"""What a game is: the contract, scores, keys and random streams."""
