"""The form on which a battle is reported: printed, typed, and read."""
