"""The players, and the evaluation that they judge by."""
