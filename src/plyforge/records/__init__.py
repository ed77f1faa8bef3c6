"""Records of games: the record itself, the plain format, and what PGN and PDN share."""
