"""Play driven by the lists of options: counting lines of play, and shrinking a failure to the shortest game."""
