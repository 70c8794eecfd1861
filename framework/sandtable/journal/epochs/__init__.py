"""Shared dice in logs: the heads to which epochs are bound, the links of a log, and the file with secret links."""
