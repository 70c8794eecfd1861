"""Direct and indirect fire, and its results."""
