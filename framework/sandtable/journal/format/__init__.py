"""The bytes of a log: lines, hash chain, header, limits, and the file that holds them (replays/README.md)."""
