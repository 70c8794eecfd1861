"""What surrounds the board of a table: links to records, dice that can be checked, films, and what follows a game."""
