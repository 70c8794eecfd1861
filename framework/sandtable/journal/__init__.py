"""The log: written, read, folded, verified, compared, explained, repaired."""
