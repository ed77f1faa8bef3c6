"""What is done with whole games: files of records, and their annotation."""
