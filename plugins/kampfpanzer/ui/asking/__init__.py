"""Questions about a position and their answers: paths, sight, fire and problems."""
