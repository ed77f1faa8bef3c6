"""Game records, the plain format, and the parts that PGN and PDN share."""
