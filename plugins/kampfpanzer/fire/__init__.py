"""Direct and indirect fire, and what it does."""
