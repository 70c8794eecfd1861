"""Play driven through the lists of options: counted line by line, or shrunk to the shortest game that fails."""
