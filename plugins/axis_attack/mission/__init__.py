"""Which mission is fought, and where the front stands."""
