"""Leaders, their characters, casualties and honour."""
