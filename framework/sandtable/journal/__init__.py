"""The log: writing, reading, folding, verifying, comparing, explaining and repairing it."""
