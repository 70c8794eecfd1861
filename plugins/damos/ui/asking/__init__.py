"""Questions of a position that the rules answer: the position, the ways in it, and what comes of fights."""
