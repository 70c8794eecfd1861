"""Reading and checking of scenario files, and the opening state."""
