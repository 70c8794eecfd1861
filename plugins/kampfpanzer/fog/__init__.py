"""Hidden information: views, and deals of hidden data (determinization)."""
