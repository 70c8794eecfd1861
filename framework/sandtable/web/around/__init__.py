"""Features beside the board of a table: links to records, dice that can be checked, films, and the review of a game."""
