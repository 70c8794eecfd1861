"""The sequence of play and its phases."""
