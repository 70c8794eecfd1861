"""Income, purchases and grants."""
