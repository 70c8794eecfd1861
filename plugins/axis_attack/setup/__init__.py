"""Setup: reads and checks scenario files, and builds the first state."""
