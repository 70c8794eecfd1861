"""Questions of a position that the rules answer: the position by its names, the ways in it, what a battle comes to."""
