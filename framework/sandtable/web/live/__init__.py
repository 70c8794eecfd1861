"""Games in progress: the game behind a table, the table with its people, and the folder of all games."""
