"""The log: written, read, folded, verified, compared, explained, mended."""
