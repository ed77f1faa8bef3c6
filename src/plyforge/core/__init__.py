"""The game contract, scores, board shapes, keys and random streams."""
