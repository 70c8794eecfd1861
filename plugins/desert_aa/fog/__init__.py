"""Views of the sides, and deals of hidden information (determinization)."""
